"""Sentences from events, notices and state.

Scope: what is said, in whole sentences that pass `i18n`.
Not here: I/O, typed input, and when or where a sentence is shown.
"""
