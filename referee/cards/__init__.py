"""What the cards and tiles do: one small class for each effect, one module for each kind.

Scope: subclasses of `Effect`, and the table that joins their names to them (`effects`).

Not here: what is printed on a card (`referee.box`), or a rule that holds without the card
(`referee.rules`).
"""
