"""What binds in a vote about which seats are out: drop votes, objections, proofs acted on.

Scope: one seat's part in the votes (PROTOCOL.md 9.2 and 9.6).
Not here: what players want (`kotp2p.wishes`), how votes are counted and what a certificate does to
the chain (`kotp2p.game`).

In what order to read: `voting` is where this seat signs a drop vote. `shown_votes` tells whether it
still binds, as far as the others have shown. `locks` is what it forbids then, `held_entries` what
waits because of that, and `objections` what it answers to the votes of others. `accusations` keeps
the proofs, and `targets` tells where they call for a vote. `stances` is the table of it all, and
`standing` what the player is told.
"""
