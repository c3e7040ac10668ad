"""The table in the hands of the rules, and the hooks at which effects take part.

Scope: recording events, finding effects at a hook, offering and using them.

Not here: a rule of the game (`referee.rules`), or what a card does (`referee.cards`).
"""
