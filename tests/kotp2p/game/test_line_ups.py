"""What a line-up does to a game, and which of several counts (PROTOCOL.md 9.2 and 9.3)."""

import itertools
import random
from dataclasses import replace

import pytest

from kotp2p.game import steps
from kotp2p.game.chain import Impossible, chain_at, part_names, parts_after
from kotp2p.game.ledger import MAX_LONE_LINE_UPS, Ledger, convict
from kotp2p.game.verify import Result, verify_log
from kotp2p.referee.model.answers import Pass, Reroll, Seat
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.referee.model.events import Eliminated
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import Answering, BodyKind, Entry, Opening, Signed, Witness
from kotp2p.wire.lineups import Change, CheatKind, CheatProof, Leave, LineUp, Reason
from tests.support.scribe import Scribe, gathering, opening_of, rolling
from tests.support.signed_games import log_of
from tests.support.two_verifiers import agree
from tests.tools.vector_logs import tables
from tests.tools.vector_table import fill

AGAIN = b"\0\0\0\1again"[:8]


def begun(people: int = 4, bots: int = 0) -> Scribe:
    scribe = Scribe(people, bots=bots)
    scribe.until(rolling)
    return scribe


def asked(scribe: Scribe) -> Seat:
    assert isinstance(scribe.ledger.step, steps.Solo)
    return scribe.ledger.step.seat


def others(scribe: Scribe, *out: Seat) -> list[Seat]:
    return [k for k in sorted(scribe.ledger.roster.members) if k not in out]


def at_open_gather(people: int = 4, *silent: Seat) -> Scribe:
    scribe = begun(people)
    scribe.until(gathering)
    for keeper in scribe.ledger.owing_seats():
        if keeper not in silent:
            scribe.take(scribe.entry(keeper))
    return scribe


# -- who plays -----------------------------------------------------------------------------------


def test_a_bot_keeps_the_seat_of_an_absent_keeper_and_its_monster_keeps_all_it_has() -> None:
    scribe = begun()
    gone = asked(scribe)
    before = scribe.ledger.game.state.monsters[gone]
    scribe.lose(gone)
    after = scribe.ledger.game.state.monsters[gone]
    assert (after.alive, after.hearts, after.points) == (True, before.hearts, before.points)
    assert scribe.ledger.roster.keepers[gone] == (gone + 1) % 4
    assert scribe.keeper(gone) == (gone + 1) % 4
    scribe.step()
    assert scribe.ledger.height > 0


def test_the_absent_keeper_cannot_sign_for_its_seat_any_more() -> None:
    scribe = begun()
    gone = asked(scribe)
    own = scribe.entry(gone)
    scribe.lose(gone)
    head = scribe.ledger.head
    moved = scribe.ledger.accept_entry(own)  # on the line that does not count any more
    assert moved is not None
    assert (moved.parts, scribe.ledger.head) == ([], head)


def test_who_leaves_takes_its_monster_out_and_no_other_one() -> None:
    scribe = begun(4, bots=1)  # the bot of seat 3 is kept by seat 0
    scribe.go(0)
    alive = scribe.ledger.game.state.seats_alive()
    assert 0 not in alive
    assert 3 in alive
    assert scribe.ledger.roster.keepers == (None, 1, 2, 1)


def test_the_seats_of_a_keeper_pass_on_to_the_next_clockwise_member_that_is_a_person() -> None:
    scribe = Scribe(4, automatic=[1])
    scribe.until(rolling)
    scribe.lose(0)
    assert scribe.ledger.roster.keepers[0] == 2
    height = scribe.ledger.height
    scribe.until(lambda ledger: ledger.chain.last_gather > height)
    scribe.lose(2)
    assert scribe.ledger.roster.keepers == (3, 1, 3, 3)


@pytest.mark.parametrize(("attempt", "begins"), [(4, False), (5, False), (6, True)])
def test_a_line_up_has_a_later_attempt_than_the_one_before(attempt: int, begins: bool) -> None:
    scribe = begun(5)
    scribe.change(Change(1, Reason.ABSENT), attempt=5)
    after = scribe.line_up(Change(2, Reason.ABSENT), attempt=attempt)
    scribe.take(scribe.assents(after))
    assert (after.id in scribe.ledger.chains) is begins


