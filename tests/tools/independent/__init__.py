"""A verifier and a client written from docs/PROTOCOL.md alone, to be held against kotp2p.

Law: it imports the standard library, `cryptography` and `referee` (whose rules have a second
writing of their own), and nothing of `kotp2p`. What this folder cannot say from the text, the
text lacks. `python -m tests.tools.independent FILE...` prints the verdict of each log or evidence.
"""
