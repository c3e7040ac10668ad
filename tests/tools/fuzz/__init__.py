"""Fuzzing of everything that reads bytes from others: `python -m tests.tools.fuzz`.

Made inputs go to the decoders of frames and entries, to the reader of logs, to the verifier, and,
with signatures taken for good, to a game in which one seat signs whatever it likes. The law:
nothing but the errors of `errors.py` comes out, memory stays bounded, what decodes encodes to the
same bytes, and what is refused changes nothing. One seed is one run.
"""
