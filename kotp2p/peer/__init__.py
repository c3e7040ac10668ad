"""One seat in a game, without I/O: what it signs and when, and what its front is told.

Scope: the core that frames, answers and ticks are fed to, and whose effects the shell performs.
Not here: sockets, files, clocks and entropy.
"""
