"""The rules of King of Tokyo: the same inputs give the same game on every machine.

Scope: positions, decisions, events and rules, as pure functions over plain data. The standard
library is enough. A room imports only from the rooms before it: `model`, `box`, `table`, `rules`,
`cards`, then the module `game`.

Not here: clocks, entropy, files, floats, anything of the peer or the terminal.
"""
