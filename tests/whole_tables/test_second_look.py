"""Two monsters look at the same top card: the share between them, and who lies about it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import trio

from kotp2p.game.referee_feed import share_context, sign_blame
from kotp2p.game.steps import Sharing
from kotp2p.mesh.gossip import Effect, SendFrame
from kotp2p.peer.bodies import Secrets
from kotp2p.peer.peer import Peer, Reporting
from kotp2p.referee.box.rulesets import SECOND
from kotp2p.referee.model.answers import Answer, Peek
from kotp2p.referee.model.decisions import BuyDecision, Decision
from kotp2p.seams.commands import LeaveTable, LetBotPlay
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Cheated, EvidenceKept, LineUpBegun, SeatView, TopRevealed
from kotp2p.wire.crypto import Stream, contribution, exchange_public_key, seal
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Entry, Share, Signed, parse_answer
from kotp2p.wire.lineups import CheatKind
from tests.support.memory_tables import Recorder, TestTable
from tests.tools.sim.rules import looking

pytestmark = pytest.mark.virtual_time


@pytest.fixture(autouse=True)
def equipped() -> Iterator[None]:
    with looking():
        yield


class Looker(Recorder):
    """Looks whenever it may, buys nothing, and leaves as soon as two have looked."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer:
        self.asked += 1
        if isinstance(decision, BuyDecision) and decision.peek:
            return Peek()
        return decision.default


class WrongSecrets(Secrets):
    def make_share(self, step: Sharing) -> Share:
        right = super().make_share(step)
        return replace(right, sealed=bytes(len(right.sealed)))


