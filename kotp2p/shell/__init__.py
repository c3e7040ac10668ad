"""The shell: feeds the cores on trio and performs their effects.

Scope: the loops of a lobby and of a game, and the ways in: host, join, solo, resume.
Not here: decisions about the game or the lobby, which belong to the cores.
"""
