"""The bot that `normal` was in the first version, kept as it was: newer ones are measured with it.

Scope: its rules (`normal`) and its values (`rolls`, `worth`). Only what
the rules of the game demand is changed here.
"""

from tests.support.earlier_normal.normal import choose_answer

__all__ = ["choose_answer"]
