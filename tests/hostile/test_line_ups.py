"""Keepers that cheat in a change of who plays: classes of attacks that votes fell to once."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

import pytest

from kotp2p.game.steps import Solo
from kotp2p.game.verify import Report, Result, verify_log
from kotp2p.lineup.attempts import Attempts
from kotp2p.lineup.plan import find_line_up
from kotp2p.referee.model.answers import Pass, Reroll, Seat
from kotp2p.referee.model.decisions import RollDecision
from kotp2p.seams.notices import AskedBecause, Notice, ReturnAsked
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import MAX_ATTEMPT, Answering, BodyKind, Entry, Opening, Signed
from kotp2p.wire.frames import Frame, Ping
from kotp2p.wire.genesis import Clocks
from kotp2p.wire.lineups import Change, Here, LineUp, Plan, Ready, Reason, sign_wish
from tests.support.five_players import SIGNERS, genesis
from tests.support.wired_peers import Tamper, WiredPeers
from tests.tools.sim.mesh import Mesh, log_bytes
from tests.tools.sim.people import People, Person
from tests.tools.sim.promises import Promises
from tests.tools.sim.signed_table import sign_table


@dataclass
class LineUpTable:
    """All play, and go on without who is late, until the test does something else."""

    keepers: int
    seed: int = 0
    hostile: frozenset[Seat] = frozenset()
    shown: dict[Seat, list[Notice]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        chance = Random(f"table of line-ups {self.seed}")
        table = sign_table(chance, self.keepers, self.keepers, "second", Clocks(0, 0), ())
        self.mesh = mesh = Mesh(table, chance, 0.02)
        self.promises = Promises(mesh, frozenset(range(self.keepers)) - self.hostile)
        persons = {k: Person(k, 0.5, 1.0, 0.0, looks=False) for k in range(self.keepers)}
        self.people = People(mesh, chance, persons, "easy")
        mesh.on_notice.append(lambda p, n: self.shown.setdefault(p.keeper, []).append(n))
        for keeper in range(self.keepers):
            mesh.begin(keeper)
        mesh.run_until(2.0)

    @property
    def game(self) -> bytes:
        return self.mesh.table.genesis.id

    def signer(self, keeper: Seat) -> Signer:
        return self.mesh.table.signers[keeper]

    def ledger(self, keeper: Seat):  # type: ignore[no-untyped-def]
        return self.mesh.processes[keeper].peer.ledger

    def tell(self, keeper: Seat, signed: Signed, *to: Seat) -> None:
        for other in to or [k for k in range(self.keepers) if k != keeper]:
            self.mesh.send(self.mesh.processes[keeper], other, signed)

    def run(self, seconds: float) -> None:
        self.mesh.run_until(self.mesh.now + seconds)

    def play_to_the_end(self) -> None:
        present = self.promises.present

        def is_over() -> bool:
            return all(process.ended is not None for process in present())

        self.mesh.run_until(self.mesh.now + 5000, is_over)
        self.promises.judge(Random(0))
        assert self.promises.found == []
        assert is_over()

    def report(self, keeper: Seat) -> Report:
        return verify_log(log_bytes(self.mesh.table, self.mesh.processes[keeper].disk))

    def reasons(self, keeper: Seat) -> list[tuple[Seat, str]]:
        """Return what the line-ups that have begun at a keeper say of keepers, in their order."""
        return [
            (change.keeper, change.reason.name)
            for begun in self.ledger(keeper).chain.begun
            for change in begun.lineup.plan
        ]


MALLORY = 2
LATER = b"\0\0\0\1" + bytes(4)


def own_line_up(table: LineUpTable, attempt: int, plan: Plan) -> tuple[Signed, Signed]:
    """Return a READY and an assent of Mallory for a line-up that nobody else finds."""
    ledger, signer = table.ledger(MALLORY), table.signer(MALLORY)
    lineup = LineUp.build(
        table.game, attempt, ledger.roster.lineup, (ledger.height, ledger.head),
        ledger.chain.feed.position_digest(), plan, (),
    )  # fmt: skip
    ready = Ready.sign(signer, table.game, MALLORY, attempt, lineup.id, bytes(8))
    return ready.signed, lineup.signed({MALLORY: lineup.assent(signer)})


def test_after_a_farewell_one_of_two_does_not_go_on_alone() -> None:
    table = LineUpTable(3, hostile=frozenset({MALLORY}))
    table.mesh.do(table.mesh.processes[1], lambda peer: peer.give_up(table.mesh.now))
    table.promises.left.add(1)
    table.run(2)
    for attempt in range(table.ledger(MALLORY).attempt + 1, 40):
        for signed in own_line_up(table, attempt, (Change(0, Reason.ABSENT),)):
            table.tell(MALLORY, signed)
    wish = sign_wish(table.signer(MALLORY), table.game, MALLORY, 9, without=(0,))
    table.tell(MALLORY, wish.signed)
    table.play_to_the_end()
    assert (0, "ABSENT") not in table.reasons(0)
    report = table.report(0)
    assert report.result is Result.SOUND
    assert 0 in report.confirmed_by


def test_sixty_four_line_ups_of_one_keeper_at_one_seat_keep_nobody_apart() -> None:
    table = LineUpTable(4, hostile=frozenset({MALLORY}))
    for attempt in range(1, 65):
        for signed in own_line_up(table, attempt, (Change(3, Reason.ABSENT),)):
            table.tell(MALLORY, signed, 0)
    table.run(1)
    table.mesh.do(table.mesh.processes[1], lambda peer: peer.give_up(table.mesh.now))
    table.promises.left.add(1)
    table.play_to_the_end()
    assert table.ledger(0).roster.lineup == table.ledger(3).roster.lineup
    assert (1, "LEFT") in table.reasons(0)
    assert (3, "ABSENT") not in table.reasons(0)


Said = tuple[Seat, int, bytes]
"""Who is told, the attempt, and the line-up."""


def made_up(attempts: dict[Seat, Attempts], now: float, chance: Random) -> Iterable[Said]:
    """Who has moved last is called further up than the others."""
    last = max(attempts, key=lambda k: attempts[k]._came_at)
    top = max(each.attempt for each in attempts.values())
    due = min(each._came_at + each._wait for each in attempts.values()) - 0.15
    if now > max(due, attempts[last]._came_at + 0.4):
        for k in attempts:
            yield k, top + 1 + (k == last), bytes(32)


def right(attempts: dict[Seat, Attempts], now: float, chance: Random) -> Iterable[Said]:
    """Each is told of an attempt of its own, where it then finds all to be READY."""
    for k, each in attempts.items():
        if each.own is not None and (found := each._found[1]) and chance.random() < 0.1:
            attempt = each.attempt + chance.randint(1, 8)
            yield k, attempt, found.in_attempt(attempt, each.ledger.genesis.id).id


def flood(attempts: dict[Seat, Attempts], now: float, chance: Random) -> Iterable[Said]:
    """Each finds somebody else READY in all attempts in which it would be READY, too."""
    for k, each in attempts.items():
        if each.own is not None and (found := each._found[1]):
            for attempt in range(max(each._used()) + 1, max(each._used()) + 9):
                yield k, attempt, found.in_attempt(attempt, each.ledger.genesis.id).id


@pytest.mark.parametrize(("keepers", "say"), [(5, made_up), (6, made_up), (5, right), (5, flood)])
def test_readies_that_one_alone_hears_keep_nobody_apart(
    keepers: int, say: Callable[[dict[Seat, Attempts], float, Random], Iterable[Said]]
) -> None:
    """They never met, or put one of them out."""
    mallory, leaver, honest = keepers - 1, keepers - 2, range(keepers - 2)
    table = LineUpTable(keepers, hostile=frozenset({mallory}))
    table.mesh.processes[mallory].sends = lambda _to, frame: [*no_line_ups(0, frame)]
    for keeper in honest:  # of its words nothing is passed on any more
        table.mesh.processes[keeper].peer.gossip.budgets.of(mallory).relays.charge(9999, 0.0)
    attempts = {k: table.mesh.processes[k].peer.attempts for k in honest}
    table.mesh.do(table.mesh.processes[leaver], lambda peer: peer.give_up(table.mesh.now))
    table.promises.left.add(leaver)
    for _ in range(1600):
        table.run(0.05)
        for k, attempt, name in say(attempts, table.mesh.now, table.mesh.chance):
            said = (table.game, mallory, attempt, name, bytes(8))
            table.tell(mallory, Ready.sign(table.signer(mallory), *said).signed, k)
    assert set(table.reasons(0)) == {(leaver, "LEFT"), (mallory, "ABSENT")}
    assert attempts[0].attempt < 200
    table.play_to_the_end()


@pytest.mark.parametrize("reason", [Reason.ABSENT, Reason.LEFT, Reason.CHEATED])
def test_a_line_up_of_one_far_above_all_others_binds_nobody(reason: Reason) -> None:
    table = LineUpTable(4, hostile=frozenset({MALLORY}))
    _, assent = own_line_up(table, 99_999, tuple(Change(k, reason) for k in (0, 1, 3)))
    table.tell(MALLORY, assent)
    table.run(0.3)
    assert all(table.mesh.processes[k].peer.attempts.own is None for k in (0, 1, 3))


def test_an_assent_to_what_one_alone_was_made_to_find_holds_up_nobody() -> None:
    """That one was READY, and is bound by nobody: it waited for the others until it was out."""
    table = LineUpTable(4, hostile=frozenset({MALLORY}))
    mesh, signer = table.mesh, table.signer(MALLORY)
    mesh.processes[MALLORY].hears = lambda _from, frame: [*no_line_ups(0, frame)]
    away, taken_back = (
        sign_wish(signer, table.game, MALLORY, 8 + n, is_away=not n).signed for n in range(2)
    )
    for keeper in (0, 1, 3):
        deliver(table, keeper, taken_back if keeper else away)
    found = mesh.processes[0].peer.attempts._found[1]
    assert found is not None
    for signed in (found.signed({MALLORY: found.assent(signer)}), taken_back):
        deliver(table, 0, signed)
    stopped_at = table.ledger(0).height
    table.run(30)
    assert table.ledger(0).height > stopped_at + 10


def deliver(table: LineUpTable, keeper: Seat, signed: Signed) -> None:
    """Mallory's words come at once."""
    now = table.mesh.now
    for act in (lambda p: p.receive_frame(MALLORY, signed, now), lambda p: p.tick(now)):
        table.mesh.do(table.mesh.processes[keeper], act)


