"""Run the program: `python -m kotp2p`."""

from kotp2p.cli.start import start

start()
