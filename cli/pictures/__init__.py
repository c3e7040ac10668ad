"""Portraits of the monsters as pixels, and the colours that a terminal has for them.

Scope: the file of the drawings; moods and the small size, which are computed.
Not here: how pixels are shown (`cli.ui.screen.panels`, `cli.extras.forms.html`).
"""