class WrongSharer(Peer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._duties.secrets = WrongSecrets(self.ledger, self.seat, self.signer, self.seed)


class Slanderous(Reporting):
    def secret(self, slot: int) -> bytes:
        return self.secrets._look_secret(slot)

    def update_top_cards(self) -> list[Entry]:
        blames = super().update_top_cards()
        for given in self.ledger.chain.feed.shares[-1:]:
            if given.taker == self.secrets.seat:
                blame = sign_blame(self.secrets.signer, given, self.secret(given.step.slot))
                self.gossip.broadcast(blame.signed)
        return blames


class Mistaken(Slanderous):
    """Blames it with a secret that is not that of its key, so that it does not open."""

    def secret(self, slot: int) -> bytes:
        return bytes(range(32))


class FalseAccuser(Peer):
    reporting: type[Reporting] = Slanderous

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        secrets = self._reporting.secrets
        self._reporting = self.reporting(self.ledger, self.gossip, secrets, self.view)


class OtherKey(FalseAccuser):
    reporting = Mistaken


class TwoSharer(Peer):
    """Sends the third seat another share that is as right, under another key."""

    def take_effects(self) -> list[Effect]:
        return [self._other(effect) for effect in super().take_effects()]

    def _other(self, effect: Effect) -> Effect:
        if not isinstance(effect, SendFrame) or not isinstance(effect.frame, Signed):
            return effect
        if effect.seat != 2 or effect.frame.kind is not BodyKind.SHARE:
            return effect
        share = Entry.parse(effect.frame)
        step, slots = self.ledger.chain.feed.shares[-1].step, self.ledger.chain.slots
        c = contribution(self.seed, slots.origin_of(self.seat), Stream.CARDS, step.slot)
        secret = bytes(range(32))
        sealed = seal(secret, step.key, c, share_context(slots.game, share.height, step))
        place = share.attempt, share.height, share.prev
        load = Share(exchange_public_key(secret), sealed)
        return SendFrame(2, Entry.sign(self.signer, *place, self.seat, load).signed)


class Framer(TwoSharer):
    """Sends the second looker a wrong share, and all others the right one."""

    def _other(self, effect: Effect) -> Effect:
        if not isinstance(effect, SendFrame) or not isinstance(effect.frame, Signed):
            return effect
        if effect.seat != 1 - self.seat or effect.frame.kind is not BodyKind.SHARE:
            return effect
        share = Entry.parse(effect.frame)
        assert isinstance(share.payload, Share)
        place = share.attempt, share.height, share.prev
        load = replace(share.payload, sealed=bytes(len(share.payload.sealed)))
        return SendFrame(effect.seat, Entry.sign(self.signer, *place, self.seat, load).signed)


def test_a_key_that_no_share_can_be_sealed_for_is_no_answer() -> None:
    with pytest.raises(BadBytes):
        parse_answer((12, bytes(32)))


def table_with(make: dict[int, Callable[..., Peer]]) -> TestTable:
    table = TestTable(players=3, seed="m")
    table.fronts = {n: Looker(f"looker {n}") for n in range(3)}
    table.make_peer = {n: make.get(n, Peer) for n in range(3)}
    return table


async def until_both_have_looked(table: TestTable) -> None:
    """Or until somebody has cheated and everything has stopped."""

    async def watch() -> None:
        while not all(table.front(n).seen(TopRevealed) for n in (0, 1)):
            if any(table.front(n).seen(Cheated) for n in range(3)):
                return
            await trio.sleep(0.01)
        await trio.sleep(1)
        for n in range(3):
            table.front(n).control(LeaveTable())

    await table.run(watch)


async def test_both_see_the_same_card_and_nobody_else_does() -> None:
    table = table_with({})
    await until_both_have_looked(table)
    first, second = (table.front(n).seen(TopRevealed)[0] for n in (0, 1))
    assert first == second
    assert not table.front(2).seen(TopRevealed)
    assert not any(table.front(n).seen(Cheated) for n in range(3))


async def test_who_plays_the_seat_of_an_absent_looker_cannot_open_its_share_and_blames_nobody() -> (
    None
):
    table = table_with({})

    async def watch() -> None:
        while not all(table.front(n).seen(TopRevealed) for n in (0, 1)):
            await trio.sleep(0.01)
        table.front(1).control(LetBotPlay())
        await trio.sleep(5)
        for n in (0, 2):
            table.front(n).control(LeaveTable())

    await table.run(watch)
    assert table.front(2).seen(LineUpBegun)
    assert not any(table.front(n).seen(Cheated) for n in range(3))


async def named_by_all(cheat: type[Peer]) -> set[CheatKind]:
    """What the one who cheats is named for, and nobody else; the honest finish."""
    for seat in (0, 1):  # whoever of the two looks second
        table = table_with({seat: cheat})
        await until_both_have_looked(table)
        named = [
            notice
            for n in range(3)
            for notice in table.front(n).seen(Cheated)
            if isinstance(notice, Cheated)
        ]
        if not named:
            continue  # the other one looked first
        assert {notice.seat for notice in named} == {seat}
        honest = {0, 1, 2} - {seat}
        assert all(table.front(n).seen(it) for n in honest for it in (Cheated, EvidenceKept))
        assert {table.endings[n].kind for n in honest} == {EndKind.FINISHED}
        return {notice.kind for notice in named}
    pytest.fail("nobody cheated")


@pytest.mark.parametrize(
    "liar", [WrongSharer, FalseAccuser, OtherKey], ids=["share", "blame", "blame with another key"]
)
async def test_a_seat_that_lies_about_a_share_is_named_by_all(liar: type[Peer]) -> None:
    assert await named_by_all(liar) == {CheatKind.WRONG_SHARE}


async def test_a_share_that_does_not_open_shows_no_card() -> None:
    cards, blamed = range(len(SECOND.deck())), 0
    for seat in (0, 1):
        table = table_with({seat: WrongSharer})
        await until_both_have_looked(table)
        shown = [notice.card for n in range(3) for notice in table.front(n).seen(TopRevealed)]
        assert all(card in cards for card in shown)
        blamed += len(table.front(1 - seat).seen(Cheated))
    assert blamed


@pytest.mark.parametrize("cheat", [TwoSharer, Framer])
async def test_a_seat_that_shares_twice_is_named_by_all(cheat: type[Peer]) -> None:
    """Whoever blames the share that he has was not the one to whom another was given."""
    assert CheatKind.EQUIVOCATION in await named_by_all(cheat)
