"""A drop vote that comes before its place is reached is asked for again there (PROTOCOL 9.1 R3)."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Early
from kotp2p.mesh.effects import SendFrame
from kotp2p.mesh.gossip import REQUEST_PAUSE_SECONDS
from kotp2p.mesh.vote_intake import VoteIntake
from kotp2p.wire.frames_game import Want
from kotp2p.wire.votes import Vote
from referee.model.answers import Seat
from tests.support.five_players import at_a_decision, drop, linked, others, owes

NOW = 100.0


def too_early() -> tuple[VoteIntake, Ledger, Seat, Vote]:
    """A copy to which a link has brought a vote of the next place, and what it had to ask for."""
    ahead, asked = at_a_decision()
    ahead.accept_entry(owes(ahead, asked))
    ledger, _ = at_a_decision()
    me, honest, accused = others(asked)[:3]
    intake = linked(ledger, me, honest).intake
    vote = drop(ahead, honest, (accused,), 1)
    with pytest.raises(Early):
        intake.count_vote(honest, vote, NOW)
    assert wants(intake, honest) == [Want(ledger.height)]
    intake.ask_for_early_votes(NOW + REQUEST_PAUSE_SECONDS)
    assert not wants(intake, honest)  # its place is still to come
    ledger.accept_entry(owes(ledger, asked))
    return intake, ledger, honest, vote


def wants(intake: VoteIntake, link: Seat) -> list[Want]:
    effects, intake.gossip.effects = intake.gossip.effects, []
    frames = [e.frame for e in effects if isinstance(e, SendFrame) and e.seat == link]
    return [frame for frame in frames if isinstance(frame, Want)]


def test_the_link_that_has_brought_it_is_asked_once_when_its_place_is_reached() -> None:
    intake, ledger, honest, _ = too_early()
    intake.ask_for_early_votes(NOW + REQUEST_PAUSE_SECONDS - 0.01)
    assert not wants(intake, honest)  # it was asked a moment ago
    for _ in range(2):
        intake.ask_for_early_votes(NOW + REQUEST_PAUSE_SECONDS)
    assert wants(intake, honest) == [Want(ledger.height)]


def test_nobody_is_asked_for_a_vote_that_has_come_since() -> None:
    intake, _, honest, vote = too_early()
    assert intake.count_vote(honest, vote, NOW) is not None
    intake.gossip.effects = []
    intake.ask_for_early_votes(NOW + REQUEST_PAUSE_SECONDS)
    assert not wants(intake, honest)
