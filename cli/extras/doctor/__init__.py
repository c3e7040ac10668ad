"""What keeps a player from a game: `kotp2p doctor`.

Scope: findings about the terminal, the files and the network of this machine, and the way to a
table, with what to do.
Not here: any change to this machine.
"""
