"""Mutants: small faults put into the program, one at a time, to see that a test fails.

Scope: making the faults (`mutations`), putting one into the functions of a running process
(`swapping`), finding which tests call which function (`reaching`), running those tests in a fork
for each mutant (`trials`), and the mutants that change nothing (`equivalent`).
Not here: planted bugs of the simulation, which are written by hand
(`tests.tools.sim.planted_line_ups`).

How it works: pytest collects the tests once. Each mutant is a fork of that process, so it costs the
tests that it runs and little more. Only code of functions is changed; constants of modules and
fields of classes are not, as other modules hold copies of them.

Known limitation: calls in other processes are not seen, so no test of `tests/processes` is run.
"""
