"""From an open table to a signed genesis, without I/O.

Scope: the seats, the host's commands, the ceremony of the start, and known keys.
Not here: the connections (`kotp2p.net`), and anything after the genesis.
"""
