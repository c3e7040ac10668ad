"""One code for a table: how people far from each other are introduced, without I/O.

Scope: the words of a code, the exchange that proves them, the limit on guesses, and the lines of
the two servers of magic-wormhole, which are read as a stranger's (PROTOCOL.md 4.5).
Not here: connections to those servers (`kotp2p.net`), and the game, of which they see no byte.
"""
