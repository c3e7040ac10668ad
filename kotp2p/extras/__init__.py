"""The wing of a peer: what a game can do without.

Scope: bots that think, a game followed without a seat, a log as a recording, another game.
`kotp2p.cli.extras.table` hands them to the core, which names nothing of this room.
Not here: what a peer needs to host, join, play, resume or verify.
"""