def test_readies_to_line_ups_with_assents_are_not_kept_without_end() -> None:
    table = LineUpTable(3, hostile=frozenset({MALLORY}))
    attempts, signer = table.mesh.processes[0].peer.attempts, table.signer(MALLORY)
    for number in range(100):
        said, assent = own_line_up(table, 99, (Change(0, Reason.BACK, number.to_bytes(8)),))
        ready = Ready.parse(said, table.game)
        attempts.ledger.accept_line_up(assent)
        attempts.accept_ready(ready)
        other = Ready.sign(signer, table.game, MALLORY, 100 + number, ready.lineup, bytes(8))
        attempts.accept_ready(other)
    assert len(attempts.bodies_for_new_link()) < 40


def test_what_binds_a_member_is_told_once_however_often_it_assents() -> None:
    """Two of six that never assented themselves made the others tell a hundred times as much."""
    table = LineUpTable(4)
    attempts, ledger = table.mesh.processes[0].peer.attempts, table.ledger(0)
    for attempt in range(1, 12):
        lineup = find_line_up(ledger, (Change(MALLORY, Reason.ABSENT),), attempt)
        ledger.accept_line_up(lineup.signed({1: lineup.assent(table.signer(1))}))
        for keeper in (0, 1, 3):
            said = (table.game, keeper, attempt, lineup.id, bytes(8))
            attempts.accept_ready(Ready.sign(table.signer(keeper), *said))
    attempts.advance(table.mesh.now)
    assert attempts.own is not None
    assert {Ready.parse(signed, table.game).attempt for signed in attempts.reasons()} == {11}


