"""Benchmarks. Each prints ratios measured in one run; none is part of the test suite."""