def test_who_leaves_at_the_end_changes_nothing_of_it() -> None:
    scribe = begun()
    scribe.until(lambda ledger: isinstance(ledger.game.pending, Over))
    alive, over = scribe.ledger.game.state.seats_alive(), scribe.ledger.game.pending
    scribe.go(alive[0])
    assert scribe.ledger.roster.out[alive[0]] is Reason.LEFT
    assert (scribe.ledger.game.state.seats_alive(), scribe.ledger.game.pending) == (alive, over)


def test_who_is_bound_raises_its_floor_as_soon_as_it_is_free() -> None:
    scribe = begun()
    before, scribe.ledger.is_bound = scribe.ledger.floor, True
    scribe.until(lambda ledger: ledger.chain.last_gather > before)
    assert scribe.ledger.floor == before
    scribe.ledger.note_free()
    assert scribe.ledger.floor == scribe.ledger.chain.last_gather


def test_who_is_back_has_its_own_seat_again_and_commits_first() -> None:
    scribe = begun()
    gone = asked(scribe)
    scribe.lose(gone)
    scribe.change(Change(gone, Reason.BACK, AGAIN))
    assert scribe.ledger.roster.keepers[gone] == gone
    step = scribe.ledger.step
    assert isinstance(step, steps.Committing)
    assert step.contributors == (gone,)
    assert set(step.witnesses) == set(others(scribe, gone))
    scribe.step()
    assert isinstance(scribe.ledger.step, steps.Solo)
    scribe.until(gathering)
    scribe.step()


def test_who_is_back_and_answers_before_it_has_committed_cheats() -> None:
    scribe = begun()
    gone = asked(scribe)
    scribe.lose(gone)
    scribe.change(Change(gone, Reason.BACK, AGAIN))
    with pytest.raises(steps.Cheat, match="another kind of entry is owed"):
        scribe.take(scribe.entry(gone, Answering(Pass())))


def test_only_an_absent_keeper_whose_monster_lives_can_be_back() -> None:
    scribe = begun()
    scribe.go(1)
    here = scribe.ledger.chain
    base, plan = (here.height, here.head), (Change(1, Reason.BACK, AGAIN),)
    back = LineUp.build(
        scribe.game, 9, here.roster.lineup, base, here.feed.position_digest(), plan, ()
    )
    scribe.ledger.accept_line_up(scribe.assents(back))
    assert scribe.ledger.roster.lineup != back.id
    assert not here.roster.can_be_back(0, (0, 2))  # it is there


def test_a_keeper_without_a_living_seat_stays_a_member_and_owes_that_it_is_there() -> None:
    scribe = begun(3)
    scribe.until(lambda ledger: len(ledger.game.state.seats_alive()) < 3 and gathering(ledger))
    step = scribe.ledger.step
    assert isinstance(step, steps.Gather)
    (dead,) = step.witnesses
    assert isinstance(scribe.entry(dead).payload, Witness)
    for keeper in step.contributors:
        scribe.take(scribe.entry(keeper))
    assert scribe.ledger.step is step  # the gather waits for the witness
    height = scribe.ledger.height
    scribe.take(scribe.entry(dead))
    assert scribe.ledger.height == height + 1


def test_a_witness_makes_two_players_enough_without_the_third() -> None:
    scribe = begun(3)
    scribe.until(lambda ledger: len(ledger.game.state.seats_alive()) < 3 and rolling(ledger))
    gone = asked(scribe)
    scribe.lose(gone)
    assert gone in scribe.ledger.game.state.seats_alive()


def test_a_ledger_shows_by_its_revision_that_it_knows_more_and_only_then() -> None:
    scribe = begun()
    absent = scribe.line_up(Change(1, Reason.ABSENT))
    for one in (scribe.leave(1), scribe.assents(absent, 2), scribe.assents(absent, 3)):
        for is_new in (True, False):
            before = scribe.ledger.revision
            scribe.take(one)
            assert (scribe.ledger.revision > before) is is_new