def test_who_always_begins_the_lower_one_of_two_line_ups_is_out_after_two_minutes() -> None:
    """All others have signed both and wait for it: what it owes is its assent to the upper."""
    table = LineUpTable(4, hostile=frozenset({MALLORY}))
    signer, mesh = table.signer(MALLORY), table.mesh
    others, mallory = {0, 1, 3}, mesh.processes[MALLORY]
    mallory.sends = mallory.hears = lambda _seat, frame: [frame] if isinstance(frame, Ping) else []
    table.tell(MALLORY, Here.sign(signer, table.game, MALLORY, LATER).signed)
    while mesh.now < 120 and MALLORY in table.ledger(0).roster.members:
        table.run(0.8)
        ledger, own = table.ledger(0), mesh.processes[0].peer.attempts.own
        if own is not None:
            said = own.attempt, own.lineup, LATER
            table.tell(MALLORY, Ready.sign(signer, table.game, MALLORY, *said).signed)
        above = ledger.assents_above(ledger.attempt)
        waiting = [up for up in above if others <= ledger.seals[up.id].keys()]
        if len(waiting) > 1:
            lower = min(waiting, key=lambda lineup: lineup.rank)
            table.tell(MALLORY, lower.signed({MALLORY: lower.assent(signer)}))
    assert len(table.ledger(0).chains) > 9
    assert table.ledger(0).roster.members == others


