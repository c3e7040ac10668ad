"""Watching a game without a seat at it: what a source sends, and what a watcher makes of it.

Scope: both sides of a link with a watcher, and what the table hears of watchers. Without I/O.
Not here: whether a record is right (`kotp2p.game.verify`), links (`kotp2p.net`), and what carries
the frames (`kotp2p.shell.watcher_links`, `kotp2p.shell.watch`).
"""
