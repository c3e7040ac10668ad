"""Which seats are still at the table, and how a game is closed.

Scope: presence, coming back after a restart, and the signatures under an end or a break.
Not here: clocks and intents (`kotp2p.wishes`), votes and proofs (`kotp2p.votes`). Time is an
argument.

In what order to read: `presence` tells which seats are late or gone, `rejoin` which are back after
a restart. `closing` ends it all, with the signatures of `seals` at the end of a game and of
`adjourning` before it.
"""
