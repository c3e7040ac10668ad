"""Portraits of the monsters as pixels, and the colours that a terminal has for them.

Scope: the file of the drawings; moods and the small size, which are computed; rows of text.
Not here: how a page shows pixels (`cli.extras.forms.html`).
"""
