"""The wing: what goes beyond hosting, joining, playing, resuming and verifying a game.

Scope: watch, replay and explain, exports and their page, figures, the reference of cards and rules,
doctor, help, identities that travel, and reasons for advice. `table` lists them, and hands the
bots of `kotp2p.extras` to the core, which names nothing of this room.
Not here: the seam (`kotp2p.cli.wing`).
"""
