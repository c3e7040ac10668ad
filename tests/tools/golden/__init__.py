"""Whole games: inputs, events, digests. `python -m tests.tools.golden` writes them anew."""