def silent_mallory() -> tuple[LineUpTable, Callable[[int], Signed]]:
    """It has said HERE once, and is READY to nothing, so that T is long."""
    table = LineUpTable(4, hostile=frozenset({MALLORY}))
    mallory, signer = table.mesh.processes[MALLORY], table.signer(MALLORY)
    mallory.sends = mallory.hears = lambda _seat, frame: [frame] if isinstance(frame, Ping) else []

    def here(number: int) -> Signed:
        return Here.sign(signer, table.game, MALLORY, number.to_bytes(4) + bytes(4)).signed

    table.tell(MALLORY, here(1))
    table.run(31)
    return table, here


@pytest.mark.parametrize(("says_ready", "seconds"), [(True, 0.2), (False, 1.2)])
def test_who_alone_hears_of_four_processes_is_soon_ready(says_ready: bool, seconds: float) -> None:
    """It stayed READY to the third of them for 16 s, again and again, and was out for that."""
    table, here = silent_mallory()
    for number in (2, 3, 4):
        deliver(table, 0, here(number))
    for keeper in (0, 1, 3):
        deliver(table, keeper, here(5))
    if says_ready:
        own = table.mesh.processes[1].peer.attempts.own
        assert own is not None
        said = own.attempt, own.lineup, (5).to_bytes(4) + bytes(4)
        table.tell(MALLORY, Ready.sign(table.signer(MALLORY), table.game, MALLORY, *said).signed)
    table.run(seconds)
    assert table.mesh.processes[1].peer.attempts.ready_like_this() >= {0, 1, 3}


def test_who_finds_something_else_does_not_go_up_with_one_alone() -> None:
    """The others may not follow so far for as long as T."""
    table, here = silent_mallory()
    deliver(table, 0, here(2))
    attempts = [table.mesh.processes[k].peer.attempts for k in (0, 1)]
    far = attempts[0].attempt + 40, bytes(32), bytes(8)
    deliver(table, 0, Ready.sign(table.signer(MALLORY), table.game, MALLORY, *far).signed)
    for keeper in (0, 1, 3):
        deliver(table, keeper, here(3))
    assert attempts[0].attempt < attempts[1].attempt + 8


def not_its_own_wish(_source: Seat, frame: Frame) -> list[Frame]:
    is_own = isinstance(frame, Signed) and frame.kind is BodyKind.WISH
    return [] if is_own else [frame]


def test_who_wants_a_bot_to_play_and_comes_back_is_not_let_back() -> None:
    table = LineUpTable(4, hostile=frozenset({MALLORY}))
    table.mesh.processes[MALLORY].hears = not_its_own_wish
    wish = sign_wish(table.signer(MALLORY), table.game, MALLORY, 9, is_away=True)
    table.tell(MALLORY, wish.signed)
    table.run(20)
    assert table.reasons(0) == [(MALLORY, "ABSENT")]


def test_who_refuses_a_roll_is_named_and_a_bot_plays_its_seat() -> None:
    table = LineUpTable(3, hostile=frozenset({MALLORY}))

    def refuse(_to: Seat, frame: Frame) -> list[Frame]:
        is_entry = isinstance(frame, Signed) and frame.kind is BodyKind.PLAY
        if is_entry and isinstance(Entry.parse(frame).payload, Opening):
            return []
        return [frame]

    table.mesh.processes[MALLORY].sends = refuse
    table.play_to_the_end()
    changes = [change for change in table.report(0).changes if change.refused]
    assert changes
    assert {change.keeper for change in changes} == {MALLORY}


# -- accomplices -----------------------------------------------------------------------------------

# A hostile keeper keeps its READY and assents back, or its openings too, to keep a convict in the
# game.


CONVICT, ACCOMPLICE = 3, 4


def heartbeats_alone(_seat: Seat, frame: Frame) -> Iterable[Frame]:
    return () if isinstance(frame, Signed) and frame.kind is not BodyKind.HEAD else (frame,)


def no_line_ups(_seat: Seat, frame: Frame) -> Iterable[Frame]:
    kept_back = (BodyKind.READY, BodyKind.LINE_UP)
    return () if isinstance(frame, Signed) and frame.kind in kept_back else (frame,)


