"""The vocabulary of a game: answers, decisions, events, the State, and how an event changes it.

Scope: plain data and closed unions that the peer, the bots and the terminal read too.

Not here: a rule, a card, or anything that decides whether something may happen.
"""
