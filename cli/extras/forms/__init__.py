"""A recorded game in other forms: a story, JSON lines, a page that replays and checks itself.

Scope: from the bytes of a log to text, and from JSON lines back to the same bytes.
Not here: files and flags (`cli.commands`), and what makes a log right (`kotp2p.game.verify`).
"""
