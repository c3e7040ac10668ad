"""Watching a game without a seat at it: what a watcher makes of the log that it is sent.

Scope: the side of a watcher, and the shell around it.
Not here: what a source sends (`kotp2p.mesh.feeds`), which also brings back a player whose files are
lost, and whether a record is right (`kotp2p.game.verify`).
"""
