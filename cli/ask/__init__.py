"""A decision as a question to a person, a typed line as its answer, and back.

Scope: prompts, hints, proposals, previews and standing orders. Without I/O.
Not here: where a question is shown and how a line arrives (`cli.ui`).
"""
