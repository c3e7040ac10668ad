"""Benchmarks: `python -m bench` prints ratios measured in one run (docs/BENCHMARKS.md).

Scope: what speed, memory and bytes come to against yardsticks that are measured beside them. None
of it is part of the test suite.
Not here: how well bots play against each other (`python -m bench.bots` does that alone).
"""
