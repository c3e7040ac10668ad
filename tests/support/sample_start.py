"""A start that a seat has signed, with bytes that are always the same."""

from kotp2p.store.game_files import SignedStart
from kotp2p.store.saved_game import SavedPlaces
from tests.tools.vector_table import SEATS, SEEDS, small_genesis


def _signed_start() -> SignedStart:
    genesis, _rows = small_genesis()
    addresses = tuple((f"192.168.1.{seat + 1}", 4242) for seat in range(len(genesis.players)))
    places = SavedPlaces("", 4242, "192.168.1.7", addresses, "")
    return SignedStart(genesis, SEATS[1], True, SEEDS[1], places)


START = _signed_start()