# -- enough ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("people", "absent", "enough"), [
    (2, 1, False), (3, 1, True), (3, 2, False), (4, 1, True), (4, 2, False), (5, 2, True),
    (5, 3, False),
])  # fmt: skip
def test_more_than_half_of_those_that_stay_go_on(people: int, absent: int, enough: bool) -> None:
    scribe = begun(people)
    plan = tuple(Change(k, Reason.ABSENT) for k in range(absent))
    assert scribe.ledger.chain.are_enough(plan) is enough


def test_who_has_left_does_not_count_for_the_rest() -> None:
    scribe = begun(4)
    scribe.go(0)
    scribe.step()
    plan = (Change(1, Reason.ABSENT),)
    assert scribe.ledger.chain.are_enough(plan)  # two of three


def test_until_a_gather_of_its_own_has_closed_a_line_up_is_not_counted_from_alone() -> None:
    """Else D and E could go on as two of three, while the others are three of five."""
    scribe = begun(5)
    scribe.lose(0, 1)  # 2, 3, 4 of five
    plan = (Change(2, Reason.ABSENT),)
    assert not scribe.ledger.chain.are_enough(plan)
    height = scribe.ledger.height
    scribe.until(lambda ledger: ledger.chain.last_gather > height)
    assert scribe.ledger.chain.are_enough(plan)


# -- an open gather --------------------------------------------------------------------------------


def test_leaving_after_opening_is_no_redraw() -> None:
    scribe = at_open_gather(4, 0)
    plain = at_open_gather(4, 0)
    plain.take(plain.entry(0))
    leaver = next(k for k in others(scribe, 0) if k != scribe.ledger.game.state.active)
    lineup = scribe.go(leaver)
    assert lineup.openings == (scribe.ledger.chain.gathered[leaver].id,)
    scribe.take(scribe.entry(0))
    assert scribe.ledger.head == plain.ledger.head


def test_who_is_put_out_while_it_owes_its_part_has_refused_a_roll_and_all_commit_anew() -> None:
    scribe = at_open_gather(4, 0)
    lineup = scribe.lose(0)
    assert lineup.openings is None
    assert scribe.ledger.chain.begun[-1].refused == (0,)
    step = scribe.ledger.step
    assert isinstance(step, steps.Committing)
    assert step.contributors == tuple(others(scribe))
    scribe.step()
    assert {scribe.ledger.chain.slots.origin_of(k) for k in others(scribe)} == {lineup.id}


def test_the_roll_of_a_player_who_leaves_is_no_roll_of_the_next_one() -> None:
    scribe = at_open_gather(4, 3)
    active = scribe.ledger.game.state.active
    assert active != 3
    assert scribe.go(active).openings is None


def test_a_bot_that_plays_on_has_the_roll_that_its_player_has_opened() -> None:
    scribe = at_open_gather(4, 3)
    active = scribe.ledger.game.state.active
    own = scribe.ledger.chain.gathered[active]
    assert scribe.lose(active).openings == (own.id,)


def test_an_opening_for_a_kept_gather_may_come_after_the_line_up_has_begun() -> None:
    scribe = at_open_gather(4, 0, 1)
    own = scribe.entry(0)
    leaver = next(k for k in others(scribe, 0, 1) if k != scribe.ledger.game.state.active)
    scribe.go(leaver)
    scribe.take(own)
    assert scribe.ledger.chain.gathered[0].id == own.id


def test_a_card_is_burnt_when_who_has_looked_or_takes_its_share_is_out_and_no_other() -> None:
    for gone in range(4):
        scribe = tables.at_second_look(4)
        step = scribe.ledger.step
        assert isinstance(step, steps.Sharing)
        scribe.lose(gone)
        assert (not scribe.ledger.game.state.seen_by) is (gone in (step.seat, step.taker))


