"""What a process leaves on disk, and how it finds it again.

Scope: the log while it is written, the folder of a game, and reading files of unknown origin.
Not here: what a record means (`kotp2p.wire`, `kotp2p.game`).
"""
