"""Whole games written out: inputs, events, digests. `python -m tests.tools.golden` writes them
anew."""
