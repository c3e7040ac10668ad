"""A recorded game that is looked at again, on the drawn table and in plain lines.

Scope: the reader's place in a recording, and what keys and words do there.
Not here: reading and judging a log (`kotp2p.game`), and how the table is drawn (`cli.ui.screen`),
of which the panels are used.
"""
