"""What seats sign and must not."""

from dataclasses import replace

from kotp2p.game.referee_feed import share_context, sign_blame
from kotp2p.game.steps import Sharing
from kotp2p.peer.bodies import Secrets
from kotp2p.referee.model import answers as a
from kotp2p.wire.crypto import Stream, contribution, exchange_public_key, seal
from kotp2p.wire.entries import Answering, Entry, Share
from tests.support.scribe import Scribe, gathering, opening_of, rolling
from tests.tools.vector_logs.tables import asked, at_second_look
from tests.tools.vector_table import fill


def illegal(scribe: Scribe) -> Entry:
    return scribe.entry(asked(scribe), Answering(a.Reroll((0, 17))))


def of_another_past(scribe: Scribe) -> Entry:
    seat, ledger = asked(scribe), scribe.ledger
    key, load = scribe.signers[seat], scribe.load(seat)
    return Entry.sign(key, ledger.attempt, ledger.height, fill(9), seat, load)


def at_a_gather(people: int = 2) -> Scribe:
    scribe = Scribe(people)
    scribe.until(gathering)
    return scribe


def wrong_opening(scribe: Scribe) -> Entry:
    right = opening_of(scribe.entry(0))
    return scribe.entry(0, replace(right, contributions=(fill(9), *right.contributions[1:])))


def copied(scribe: Scribe) -> Entry:
    theirs = scribe.ledger.genesis.rows[1].dice[0]
    right = opening_of(scribe.entry(0))
    return scribe.entry(0, replace(right, commitments=(theirs, *right.commitments[1:])))


def at_a_position() -> Scribe:
    scribe = Scribe(2)
    scribe.until(
        lambda ledger: (
            ledger.chain.feed.position_due and bool(ledger.owing_seats()) and not rolling(ledger)
        )
    )
    return scribe


def other_position(scribe: Scribe) -> Entry:
    return scribe.entry(0, replace(opening_of(scribe.entry(0)), position=fill(9)))


def no_position(scribe: Scribe) -> Entry:
    return scribe.entry(0, replace(opening_of(scribe.entry(0)), position=None))


def blame(scribe: Scribe, share: Entry, secret: bytes | None = None) -> Entry:
    """By the seat that was given `share`, with its true secret or another one."""
    given = scribe.ledger.chain.feed.shares[-1]
    hand = Secrets(
        scribe.ledger, given.taker, scribe.signers[given.taker], scribe.seeds[given.taker]
    )
    assert share.id == given.entry.id
    true = hand._look_secret(given.step.slot)
    return sign_blame(scribe.signers[given.taker], given, secret or true)


def shared(false: bool = False, people: int = 2) -> tuple[Scribe, Entry]:
    scribe = at_second_look(people)
    assert isinstance(scribe.ledger.step, Sharing)
    owner, step = scribe.ledger.step.seat, scribe.ledger.step
    load = scribe.hand(owner).make_share(step)
    share = scribe.entry(owner, replace(load, sealed=bytes(48)) if false else load)
    scribe.take(share)
    return scribe, share


def another_share(scribe: Scribe, share: Entry) -> Entry:
    """It opens, too: the same contribution under another key."""
    (given,) = scribe.ledger.chain.feed.shares
    step = given.step
    origin = scribe.ledger.chain.slots.origin_of(given.owner)
    c = contribution(scribe.seeds[given.owner], origin, Stream.CARDS, step.slot)
    secret = fill(0x44)
    sealed = seal(secret, step.key, c, share_context(scribe.game, share.height, step))
    load = Share(exchange_public_key(secret), sealed)
    place = share.attempt, share.height, share.prev
    return Entry.sign(scribe.signers[given.owner], *place, share.seat, load)
