"""Every byte that is hashed, signed, sent or stored, as types with one writer and one reader each.

Scope: encodings, bodies, frames, proofs, and what bounds them.
Not here: I/O, clocks, keys of our own, and any state of a game or a lobby.
"""