def passed_by(more: int = 0) -> Scribe:
    """Keeper 3 owes its opening in a gather that line-up 6, or a later one, has kept.

    The gather began in line-up 1, which keeper 3 has passed by with its assent to line-up 3. That
    one never begins.
    """
    scribe = begun(4)
    assert asked(scribe) not in (2, 3)
    never = scribe.line_up(Change(1, Reason.ABSENT), attempt=3)
    scribe.take(scribe.assents(never, 3))
    scribe.change(Change(2, Reason.ABSENT), attempt=1)
    while isinstance(scribe.ledger.step, steps.Solo):
        assert scribe.keeper(asked(scribe)) != 3
        scribe.step()
    assert isinstance(scribe.ledger.step, steps.Gather)
    scribe.step(silent=(3,))
    again = Change(0, Reason.AGAIN, AGAIN)
    for attempt in range(6, 6 + more):
        scribe.take(scribe.assents(scribe.line_up(again, attempt=attempt), 3))
    scribe.change(again, attempt=6 + more)
    assert scribe.ledger.owing_seats() == (3,)
    return scribe


def named(entry: Entry, attempt: int, signer: Signer, payload: Opening | None = None) -> Entry:
    """The same, or another one, naming this attempt."""
    place = (attempt, entry.height, entry.prev, entry.seat)
    return Entry.sign(signer, *place, payload or entry.payload)


@pytest.mark.parametrize("more", [0, MAX_LONE_LINE_UPS + 1])
def test_who_has_assented_past_a_kept_gather_names_the_line_up_in_which_it_opens(more: int) -> None:
    """Also where so many assents have come after that one that it is kept no more."""
    scribe = passed_by(more)
    own = scribe.entry(3)
    assert own.attempt == 6 + more
    moved = scribe.ledger.accept_entry(own)
    assert moved is not None
    assert moved.caught == ()
    assert not isinstance(scribe.ledger.step, steps.Gather)


def test_whoever_else_opens_there_names_the_line_up_in_which_the_gather_began() -> None:
    scribe = at_open_gather(4, 0)
    scribe.change(Change(1, Reason.AGAIN, AGAIN), attempt=6)
    assert scribe.entry(0).attempt == 0


def test_an_opening_in_a_line_up_that_its_assent_has_passed_by_is_a_cheat() -> None:
    scribe = passed_by()
    old = named(scribe.entry(3), 1, scribe.signers[3])
    moved = scribe.ledger.accept_entry(old)
    assert moved is not None
    assert [cheat.seat for cheat in moved.caught] == [3]


def test_an_opening_that_names_one_line_up_or_the_other_is_the_same_opening() -> None:
    scribe = at_open_gather(4, 0)
    scribe.change(Change(1, Reason.AGAIN, AGAIN), attempt=6)
    own = scribe.entry(0)
    again = named(own, 6, scribe.signers[0])
    assert again.id == own.id
    scribe.take(own)
    assert scribe.ledger.accept_entry(again) is None


def test_two_openings_of_one_kept_gather_are_a_contradiction_whatever_they_name() -> None:
    scribe = passed_by()
    own = scribe.entry(3)
    other = replace(opening_of(own), commitments=(fill(9),) * len(opening_of(own).commitments))
    second = named(own, 1, scribe.signers[3], other)
    found = convict(scribe.ledger, CheatProof((own.signed, second.signed)))
    assert (found.seat, found.height) == (3, own.height)


def out_of_a_kept_gather() -> tuple[Scribe, Entry]:
    """One keeper has opened, and is out in the line-up that keeps the gather."""
    scribe = at_open_gather(4, 0)
    own = scribe.ledger.chain.gathered[1]
    lineup = scribe.change(Change(1, Reason.ABSENT))
    assert lineup.openings == (own.id,)
    return scribe, own


def test_a_wrong_opening_of_one_that_is_out_is_judged_by_the_line_up_that_it_names() -> None:
    scribe, own = out_of_a_kept_gather()
    wrong = replace(opening_of(own), contributions=(fill(9),) * len(opening_of(own).contributions))
    alone = CheatProof((named(own, own.attempt, scribe.signers[1], wrong).signed,))
    found = convict(scribe.ledger, alone)
    assert (found.seat, found.kind) == (1, CheatKind.WRONG_OPENING)


