"""Scenario files: a point of the rules as given, when and then.

Scope: `python -m tests.scenario FILE…` runs every scenario of the named files;
README.md is the format. The parts, in the order in which a scenario passes them:

* `fields`, `form` and `lines` read parsed TOML into a `Scenario`, or say where it is not one;
* `setting` lays the table for one rule set: which card lies where;
* `script` plays: it answers each pending node from the script (`translate`), or by default;
* `judge` compares what came out with what was expected;
* `run` joins these for one rule set, and `__main__` reads files and prints.

Names of cards are looked up over all rule sets, so that a scenario may use the name of 2011 or of
2016 in any of them.

Not here: files and printing, except in `__main__`.
"""
