"""What is counted over games that are over. A game needs nothing of it.

Scope: facts of logs in, sums out, for the commands of `cli.extras`.
Not here: anything that a game, its log or `verify` needs. No other room imports this one.
"""
