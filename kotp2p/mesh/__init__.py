"""How bodies reach every seat: spread them, ask for missing ones, notice copies that differ.

Scope: which seat is sent what, and which seat is within reach. Without I/O.
Not here: whether a body counts (`kotp2p.game`), and the connections themselves (`kotp2p.net`).
"""
