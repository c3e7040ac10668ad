"""What of the wing runs on trio.

Scope: the shell around a watcher, and another game with the people of the last one.
Not here: what a watcher makes of a log (`kotp2p.extras.watching`).
"""
