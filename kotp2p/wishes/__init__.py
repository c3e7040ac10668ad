"""What players want of each other, which binds nobody: pauses, dropping a seat, adjourning.

Scope: the clocks, the intents of players, and the vote that is open because a seat is late or gone.
Not here: what binds (`kotp2p.votes`). Time is an argument.

Read `clocks` first: it tells which seats are late. `intents` is what the players say about it.
"""
