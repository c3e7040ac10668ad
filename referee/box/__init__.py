"""What comes in the box: cards, tiles, rule sets, and the set-up of a game, as values.

Scope: printed data, and the numbers and switches in which the rule sets differ.

Not here: code that a card runs (`referee.cards`), or a rule (`referee.rules`).
"""