@pytest.mark.parametrize("later", [0, 1])
def test_one_of_two_right_openings_alone_proves_nothing_of_one_that_is_out(later: int) -> None:
    scribe, own = out_of_a_kept_gather()
    other = replace(opening_of(own), commitments=(fill(9),) * len(opening_of(own).commitments))
    attempt = scribe.ledger.attempt if later else own.attempt
    with pytest.raises(steps.Forged):
        convict(scribe.ledger, CheatProof((named(own, attempt, scribe.signers[1], other).signed,)))


def test_openings_of_two_line_ups_of_which_no_gather_was_kept_prove_nothing() -> None:
    scribe = begun(4)
    signer = scribe.signers[3]
    scribe.until(gathering)
    own = scribe.entry(3)
    other = replace(opening_of(own), commitments=(fill(9),) * len(opening_of(own).commitments))
    with pytest.raises(steps.Early):
        convict(scribe.ledger, CheatProof((own.signed, named(own, 5, signer, other).signed)))


@pytest.mark.parametrize("attempt", [2, 3, 5])
def test_an_opening_names_no_line_up_that_has_not_kept_its_gather(attempt: int) -> None:
    scribe = passed_by()
    stray = named(scribe.entry(3), attempt, scribe.signers[3])
    with pytest.raises(steps.Stale):
        scribe.ledger.accept_entry(stray)
    later = named(scribe.entry(3), 7, scribe.signers[3])
    with pytest.raises(steps.Early):
        scribe.ledger.accept_entry(later)


def test_an_entry_stands_on_each_line_on_which_it_is_owed() -> None:
    scribe = at_open_gather(4, 0)
    kept = scribe.change(Change(1, Reason.AGAIN, AGAIN), attempt=6)
    scribe.take(scribe.entry(0))
    before = scribe.ledger.chains[scribe.game]
    assert before.height == kept.height + 1
    assert before.heads[-1] == scribe.ledger.chain.heads[kept.height + 1]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_an_entry_of_one_of_two_line_ups_of_an_attempt_stands_on_its_own_past(
    order: tuple[int, int],
) -> None:
    scribe = begun(4)
    both = [scribe.line_up(Change(2, Reason.ABSENT), attempt=2)]
    scribe.step()
    both.append(scribe.line_up(Change(3, Reason.ABSENT), attempt=2))
    for n in order:
        scribe.ledger.accept_line_up(scribe.assents(both[n]))
    line, seat = scribe.ledger.chains[both[1].id], asked(scribe)
    keeper = line.starts[-1].signer_of(seat)
    assert keeper is not None
    pending = line.game.pending
    assert not isinstance(pending, Chance | Over)
    place = (2, line.height, line.head, seat)
    answer = Entry.sign(scribe.signers[keeper], *place, Answering(pending.default))
    scribe.ledger.accept_entry(answer)
    assert line.find_entry(answer.height, seat) == answer


def test_a_member_that_plays_on_from_another_process_owes_what_it_owed_to_a_kept_gather() -> None:
    scribe = at_open_gather(4, 0)
    scribe.change(Change(0, Reason.AGAIN, AGAIN))
    assert scribe.ledger.owing_seats() == (0,)
    scribe.take(scribe.entry(0))
    step = scribe.ledger.step
    assert isinstance(step, steps.Committing)
    assert step.contributors == (0,)


@pytest.mark.parametrize("reason", [Reason.AGAIN, Reason.ABSENT])
def test_no_draw_is_made_anew_without_a_reason(reason: Reason) -> None:
    """The going of one that only witnesses it is none."""
    scribe, named = at_open_gather(4, 0), 1
    if reason is Reason.ABSENT:
        scribe.until(lambda ledger: len(ledger.game.state.seats_alive()) < 4 and gathering(ledger))
        assert isinstance(scribe.ledger.step, steps.Gather)
        (named,) = scribe.ledger.step.witnesses
    instance = AGAIN if reason is Reason.AGAIN else b""
    found = scribe.line_up(Change(named, reason, instance))
    anew = LineUp.build(
        scribe.game, found.attempt, found.predecessor, found.base, found.position, found.plan, None
    )
    line = chain_at(scribe.ledger.chain, scribe.ledger.height)
    line.gathered = dict(scribe.ledger.chain.gathered)
    with pytest.raises(Impossible):
        line.follow(anew)


