"""Whole games written out: inputs, events, digests. `python -m tests.golden` writes them anew."""
