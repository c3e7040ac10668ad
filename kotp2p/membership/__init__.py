"""Which seats are still in the game: clocks, votes, proofs acted on, and the end.

Scope: what one seat does about absent seats and proven cheats, and how a game is closed.
Not here: what a certificate does to the chain (`kotp2p.game`). Time is an argument.
"""