def no_assents(_seat: Seat, frame: Frame) -> Iterable[Frame]:
    return () if isinstance(frame, Signed) and frame.kind is BodyKind.LINE_UP else (frame,)


def roll_of(table: WiredPeers, *seats: Seat) -> bool:
    ledger = table.peers[0].ledger
    asked = isinstance(ledger.game.pending, RollDecision)
    return asked and isinstance(ledger.step, Solo) and ledger.step.seat in seats


def convict_that_answers_twice(tamper: Tamper) -> WiredPeers:
    table = WiredPeers(CONVICT, ACCOMPLICE)
    table.play(lambda: roll_of(table, CONVICT))
    ledger = table.peers[0].ledger
    place, head = ledger.place, ledger.head
    table.tamper[ACCOMPLICE] = tamper
    table.silent.add(CONVICT)
    for answer in (Pass(), Reroll((0,))):
        entry = Entry.sign(SIGNERS[CONVICT], *place, head, CONVICT, Answering(answer))
        table.send(CONVICT, [entry.signed])
    table.deliver()
    assert all(CONVICT in table.accused[seat] for seat in table.honest)
    return table


@pytest.mark.parametrize("tamper", [heartbeats_alone, no_line_ups, no_assents])
def test_three_of_five_go_on_without_a_cheat_and_its_accomplice(tamper: Tamper) -> None:
    table = convict_that_answers_twice(tamper)
    table.play(lambda: all(ACCOMPLICE in table.offered(seat) for seat in table.honest))
    table.go_on()
    table.play_on(6)
    table.check_convicted(CONVICT)
    assert table.members() == {*table.honest}
    assert ACCOMPLICE in table.alive()  # a bot plays for it
    table.check_honest()


def test_an_accomplice_that_plays_its_part_is_not_put_out() -> None:
    table = convict_that_answers_twice(lambda _seat, frame: (frame,))
    table.play_on(6)
    table.check_convicted(CONVICT)
    assert table.members() == {*table.honest, ACCOMPLICE}
    table.check_honest()


def test_an_accomplice_that_is_convicted_where_nobody_asked_it_holds_up_nobody() -> None:
    """Its offence proves nothing at the place of the other cheat."""
    table = WiredPeers(CONVICT, ACCOMPLICE)
    table.tamper[ACCOMPLICE] = no_line_ups
    table.play(lambda: roll_of(table, *table.honest))
    ledger = table.peers[0].ledger
    attempt, height = ledger.place
    twice, offence = (
        Entry.sign(SIGNERS[seat], attempt, at, ledger.heads[at], seat, Answering(Pass()))
        for seat, at in ((CONVICT, height - 1), (ACCOMPLICE, height))
    )
    table.send(ACCOMPLICE, [offence.signed])
    table.send(CONVICT, [twice.signed])
    table.deliver()
    table.play_on(6)
    table.check_convicted(CONVICT, ACCOMPLICE)
    assert ledger.attempt > 0
    table.check_honest()


# -- one keeper among five that wants no line-up to begin ------------------------------------------

RESTLESS = 4


def instance(epoch: int) -> bytes:
    return (epoch << 32).to_bytes(8, "big")


def here(epoch: int) -> Signed:
    return Here.sign(SIGNERS[RESTLESS], genesis().id, RESTLESS, instance(epoch)).signed


def second(table: WiredPeers) -> None:
    table.deliver()
    table.answer()
    table.wait(1)


def is_offered(table: WiredPeers) -> bool:
    return all(RESTLESS in table.offered(seat) for seat in table.honest)


def test_who_has_come_back_takes_a_wish_back_that_another_has_kept() -> None:
    """The other has heard it from a third, after the link to its author was made."""
    table = LineUpTable(3)
    wish = sign_wish(table.signer(1), table.game, 1, 9, is_away=True)
    table.tell(2, wish.signed, 0)
    table.run(1)
    assert not table.mesh.processes[0].peer.facts.wishes[1].is_away


def playing_table() -> WiredPeers:
    table = WiredPeers(RESTLESS)
    table.play(lambda: table.heights()[0] > 10)
    return table