def test_a_line_up_from_another_past_never_begins() -> None:
    scribe = at_open_gather(4, 0)
    found = scribe.line_up(Change(0, Reason.ABSENT))
    place = (found.predecessor, (found.height, fill(9)), found.position)
    other = LineUp.build(scribe.game, found.attempt, *place, found.plan, found.openings)
    scribe.ledger.accept_line_up(scribe.assents(other))
    assert scribe.ledger.chains.keys() == {scribe.game}


# -- which counts ----------------------------------------------------------------------------------


def bodies_of_a_changed_game() -> tuple[Ledger, list[Signed]]:
    """A leaver, an absence, a return, and another line-up that lost the race."""
    scribe = begun(4)
    lost = scribe.line_up(Change(3, Reason.ABSENT))
    scribe.ledger.accept_line_up(scribe.assents(lost, 0, 1))
    scribe.log.append(scribe.assents(lost, 0, 1))
    scribe.go(1)
    scribe.step()
    scribe.lose(2)
    scribe.until(gathering)
    scribe.change(Change(2, Reason.BACK, AGAIN))
    scribe.step()
    scribe.step()
    return scribe.ledger, scribe.log[1:]


def deliver(genesis_of: Ledger, bodies: list[Signed]) -> Ledger:
    """Give bodies to a copy again and again until it takes none any more."""
    ledger, waiting = Ledger(genesis_of.genesis), list(bodies)
    for _ in range(len(bodies)):
        left = [signed for signed in waiting if not _takes(ledger, signed)]
        if len(left) == len(waiting):
            break
        waiting = left
    return ledger


def _takes(ledger: Ledger, signed: Signed) -> bool:
    try:
        if signed.kind is BodyKind.LINE_UP:
            ledger.accept_line_up(signed)
        elif signed.kind is BodyKind.LEAVE:
            ledger.accept_leave(Leave.parse(signed, ledger.genesis.id))
        else:
            ledger.accept_entry(Entry.parse(signed))
    except (steps.Early, steps.Fork, steps.Stale):
        return False
    return True


@pytest.mark.parametrize("seed", range(12))
def test_the_same_bodies_in_any_order_give_the_same_line(seed: int) -> None:
    whole, bodies = bodies_of_a_changed_game()
    random.Random(seed).shuffle(bodies)
    copy = deliver(whole, bodies)
    assert copy.head == whole.head
    assert copy.roster == whole.roster
    assert copy.canonical_bodies() == whole.canonical_bodies()


def test_who_has_said_many_leaves_is_left_out_whichever_came_first() -> None:
    scribe, late = begun(4), begun(4)
    scribe.take(scribe.leave(1, attempt=0))
    lineup = scribe.assents(scribe.line_up(Change(1, Reason.LEFT), attempt=1))
    scribe.ledger.accept_line_up(lineup)

    late.ledger.accept_line_up(lineup)
    assert late.ledger.accept_leave(late.leave(1, attempt=60)) is not None
    moved = late.ledger.accept_leave(late.leave(1, attempt=30))
    assert moved is not None
    (cheat,) = moved.caught
    assert late.ledger.roster == begun(4).ledger.roster
    late.ledger.accept_proof(cheat.proof)
    assert late.ledger.accept_leave(late.leave(1, attempt=0)) is None  # a convict is not heard
    assert late.ledger.roster == scribe.ledger.roster
    assert late.ledger.head == scribe.ledger.head
    for reader in scribe, late:
        assert agree(log_of(reader.ledger)).canonical == log_of(reader.ledger)


def test_a_line_up_of_a_higher_attempt_counts_whichever_begun_first() -> None:
    scribe, late = begun(4), begun(4)
    base = scribe.line_up(Change(0, Reason.ABSENT), attempt=2)
    lower = scribe.assents(late.line_up(Change(1, Reason.ABSENT), attempt=1))
    higher = scribe.assents(base)
    for order in itertools.permutations((lower, higher)):
        copy = begun(4).ledger
        for signed in order:
            copy.accept_line_up(signed)
        assert copy.roster.lineup == base.id


