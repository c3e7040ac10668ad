"""The errors that bad bytes may raise: all of them, and where. Anything else is a bug."""

from kotp2p.game.steps import Cheat, Differs, Early, Forged, Fork, Stale
from kotp2p.lobby.known_keys import NewerIdentity, NoIdentity
from kotp2p.net.invitation import BadLink
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.genesis import OtherVersion
from kotp2p.wire.records import Damaged, Unreadable

DECODING = (BadBytes,)
"""Frames, entries, all other signed bodies, lists of seals, places."""
GENESIS = (BadBytes, OtherVersion)
INVITATION = (BadLink,)
IDENTITY = (NoIdentity, NewerIdentity)
READING = (Unreadable, Damaged)
"""The head of a log and its records. `verify` itself raises nothing."""
REFUSALS = (BadBytes, Forged, Early, Stale, Fork, Differs, Cheat)
"""What a ledger says of a body that it does not take."""
