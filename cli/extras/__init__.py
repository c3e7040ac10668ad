"""The wing: commands around a game, without which one can be played, watched and checked.

Scope: doctor, export and its page, statistics, explain, and identities that travel. `table` lists
them; the core reads that table and names nothing else of this room.
Not here: anything that hosting, joining, playing, watching or verifying needs.
"""
