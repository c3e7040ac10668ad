"""The reference of the game: `kotp2p rules` and `kotp2p cards`.

Scope: the rulebook with its rulings, and what each card and tile says.
Not here: the page of players and its topics, which are asked for at the table too
(`kotp2p.cli.text.player_rules`).
"""
