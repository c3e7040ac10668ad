"""A model of line-ups: the rules of one keeper, a world with an adversary, the laws, random walks.

It is written from the text of the design alone, imports nothing of the program, and is read beside
PROTOCOL. Begin with `bodies` and `lineups`. `positions` is a game as small as the rules allow,
`line` says what is owed where, `book` what the bodies prove that were taken, `finding` which
line-up a keeper finds, `keeper`, `pace` and `patience` what it signs and when. `world`, `hostile`,
`walks` and `laws` try it.

What is left out: links and who hears whom, stopping for today, watchers, the start, shares of a
second look. Windows of commitments never run out. Time is virtual.
"""
