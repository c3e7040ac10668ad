"""The drawn table: the content of the screen, as rows, and the keys that change it.

Scope: prompt_toolkit in `stage` and `controls`, and pure drawing in the other modules.
Not here: what a typed line means (`cli.ui.line_player`).
"""
