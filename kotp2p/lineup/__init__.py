"""Who plays: what a keeper finds, says and signs about a change of line-up (PROTOCOL.md 9).

`plan` says what the facts and wishes come to, `attempts` how the keepers come to one line-up,
`absence` who holds up the others and what players are offered, `returning` how a process comes
back. A step of a game in which nobody is late, has left, cheated or come back touches none of them.
"""
