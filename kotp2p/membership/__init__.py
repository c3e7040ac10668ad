"""Which seats are still in the game: clocks, votes, proofs acted on, and the end.

Scope: what one seat does about absent seats and proven cheats, and how a game is closed.
Not here: what a certificate does to the chain (`kotp2p.game`). Time is an argument.

In what order to read: `clocks` and `presence` tell which seats are late or gone, `rejoin` which are
back after a restart. `intents` is what the players want then. `voting` is where this seat signs a
vote that binds; `vote_locks` is what that forbids it, `objections` what it answers to the votes of
others, and `targets` where proofs call for a vote (`accusations` keeps those). `closing` ends it
all, with the signatures of `seals` at the end of a game and of `adjourning` before it. What votes
come to is in `kotp2p.game.vote_tally` and `kotp2p.game.ledger`.
"""