def test_a_keeper_that_is_out_and_says_here_without_end_stops_the_others_for_five_minutes() -> None:
    table = WiredPeers(RESTLESS)
    table.tamper[RESTLESS] = lambda _seat, _frame: ()
    table.play(lambda: is_offered(table))
    table.go_on()
    table.play_on(2)
    assert table.members() == {*table.honest}
    stopped_at = table.heights()[0]
    for seconds in range(320):
        if seconds % 9 == 0:
            ready = Ready.sign(
                SIGNERS[RESTLESS], genesis().id, RESTLESS, MAX_ATTEMPT, bytes([seconds % 256] * 32),
                instance(1 + seconds),
            )  # fmt: skip
            table.send(RESTLESS, [here(1 + seconds), ready.signed])
        second(table)
        if seconds == 200:
            assert table.heights()[0] < stopped_at + 5
    assert table.heights()[0] > stopped_at + 10
    assert table.peers[0].attempts.attempt < 1000
    for seat in table.honest:
        asked = [n for n in table.shown[seat] if isinstance(n, ReturnAsked)]
        assert asked[-1] == ReturnAsked(RESTLESS, AskedBecause.HELD_UP)
    table.check_honest()


def test_the_others_go_on_without_a_member_that_says_here_without_end() -> None:
    table = playing_table()
    for seconds in range(120):
        for more in range(3):
            table.send(RESTLESS, [here(1 + 3 * seconds + more)])
            table.deliver()
        second(table)
        if is_offered(table):
            table.go_on()
        if table.members() == {*table.honest}:
            break
    assert table.members() == {*table.honest}
    assert RESTLESS in table.alive()
    table.check_honest()


def test_who_owes_a_decision_and_comes_back_without_end_is_late() -> None:
    """Its time does not begin anew with the rows that close for each return."""
    table = playing_table()
    table.play(lambda: roll_of(table, RESTLESS))
    table.silent.add(RESTLESS)
    peer = table.peers[RESTLESS]
    for seconds in range(200):
        if table.members() == {*table.honest}:
            break
        if seconds % 8 == 0:
            peer.returning.take_new_instance()
            peer.attempts.instance = peer.returning.instance
            peer.returning.say_here()
            peer.tick(table.now)
            table.perform(RESTLESS)
        second(table)
        for seat in table.honest:
            if RESTLESS in table.offered(seat):
                table.go_on(seat)
    assert table.members() == {*table.honest}
    table.check_honest()


def test_an_opening_that_one_alone_has_been_shown_keeps_nobody_apart() -> None:
    table = playing_table()
    table.play(lambda: roll_of(table, 0))

    def to_seat_0(seat: Seat, frame: Frame) -> Iterable[Frame]:
        is_shown = isinstance(frame, Signed) and frame.kind is BodyKind.PLAY and seat == 0
        return (frame,) if is_shown else ()

    table.tamper[RESTLESS] = to_seat_0
    table.send(RESTLESS, [here(1)], [2])  # it is READY before it hears of the roll, and opens none
    asked = table.asked.pop(0)
    table.peers[0].accept_answer(asked.place, asked.seat, Reroll((0,)), table.now)
    table.perform(0)
    table.play(lambda: is_offered(table))
    table.go_on()
    table.play_on(2)
    assert table.members() == {*table.honest}
    table.check_honest()


def test_players_that_resume_do_not_blame_each_other_for_one_that_says_here_without_end() -> None:
    evening = playing_table()
    table = WiredPeers(RESTLESS, logs=evening.records)
    said = 1
    for _ in range(120):
        for _ in range(3):
            for seat in table.honest:
                said += 1
                table.send(RESTLESS, [here(said)], [seat])
            table.deliver()
        second(table)
        assert all(set(table.offered(seat)) <= {RESTLESS} for seat in table.honest)
        if is_offered(table):
            table.go_on()
        if table.members() == {*table.honest}:
            break
    assert table.members() == {*table.honest}
    table.check_honest()


class Whisperer:
    """A hostile keeper that says so much that little of it is passed on, and one thing to one."""

    def __init__(self) -> None:
        self.table = playing_table()
        self.table.tamper[RESTLESS] = no_line_ups
        self._serial = 0
        self._said: set[tuple[Seat, bytes]] = set()
        self.chatter(20)

    def chatter(self, times: int = 3) -> None:
        for _ in range(times):
            self._serial += 1
            wish = sign_wish(SIGNERS[RESTLESS], genesis().id, RESTLESS, self._serial)
            self.table.send(RESTLESS, [wish.signed])
        self.table.deliver()

    def ready_like(self, seat: Seat, epoch: int, *to: Seat) -> Ready | None:
        own = self.table.peers[seat].attempts.own
        if own is None or (seat, own.signed.body) in self._said:
            return None
        self._said.add((seat, own.signed.body))
        said = (own.attempt, own.lineup, instance(epoch))
        ready = Ready.sign(SIGNERS[RESTLESS], genesis().id, RESTLESS, *said)
        self.table.send(RESTLESS, [ready.signed], to)
        return ready

    def until_offered(self, act: Callable[[], None], seconds: int = 100) -> None:
        for _ in range(seconds):
            self.chatter()
            act()
            second(self.table)
            if is_offered(self.table):
                break
        assert {*self.table.honest} <= self.table.members()
        self.table.go_on()
        for _ in range(60):  # they may have to meet in a later attempt
            self.chatter()
            act()
            second(self.table)
            if self.table.members() == {*self.table.honest}:
                break
        assert self.table.members() == {*self.table.honest}
        self.table.check_honest()


