"""One game by its signed bodies: for a live peer, a resumed game and `verify` alike.

Scope: which body is owed next, what the accepted ones come to, and what a wrong one proves.
Not here: clocks, keys of our own, links, and anything that a player wants or reads.
"""
