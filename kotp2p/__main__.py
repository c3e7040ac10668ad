"""Run the program: `python -m kotp2p`."""

from kotp2p.cli import start

start()
