"""The table before a player: lines or a drawn screen, and what a typed line does.

Scope: the fronts of a person, with prompt_toolkit in `screen` alone.
Not here: the sentences (`cli.text`) and the questions (`cli.ask`).
"""
