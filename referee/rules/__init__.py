"""The rules: a turn step by step, and the operations that its steps and the cards share.

Scope: the sections of docs/RULES.md, each in one module, for every rule set.

Not here: the name of a card or a rule set. A rule that differs reads a field of the rule set; a
card takes part through a hook.
"""