def test_another_process_for_each_of_the_others_keeps_them_apart_for_a_minute() -> None:
    whisperer = Whisperer()
    honest = whisperer.table.honest
    for seat in honest:
        whisperer.table.send(RESTLESS, [here(1 + seat)], [seat])

    def whisper() -> None:
        for seat in honest:
            whisperer.ready_like(seat, 1 + seat, seat)

    whisperer.until_offered(whisper)


@pytest.mark.parametrize("others_hear", ["nothing", "attempts far ahead", "another line-up"])
def test_who_is_ready_for_one_alone_puts_that_one_out_of_no_game(others_hear: str) -> None:
    whisperer = Whisperer()
    table, signer = whisperer.table, SIGNERS[RESTLESS]
    table.send(RESTLESS, [here(1)])
    others = [seat for seat in table.honest if seat != 0]
    far = (MAX_ATTEMPT - 1, MAX_ATTEMPT) if others_hear == "attempts far ahead" else ()
    for attempt in far:
        ready = Ready.sign(signer, genesis().id, RESTLESS, attempt, bytes(32), instance(1))
        table.send(RESTLESS, [ready.signed], others)
    table.deliver()

    def whisper() -> None:
        ready = whisperer.ready_like(0, 1, 0)
        if ready is not None and others_hear == "another line-up":
            other = Ready.sign(
                signer, genesis().id, RESTLESS, ready.attempt, bytes(32), instance(1)
            )
            table.send(RESTLESS, [other.signed], others)
        table.deliver()

    whisperer.until_offered(whisper)


def without_seat_0() -> WiredPeers:
    """Nothing comes from it, and all others would go on without it."""
    table = playing_table()
    table.unplug(0)
    table.play(lambda: all(0 in table.offered(seat) for seat in (1, 2, 3)))
    return table


def where_seat_0_is_out() -> WiredPeers:
    table = without_seat_0()
    table.go_on(1, 2, 3, RESTLESS)
    table.play(lambda: 0 not in table.peers[1].ledger.roster.members)
    return table


def test_one_that_holds_back_its_part_does_not_keep_out_who_wants_to_come_back() -> None:
    table = where_seat_0_is_out()
    table.tamper[RESTLESS] = no_line_ups
    table.plug_in(0)
    table.play(lambda: all(RESTLESS in table.offered(seat) for seat in (1, 2, 3)))
    table.go_on(1, 2, 3)
    table.play_on(2)
    assert table.members() == {*table.honest}
    told = [n for seat in (1, 2, 3) for n in table.shown[seat] if isinstance(n, ReturnAsked)]
    assert {notice.seat for notice in told} <= {RESTLESS}


def test_who_is_awaited_is_not_charged_for_the_sleep_of_another_machine() -> None:
    table = where_seat_0_is_out()
    table.tamper[0] = no_line_ups
    table.plug_in(0)
    table.play(lambda: 0 in table.peers[1].facts.heres)
    table.wait(2)
    table.now += 900
    table.wait(2)
    assert not any(isinstance(n, ReturnAsked) for n in table.shown[1])


def test_one_member_far_ahead_does_not_take_who_comes_back_away_from_the_others() -> None:
    table = where_seat_0_is_out()
    ready = Ready.sign(SIGNERS[RESTLESS], genesis().id, RESTLESS, 100_000, bytes(32), bytes(8))
    table.tamper[RESTLESS] = heartbeats_alone
    table.plug_in(0)
    table.wait(1)
    table.send(RESTLESS, [ready.signed], (0,))
    table.wait(8)
    attempts = [table.peers[seat].attempts.attempt for seat in (0, 1)]
    assert attempts[0] <= attempts[1] + 8


