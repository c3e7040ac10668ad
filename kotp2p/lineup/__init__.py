"""Changes of line-up: what a keeper finds, says and signs about them (PROTOCOL.md 9).

Scope: `plan` says what the facts and wishes come to, `attempts` how the keepers come to one
line-up, `absence` who holds up the others and what players are offered, `returning` how a process
comes back. A step of a game in which nobody is late, has left, cheated or come back touches none of
them.
Not here: what a line-up does to a game (`kotp2p.game.chain`), and what this keeper owes to the game
itself (`kotp2p.peer`).
"""