def test_no_line_up_undoes_more_than_the_last_closed_gather() -> None:
    scribe = begun(4)
    deep = scribe.line_up(Change(0, Reason.ABSENT), attempt=9)
    at = scribe.ledger.height
    scribe.until(lambda ledger: ledger.chain.gather_before_last > at and rolling(ledger))
    head = scribe.ledger.head
    scribe.ledger.accept_line_up(scribe.assents(deep))
    assert scribe.ledger.head == head
    (split,) = scribe.ledger.splits
    assert set(split.by) == {1, 2, 3}


def test_a_later_line_up_that_comes_from_one_that_was_refused_makes_the_game_one_again() -> None:
    scribe, far = begun(4), begun(4)
    deep = far.line_up(Change(0, Reason.ABSENT), attempt=9)
    far.take(far.assents(deep))
    at = scribe.ledger.height
    scribe.until(lambda ledger: ledger.chain.last_gather > at and rolling(ledger))
    scribe.ledger.accept_line_up(scribe.assents(deep))
    assert len(scribe.ledger.splits) == 1
    higher = scribe.line_up(Change(1, Reason.AGAIN, AGAIN), attempt=12)
    scribe.ledger.accept_line_up(scribe.assents(higher))
    assert scribe.ledger.roster.lineup == higher.id
    assert scribe.ledger.splits == []


def test_with_a_proven_cheat_the_game_goes_on_from_before_its_two_answers() -> None:
    scribe = begun(4)
    cheat, at = asked(scribe), scribe.ledger.height
    other = scribe.hand(cheat).sign_entry(cheat, Answering(Reroll((0,))))
    own = scribe.entry(cheat)
    scribe.take(own)
    scribe.step()  # a gather may close on the one answer
    proof = CheatProof((own.signed, other.signed))
    moved = scribe.ledger.accept_proof(proof)
    assert moved is not None
    scribe.log.append(proof.signed)
    later = [scribe.hand(cheat).sign_entry(cheat, Answering(Reroll(dice))) for dice in ((0,), (1,))]
    further = CheatProof((later[0].signed, later[1].signed))
    assert scribe.ledger.accept_proof(further) is not None
    scribe.log.append(further.signed)
    lineup = scribe.change(Change(cheat, Reason.CHEATED))
    assert lineup.height == at
    assert cheat not in scribe.ledger.game.state.seats_alive()


@pytest.mark.parametrize("undone", [1, 2])
def test_a_line_up_with_a_proof_undoes_one_gather_and_no_second(undone: int) -> None:
    scribe, late = begun(4), begun(4)
    at, proof = scribe.ledger.height, tables.two_answers(scribe, asked(scribe))
    late.take(proof)
    lineup = late.change(Change(asked(late), Reason.CHEATED))
    for _ in range(undone):
        last = max(at, scribe.ledger.chain.last_gather)
        while scribe.ledger.chain.last_gather <= last:
            scribe.step()
    scribe.take(proof, late.assents(lineup))
    assert (scribe.ledger.roster.lineup == lineup.id) is (undone == 1)


# -- the end and the log ---------------------------------------------------------------------------


def test_the_end_is_confirmed_by_all_members() -> None:
    scribe = begun(3)
    for keeper in (0, 1, 2):
        scribe.finish(keeper)
        assert scribe.ledger.chain.is_over == (keeper == 2)
    report = verify_log(scribe.file())
    assert report.confirmed_by == (0, 1, 2)
    assert report.not_confirmed_by == ()


def test_a_line_up_at_the_end_takes_no_monster_out() -> None:
    scribe = begun(3)
    scribe.finish(0)
    alive = scribe.ledger.game.state.seats_alive()
    with pytest.raises(steps.Cheat) as caught:
        scribe.ledger.accept_entry(scribe.hand(1).sign_entry(1, Answering(Pass())))
    scribe.take(caught.value.proof)
    scribe.take(scribe.assents(scribe.line_up(Change(1, Reason.CHEATED))))
    scribe.finish(2)
    assert scribe.ledger.chain.is_over and scribe.ledger.game.state.seats_alive() == alive
    report = verify_log(scribe.file())
    assert (report.result, report.confirmed_by) == (Result.SOUND, (0, 2))