def test_what_a_player_thinks_is_not_charged_to_who_comes_back_meanwhile() -> None:
    table = without_seat_0()
    table.go_on(1, 2, 3, RESTLESS)
    ledger = table.peers[1].ledger
    table.play(lambda: 0 not in ledger.roster.members and ledger.owing_seats() == (1,))
    table.wait(310)
    table.plug_in(0)
    table.wait(3)
    assert 0 in ledger.roster.members
    assert not table.peers[1].absence.has_spent_account(0)


def test_who_comes_late_is_told_by_what_the_others_are_bound() -> None:
    """The plan that has bound them is none any more: the next line-up has an empty one."""
    table = without_seat_0()
    table.tamper[RESTLESS] = no_line_ups
    table.go_on(1, 2, 3, RESTLESS)
    own = table.peers[1].attempts.own
    assert own is not None
    said = [(own.attempt, own.lineup), *((own.attempt + n, bytes(32)) for n in (1, 2, 3))]
    for attempt, name in said:
        ready = Ready.sign(SIGNERS[RESTLESS], genesis().id, RESTLESS, attempt, name, bytes(8))
        table.send(RESTLESS, [ready.signed], (1, 2, 3))
        table.deliver()
    table.tamper[RESTLESS] = heartbeats_alone
    table.play(lambda: table.peers[1].attempts.attempt > own.attempt + 3)
    assert all(table.peers[seat].attempts.is_bound for seat in (1, 2, 3))
    table.send(RESTLESS, [sign_wish(SIGNERS[RESTLESS], genesis().id, RESTLESS, 99).signed])
    table.plug_in(0)
    table.play(lambda: RESTLESS in table.offered(1))
    assert {table.offered(seat) for seat in table.honest} == {(RESTLESS,)}
    table.go_on()
    table.play_on(2)
    assert table.members() == {*table.honest}


LEAVER = 3


@pytest.mark.parametrize("attempt", [10_000, MAX_ATTEMPT * 6 // 10])
def test_who_is_far_behind_comes_to_the_attempt_of_most_others(attempt: int) -> None:
    """It has come back, and the others have made attempts that came to nothing before."""
    table = playing_table()
    for seat in (1, 2, RESTLESS):
        table.peers[seat].attempts.attempt = attempt
    table.leave(LEAVER)
    table.wait(3)
    assert LEAVER not in table.peers[0].ledger.roster.members


def test_who_is_far_behind_hears_of_the_attempt_by_assents_alone() -> None:
    """It has just begun, and those that had signed them have, too, or are gone."""
    table = playing_table()
    far = find_line_up(table.peers[0].ledger, (Change(LEAVER, Reason.ABSENT),), 10_000)
    for seat in (1, 2, RESTLESS):
        table.tamper[seat] = heartbeats_alone
    table.send(RESTLESS, [far.signed({k: far.assent(SIGNERS[k]) for k in (1, 2, RESTLESS)})])
    table.leave(LEAVER)
    table.wait(3)
    assert table.peers[0].attempts.attempt >= far.attempt


def test_who_is_bound_signs_nothing_although_it_wants_a_bot_to_play() -> None:
    """Else its entry, and the assent that passes by the line-up of that entry, would convict it."""
    table, game = WiredPeers(RESTLESS), genesis().id
    table.play(lambda: roll_of(table, LEAVER))
    table.tamper[RESTLESS] = no_assents
    table.leave(LEAVER)
    table.deliver()
    (kept_back,) = table.peers[0].ledger.assents_above(0)
    table.play(lambda: table.peers[0].attempts.attempt > kept_back.attempt)
    own = table.peers[0].attempts.own
    assert own is not None
    ready = Ready.sign(SIGNERS[RESTLESS], game, RESTLESS, own.attempt, own.lineup, bytes(8))
    table.tamper[RESTLESS] = heartbeats_alone
    table.send(RESTLESS, [ready.signed])
    table.deliver()
    table.send(RESTLESS, [kept_back.signed({RESTLESS: kept_back.assent(SIGNERS[RESTLESS])})])
    table.deliver()
    assert table.peers[0].ledger.attempt == kept_back.attempt < table.peers[0].attempts.bound
    signed_before = table.records[0][:]
    table.peers[0].let_bot_play(table.now)
    table.wait(2)
    later = table.records[0][len(signed_before) :]
    assert not [signed for signed in later if signed.kind is BodyKind.PLAY]
    table.check_honest()
