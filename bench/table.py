"""Whole games as the benchmarks know them; they are played by `kotp2p.tournament.whole_game`."""

from kotp2p.tournament.whole_game import Played, Player, TooLong, draw, play

__all__ = ["Played", "Player", "TooLong", "draw", "play"]