def test_a_line_up_at_the_end_keeps_what_its_members_have_signed_of_it() -> None:
    scribe = begun(3)
    scribe.finish(0, 1)
    scribe.take(scribe.assents(scribe.line_up(Change(2, Reason.ABSENT))))
    assert scribe.ledger.chain.is_over
    assert verify_log(scribe.file()).confirmed_by == (0, 1)


def test_of_two_line_ups_that_end_the_game_by_themselves_none_keeps_the_end_of_the_other() -> None:
    scribe = begun(2)
    scribe.take(scribe.leave(1))
    first, second = (scribe.line_up(Change(1, Reason.LEFT), attempt=n) for n in (5, 6))
    scribe.take(scribe.assents(first))
    ledger = scribe.ledger
    assert (ledger.is_at_end(scribe.line_up()), ledger.is_at_end(second)) == (True, False)


@pytest.mark.parametrize("is_end", [False, True])
def test_an_end_names_where_it_was_reached_and_contradicts_no_assent(is_end: bool) -> None:
    scribe = begun(4)
    scribe.until(rolling)
    passing = scribe.line_up(attempt=9)
    scribe.change(attempt=3)
    scribe.finish()
    if is_end:
        passing = scribe.line_up(attempt=9)
    scribe.change(attempt=5)
    other = Entry.sign(scribe.signers[1], *scribe.place, 1, scribe.load(1))
    with pytest.raises(steps.Stale):
        scribe.ledger.accept_entry(other)
    scribe.take(scribe.entry(1))
    assert scribe.ledger.chain.gathered[1].attempt == 3
    moved = scribe.ledger.accept_line_up(scribe.assents(passing, 1))
    assert moved is not None and bool(moved.caught) != is_end


def test_a_report_says_who_kept_a_seat_from_where_and_who_refused_a_roll() -> None:
    scribe = at_open_gather(4, 0)
    height = scribe.ledger.height
    scribe.lose(0)
    scribe.until(gathering)
    scribe.change(Change(0, Reason.BACK, AGAIN))
    gone, back = verify_log(scribe.file()).changes
    assert (gone.height, gone.keeper, gone.reason, gone.refused) == (height, 0, Reason.ABSENT, True)
    assert gone.seats == ((0, 1),)
    assert (back.keeper, back.reason, back.seats) == (0, Reason.BACK, ((0, 0),))


def test_behind_so_many_parts_of_a_line_come_all_its_others() -> None:
    chain = bodies_of_a_changed_game()[0].chain
    names = part_names(chain)
    for count in range(len(names) + 1):
        _state, parts = parts_after(chain, count)
        assert len(parts) == len(names) - count


def test_events_of_a_line_up_come_with_its_monsters() -> None:
    scribe = begun(4)
    leave = scribe.leave(1)
    scribe.take(leave)
    lineup = scribe.line_up(Change(1, Reason.LEFT), attempt=leave.attempt + 1)
    moved = scribe.ledger.accept_line_up(scribe.assents(lineup))
    assert moved is not None
    assert [e.seat for e in moved.events if isinstance(e, Eliminated)] == [1]


def test_a_chain_never_takes_what_another_keeper_has_signed_for_a_seat() -> None:
    scribe = begun(4)
    seat = asked(scribe)
    other = scribe.signers[(seat + 1) % 4]
    forged = Entry.sign(other, *scribe.place, seat, scribe.load(seat))
    with pytest.raises(steps.NotSigned):
        scribe.ledger.accept_entry(forged)
    assert seat in scribe.ledger.owing_seats()


def test_a_copy_that_went_on_by_itself_is_sent_the_earlier_attempts_of_this_line() -> None:
    scribe = tables.begun(5)
    gone = tables.asked(scribe)
    first = scribe.line_up(Change(gone, Reason.ABSENT))
    scribe.take(scribe.assents(first))
    second = scribe.line_up(Change((gone + 1) % 5, Reason.ABSENT), attempt=first.attempt + 2)
    scribe.take(scribe.assents(second))
    sent = scribe.ledger.bodies_after(first.attempt + 1, scribe.ledger.height)
    assert [one.kind for one in sent].count(BodyKind.LINE_UP) == 2
