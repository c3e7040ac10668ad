"""Figures: of the game that is played, and of all games whose logs are here (`kotp2p games`).

Scope: what is counted, in words, as a chart and as a page.
Not here: reading and judging a log (`kotp2p.game`).
"""
