"""Two pasts of one game: a fork is seen before anything is built on one of them."""

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.gossip import Effect, SendFrame, ShowNotice
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import Cheated
from kotp2p.wire.entries import BodyKind, Signed, sign_head
from kotp2p.wire.frames import Want
from kotp2p.wire.lineups import CheatKind
from tests.support import five_players
from tests.support.hearing import hear_frame


def told(answer: int) -> tuple[Ledger, Seat]:
    """A copy to which one of the two answers of a cheat has come, and nothing behind it."""
    ledger, cheat = five_players.at_a_decision()
    ledger.accept_entry(five_players.two_answers(ledger, cheat)[answer])
    return ledger, cheat


def peer(ledger: Ledger, seat: Seat, other: Seat) -> Peer:
    """A program that plays on, with a link over which nothing has come yet."""
    made = Peer(
        five_players.genesis(),
        seat,
        five_players.SIGNERS[seat],
        five_players.SEEDS[seat],
        resumed=ledger,
    )
    made.begin(0.0)
    made.link_up(other, 0.0)
    made.take_effects()
    return made


def sent(effects: list[Effect], seat: Seat) -> list[Signed]:
    return [
        e.frame
        for e in effects
        if isinstance(e, SendFrame) and e.seat == seat and isinstance(e.frame, Signed)
    ]


def head(ledger: Ledger, seat: Seat) -> Signed:
    return sign_head(
        five_players.SIGNERS[seat], five_players.genesis().id, seat, *ledger.place, ledger.head
    )


def test_a_peer_that_is_as_far_on_another_past_is_shown_ours_and_sees_the_cheat() -> None:
    """No entry behind the two answers would tell: at the end of a game there is none."""
    (ours, cheat), (theirs, _) = told(0), told(1)
    assert ours.place == theirs.place
    me, other = five_players.others(cheat)[:2]
    here, there = peer(ours, me, other), peer(theirs, other, me)
    hear_frame(here, other, head(theirs, other), 1.0)
    shown = sent(here.take_effects(), other)
    assert BodyKind.PLAY in {signed.kind for signed in shown}
    for signed in shown:
        hear_frame(there, me, signed, 1.0)
    (named,) = [
        e.notice
        for e in there.take_effects()
        if isinstance(e, ShowNotice) and type(e.notice) is Cheated
    ]
    assert (named.seat, named.kind) == (cheat, CheatKind.EQUIVOCATION)


def test_a_peer_on_our_past_is_shown_nothing_however_far_it_is() -> None:
    ours, cheat = told(0)
    same, _ = told(0)
    behind, _ = five_players.at_a_decision()
    me, other = five_players.others(cheat)[:2]
    here = peer(ours, me, other)
    for ledger in (same, behind):
        hear_frame(here, other, head(ledger, other), 1.0)
        assert not [s for s in sent(here.take_effects(), other) if s.kind is not BodyKind.HEAD]


def test_what_brings_nothing_is_asked_for_ever_more_seldom() -> None:
    ledger, cheat = told(0)
    me, other = five_players.others(cheat)[:2]
    here = peer(ledger, me, other)
    attempt, height = ledger.place
    further = sign_head(
        five_players.SIGNERS[other],
        five_players.genesis().id,
        other,
        attempt,
        height + 1,
        bytes(32),
    )
    asked = []
    for second in range(1, 100):
        hear_frame(here, other, further, float(second))
        wanted = [
            e for e in here.take_effects() if isinstance(e, SendFrame) and type(e.frame) is Want
        ]
        asked += [second] * len(wanted)
    assert asked == [1, 2, 4, 8, 16, 32, 48, 64, 80, 96]
    here.link_down(other, 100.0)
    here.link_up(other, 100.0)
    here.take_effects()
    hear_frame(here, other, further, 100.0)
    frames = [e.frame for e in here.take_effects() if isinstance(e, SendFrame)]
    assert Want(attempt, height) in frames
