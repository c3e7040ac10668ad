"""Whole games of bots without a network, many of them, and what they show.

Scope: the seats of the bots, one game from its number, games on any `Executor`, and sums over
their results. The result of a game follows from the contest and its number alone, so it is the
same on every machine and in every order.
Not here: the executors (`cli.system.executors`), sentences, and the thoughts of the bots
(`kotp2p.bots`).
"""
