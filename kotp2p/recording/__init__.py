"""A game that can be seen again: its moments one by one, and the position behind each.

Scope: what `replay`, `export` and one that only watches know of a game, made of the records that
the verifier has found right.
Not here: whether a record is right (`kotp2p.game.verify`), files, and sentences.
"""
