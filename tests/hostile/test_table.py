"""A player of the table sends what no unmodified program sends."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from kotp2p.game.ledger import MAX_IDLE_LINE_UPS, MAX_LONE_LINE_UPS, Ledger
from kotp2p.game.verify import Result, verify_log
from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.mesh import gossip
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat, Stop
from kotp2p.seams import cores
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import LinkChanged, Notice, StopWanted, Unsteady, UnsteadyMatter, Wished
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.profile import open_profile
from kotp2p.shell.resume import find_game_at, list_games, resume
from kotp2p.store.game_files import UnfinishedGame, sweep_secrets
from kotp2p.wire import entries
from kotp2p.wire.addresses import AddressBook
from kotp2p.wire.crypto import Tag
from kotp2p.wire.encoding import BadBytes, Value, pack
from kotp2p.wire.frames import FrameElsewhere, Links, Ping, decode
from kotp2p.wire.lineups import Change, CheatProof, Leave, LineUp, Reason, sign_wish
from tests.support.command_line import run
from tests.support.disk_worlds import UnfinishedFiles, unfinished_files
from tests.support.forged_bodies import seal_anything, sign_anything
from tests.support.hearing import hear_frame
from tests.support.hostile_seats import MALLORY, ME, NOW, OTHER, dropped, genesis, hears, peer
from tests.support.memory_tables import Recorder
from tests.support.scribe import written
from tests.tools.vector_frames import all_frames
from tests.tools.vector_table import SEATS, SEEDS

Seats: TypeAlias = tuple[Seat, ...]


def test_blames_somebody_for_a_share_that_nobody_has_given() -> None:
    """Once the program went round and round with it. It may be ahead of us, so that nobody is
    accused before its height is reached."""
    found = peer()
    load = entries.Blame(bytes(32))
    blame = entries.Entry.sign(SEATS[MALLORY], 0, 1, bytes(32), MALLORY, load)
    assert hears(found, blame.signed) == []
    assert hears(found, blame.signed) == []
    assert not found.has_ended


def opening(of: int, game: bytes | None = None) -> entries.Entry:
    honest = Peer(genesis(), of, SEATS[of], SEEDS[of])
    honest.begin(NOW)
    honest.tick(NOW)
    first = next(e.signed for e in honest.take_effects() if isinstance(e, gossip.AppendRecord))
    assert first.kind is entries.BodyKind.GENESIS
    entry = honest.ledger.chain.gathered[of]
    return entries.Entry.sign(SEATS[of], 0, 0, game or entry.prev, of, entry.payload)


def test_passes_on_an_entry_with_a_bit_turned() -> None:
    """The link that it came over goes; its author is not accused."""
    true = opening(OTHER).signed
    for at in (0, 40, len(true.body) - 1):
        body = true.body[:at] + bytes((true.body[at] ^ 1,)) + true.body[at + 1 :]
        found = peer()
        assert dropped(hears(found, entries.Signed(true.kind, body, true.signature)))
        assert OTHER not in found.ledger.chain.gathered
    turned = entries.Signed(true.kind, true.body, true.signature[:-1] + b"\x7f")
    assert dropped(hears(peer(), turned))


def test_says_in_the_name_of_another() -> None:
    load = opening(OTHER).payload
    game = genesis().id
    forged = entries.Entry.sign(SEATS[MALLORY], 0, 0, game, OTHER, load)
    assert dropped(hears(peer(), forged.signed))
    for seat in (OTHER, 5):
        farewell = Leave.sign(SEATS[MALLORY], game, seat, 0, 0)
        assert dropped(hears(peer(), farewell.signed))
        beat = entries.sign_head(SEATS[MALLORY], game, seat, 0, 0, game)
        assert dropped(hears(peer(), beat))


def test_says_everything_twice() -> None:
    found = peer()
    hears(found, opening(OTHER).signed)
    assert OTHER in found.ledger.chain.gathered
    before = found.ledger.place
    assert hears(found, opening(OTHER).signed) == []
    assert (found.ledger.place, found.has_ended) == (before, False)


def test_replays_what_was_signed_in_another_game() -> None:
    """An entry names its game by the head before it: here it looks like one on another past."""
    strange, found = opening(MALLORY, game=bytes(32)), peer()
    effects = hears(found, strange.signed)
    shown = gossip.AppendRecord | gossip.EndPeer | gossip.ShowNotice
    assert not [e for e in effects if isinstance(e, shown)]
    assert MALLORY not in found.ledger.chain.gathered
    for signed in (
        Leave.sign(SEATS[MALLORY], bytes(32), MALLORY, 0, 0).signed,
        entries.sign_head(SEATS[MALLORY], bytes(32), MALLORY, 0, 0, bytes(32)),
    ):
        assert dropped(hears(peer(), signed))


def test_signs_ahead_without_end() -> None:
    """What may be needed soon is kept, in bounds; the rest is not."""
    found, game = peer(), genesis().id
    load = opening(MALLORY).payload
    for height in range(1, 400):
        hears(found, entries.Entry.sign(SEATS[MALLORY], 0, height, game, MALLORY, load).signed)
    assert not found.has_ended
    assert len(found.intake.early._kept) == gossip.MAX_EARLY_ENTRIES


@pytest.mark.parametrize("out", [(), (ME, OTHER)])
def test_assents_to_line_ups_without_end(out: Seats) -> None:
    """What is kept is bounded, and those of others are not touched by it."""
    found, game = peer(), genesis().id
    plan = tuple(Change(seat, Reason.ABSENT) for seat in out)

    def lone(seat: int, attempt: int) -> LineUp:
        lineup = LineUp.build(game, attempt, game, (0, game), bytes(32), plan, ())
        hears(found, lineup.signed({seat: lineup.assent(SEATS[seat])}))
        return lineup

    others = lone(OTHER, 1)
    for attempt in range(2, 200):
        lone(MALLORY, attempt)
    assert len(found.ledger.line_ups) == MAX_LONE_LINE_UPS + 1
    assert found.ledger._impossible <= found.ledger.line_ups.keys()
    assert others.id in found.ledger.line_ups
    assert not found.has_ended


def test_two_assent_to_line_ups_without_end() -> None:
    found, game = peer(), genesis().id
    for attempt in range(1, 200):
        lineup = LineUp.build(game, attempt, game, (0, game), bytes(32), (), ())
        seals = {seat: lineup.assent(SEATS[seat]) for seat in (OTHER, MALLORY)}
        hears(found, lineup.signed(seals))
    assert len(found.ledger.line_ups) == len(found.ledger.seals) == MAX_IDLE_LINE_UPS
    assert not found.has_ended


def test_a_line_up_that_can_begin_is_not_forgotten_for_later_ones() -> None:
    ledger, game = Ledger(genesis()), genesis().id
    place = ledger.chain.feed.position_digest()
    for attempt in range(MAX_IDLE_LINE_UPS + 1, 0, -1):
        absent = (Change(ME, Reason.ABSENT),)
        before = game if attempt == 1 else bytes(32)
        lineup = LineUp.build(game, attempt, before, (0, game), place, absent, None)
        seals = {seat: lineup.assent(SEATS[seat]) for seat in (OTHER, MALLORY)}
        ledger.accept_line_up(lineup.signed(seals))
    assert ledger.attempt == 1


@pytest.mark.parametrize(
    "words", ["a\x1b[2J", "a\u202eb", "a\x00b", "e\u0301", "x" * 201, "\x07", "\u2066"]
)
def test_says_what_could_deceive_a_terminal(words: str) -> None:
    line = sign_anything(SEATS[MALLORY], entries.BodyKind.CHAT, (genesis().id, MALLORY, 1, words))
    assert dropped(hears(peer(), line))


def test_talks_without_end() -> None:
    found, shown = peer(), 0
    for serial in range(1, 200):
        line = entries.ChatLine.sign(SEATS[MALLORY], genesis().id, MALLORY, serial, "hello").signed
        shown += sum(isinstance(e, gossip.ShowNotice) for e in hears(found, line))
    assert shown == cores.MAX_CHAT_LINES


def test_sends_frames_of_the_lobby_into_the_game() -> None:
    for name, data in all_frames().items():
        frame = decode(bytes.fromhex(str(data))[4:])
        if isinstance(frame, FrameElsewhere):
            assert dropped(hears(peer(), frame)), name


def test_is_linked_to_seats_that_the_table_does_not_have() -> None:
    found = peer()
    assert not [
        e
        for e in hears(found, Links((0, 2, 4, 5)))
        if isinstance(e, gossip.CloseLink | gossip.EndPeer)
    ]
    found.tick(NOW + 5)
    assert not found.has_ended


# -- told lines ------------------------------------------------------------------------------------

# A seat makes the same happen again and again: its player is told of by few lines.


def shown(effects: list[gossip.Effect]) -> list[Notice]:
    return [effect.notice for effect in effects if isinstance(effect, gossip.ShowNotice)]


def wish(serial: int, *, stops: bool = False, without: tuple[int, ...] = ()) -> entries.Signed:
    game = genesis().id
    return sign_wish(SEATS[MALLORY], game, MALLORY, serial, stops=stops, without=without).signed


def changes_its_mind(
    found: Peer, times: int, *, stops: bool = False, without: Seats = (), then: Seats = ()
) -> list[Notice]:
    """Mallory wants something, and does not want it any more, so many times."""
    return [
        notice
        for turn in range(1, 2 * times, 2)
        for frame in (wish(turn, stops=stops, without=without), wish(turn + 1, without=then))
        for notice in shown(hears(found, frame))
    ]


def ticked(found: Peer, now: float) -> list[Notice]:
    """What is told by now, but that nothing comes over the link: there nothing does."""
    found.tick(now)
    return [
        n
        for n in shown(found.take_effects())
        if isinstance(n, LinkChanged | StopWanted | Wished | Unsteady)
        and n != Unsteady(MALLORY, UnsteadyMatter.CONNECTION)
    ]


def test_a_wish_to_stop_that_comes_and_goes() -> None:
    """Once 4,000 lines stood on every honest terminal."""
    found = peer()
    told = changes_its_mind(found, 2_000, stops=True)
    assert len(told) == cores.NOTICES_AT_ONCE + 1
    assert told[-1] == Unsteady(MALLORY, UnsteadyMatter.WISHES)
    assert ticked(found, NOW + 0.99 / cores.NOTICES_PER_SECOND) == []
    assert ticked(found, NOW + 1 / cores.NOTICES_PER_SECOND) == []  # it was told that it plays on


def test_the_newest_wish_is_told_in_the_end() -> None:
    found = peer()
    changes_its_mind(found, 100, stops=True)
    assert not shown(hears(found, wish(999, stops=True)))
    assert ticked(found, NOW + 0.99 / cores.NOTICES_PER_SECOND) == []
    (told,) = ticked(found, NOW + 1 / cores.NOTICES_PER_SECOND)
    assert isinstance(told, StopWanted)
    assert told.wanted


@pytest.mark.parametrize(("share_of_calm", "times"), [(0.9, 0), (1.0, 1)])
def test_an_unsteady_seat_is_told_anew_after_a_calm_time(share_of_calm: float, times: int) -> None:
    found, calm = peer(), cores.NOTICES_AT_ONCE / cores.NOTICES_PER_SECOND
    changes_its_mind(found, 100, stops=True)
    later = NOW + share_of_calm * calm
    ticked(found, later)
    told = [
        n
        for turn in range(999, 1_099)
        for n in shown(hears(found, wish(turn, stops=bool(turn % 2)), later))
    ]
    assert told.count(Unsteady(MALLORY, UnsteadyMatter.WISHES)) == times


def test_what_a_seat_wants_then_is_told_at_each_time_at_which_its_budget_allows_it() -> None:
    found, told = peer(), list[tuple[int, bool]]()
    changes_its_mind(found, 100, stops=True)
    for second in range(1, 60):
        changes = second % 7 == 0
        words = wish(999 + second, stops=second % 2 == 1) if changes else Ping()
        hear_frame(found, MALLORY, words, NOW + second)
        found.tick(NOW + second)
        notices = shown(found.take_effects())
        told += [(second, notice.wanted) for notice in notices if isinstance(notice, StopWanted)]
    assert told == [(10, True), (20, False), (35, True), (42, False), (50, True)]


def test_a_wish_to_go_on_without_this_player_is_told_whatever_else_was_told() -> None:
    found, told = peer(), Wished(MALLORY, (ME,), (OTHER,))
    changes_its_mind(found, 100, stops=True)
    assert shown(hears(found, wish(1_001, without=(ME,)))) == [told]
    for turn in range(1_002, 2_000, 2):
        assert not shown(hears(found, wish(turn)))
        assert not shown(hears(found, wish(turn + 1, without=(ME,))))


@pytest.mark.parametrize(
    ("then", "lines"),
    [((), 2 * cores.NOTICES_AT_ONCE + 2), ((ME, OTHER), cores.NOTICES_AT_ONCE + 2)],
)
def test_wishes_to_go_on_without_others_are_told_within_the_budget(then: Seats, lines: int) -> None:
    told = changes_its_mind(peer(), 2_000, without=(ME,), then=then)
    assert told[0] == Wished(MALLORY, (ME,), (OTHER,))
    assert len(told) == lines


def test_a_link_that_breaks_again_and_again() -> None:
    """Once about 18 lines a second."""
    found, told = peer(), list[Notice]()
    for _ in range(500):
        found.link_down(MALLORY, NOW)
        found.link_up(MALLORY, NOW)
        told += shown(found.take_effects())
    assert told == [
        *[LinkChanged(MALLORY, up) for up in (False, True) * (cores.NOTICES_AT_ONCE // 2)],
        Unsteady(MALLORY, UnsteadyMatter.CONNECTION),
    ]
    found.link_down(MALLORY, NOW)
    assert not shown(found.take_effects())
    assert ticked(found, NOW + 1 / cores.NOTICES_PER_SECOND) == [LinkChanged(MALLORY, False)]


def flaps(found: Peer, seat: Seat) -> list[Notice]:
    for up in (False, True) * cores.NOTICES_AT_ONCE + (False,):
        found.link_up(seat, NOW) if up else found.link_down(seat, NOW)
    return shown(found.take_effects())


def test_what_one_seat_makes_happen_costs_no_other_seat_a_line() -> None:
    found, later = peer(), NOW + 1 / cores.NOTICES_PER_SECOND
    changes_its_mind(found, 100, stops=True)
    hears(found, wish(999, stops=True))
    assert flaps(found, MALLORY) == [Unsteady(MALLORY, UnsteadyMatter.CONNECTION)]
    assert flaps(found, OTHER).count(LinkChanged(OTHER, True)) == cores.NOTICES_AT_ONCE // 2
    wanted = StopWanted(MALLORY, True, (ME, OTHER))
    assert ticked(found, later) == [wanted, LinkChanged(OTHER, False)]


def test_news_without_end_is_not_passed_on_without_end() -> None:
    """An honest link that is filled with it would be read too slowly by its other side."""
    found, game = peer(), genesis().id
    for turn in range(1, 200):
        frames = wish(turn), entries.sign_head(SEATS[MALLORY], game, MALLORY, 0, 0, game)
        for frame in frames:
            hear_frame(found, MALLORY, frame, NOW)
    sent = [
        e.frame for e in found.take_effects() if isinstance(e, gossip.SendFrame) and e.seat == OTHER
    ]
    assert sum(isinstance(frame, entries.Signed) for frame in sent) == cores.RELAYS_AT_ONCE
    for later, more in ((0.99, 0), (1.0, 1)):
        effects = hears(found, wish(1_000 + more), NOW + later / cores.RELAYS_PER_SECOND)
        sent = [e.frame for e in effects if isinstance(e, gossip.SendFrame) and e.seat == OTHER]
        assert len(sent) == more


# -- seat numbers ----------------------------------------------------------------------------------

# Bodies that name a seat which the table does not have: in whatever field. Mallory has rightly
# signed each of them. It costs her link, and nothing else happens.


GAME, HEAD = genesis().id, bytes(32)
TABLE = len(genesis().players)
NOT_HERE = (TABLE, 5)
"""Seats of a larger table."""
RECORDS = (entries.BodyKind.PLAY, entries.BodyKind.SHARE, entries.BodyKind.LEAVE)


def entry(seat: Seat, kind: entries.BodyKind) -> Value:
    load = entries.Answering(Stop()) if kind is entries.BodyKind.PLAY else entries.Blame(bytes(32))
    return (0, 0, GAME, seat, int(load.TYPE), load.value())


def line_up(*changes: tuple[Seat, Reason]) -> Value:
    plan = tuple((seat, int(r), None if r.puts_out else bytes(8)) for seat, r in changes)
    return (GAME, 1, GAME, 0, GAME, HEAD, plan, ())


def address(seat: Seat) -> Value:
    return (GAME, seat, 1, (("10.0.0.9", 4242),), "", b"")


def bodies(seat: Seat) -> Iterator[tuple[str, entries.BodyKind, Value]]:
    """Each field of each body that has a seat in it, with this one there."""
    yield "answer of", entries.BodyKind.PLAY, entry(seat, entries.BodyKind.PLAY)
    yield "blame of", entries.BodyKind.SHARE, entry(seat, entries.BodyKind.SHARE)
    for reason in Reason:
        yield f"line-up: {reason.name}", entries.BodyKind.LINE_UP, line_up((seat, reason))
    also = line_up((0, Reason.ABSENT), (seat, Reason.ABSENT))
    yield "line-up also without", entries.BodyKind.LINE_UP, also
    yield "farewell of", entries.BodyKind.LEAVE, (GAME, seat, 0, 0)
    yield "readiness of", entries.BodyKind.READY, (GAME, seat, 1, HEAD, bytes(8))
    yield "wish of", entries.BodyKind.WISH, (GAME, seat, 1, (), (), 0)
    yield "wish without", entries.BodyKind.WISH, (GAME, MALLORY, 1, (seat,), (), 0)
    refused = ((seat, bytes(8)),)
    yield "wish not to let back", entries.BodyKind.WISH, (GAME, MALLORY, 1, (), refused, 0)
    yield "return of", entries.BodyKind.HERE, (GAME, seat, bytes(8))
    yield "head of", entries.BodyKind.HEAD, (GAME, 0, 0, GAME, seat, bytes(8), 0)
    yield "line of", entries.BodyKind.CHAT, (GAME, seat, 1, "hello")
    yield "address of", entries.BodyKind.ADDRESS, address(seat)


def signed_by_mallory(kind: entries.BodyKind, value: Value) -> entries.Signed:
    if kind is entries.BodyKind.LINE_UP:
        return seal_anything(SEATS[MALLORY], MALLORY, value)
    return sign_anything(SEATS[MALLORY], kind, value)


BODIES = {
    f"{name} {seat}": signed_by_mallory(kind, value)
    for seat in NOT_HERE
    for name, kind, value in bodies(seat)
}
LINE_UPS = [name for name, signed in BODIES.items() if signed.kind is entries.BodyKind.LINE_UP]
"""They just cannot begin; all others cost a link (PROTOCOL.md 2)."""
IN_LOGS = [n for n, body in BODIES.items() if n not in LINE_UPS and body.kind in RECORDS]


@pytest.mark.parametrize(
    "name", [n for n in BODIES if n not in LINE_UPS and not n.startswith("address")]
)
def test_a_body_with_a_seat_that_is_not_there_costs_its_link(name: str) -> None:
    found = peer()
    before = found.ledger.revision
    assert dropped(hears(found, BODIES[name]))
    assert found.ledger.revision == before
    assert not found.has_ended


@pytest.mark.parametrize("name", LINE_UPS)
def test_a_line_up_about_a_seat_that_is_not_there_cannot_begin(name: str) -> None:
    found, body = peer(), BODIES[name].body
    seals = {seat: signer.sign(Tag.LINE_UP, body) for seat, signer in enumerate(SEATS)}
    signed = entries.Signed(entries.BodyKind.LINE_UP, body, entries.pack_seals(seals))
    effects = hears(found, signed)
    assert not [
        e for e in effects if isinstance(e, gossip.CloseLink | gossip.EndPeer | gossip.ShowNotice)
    ]
    found.tick(NOW + 1)
    assert found.ledger.attempt == 0
    assert len(found.ledger.chains) == 1
    report = verify_log(written(GAME, [begun(), signed]))
    assert report.result is Result.UNFINISHED
    assert report.changes == ()


@pytest.mark.parametrize("name", IN_LOGS)
def test_a_log_with_a_seat_that_is_not_there_is_wrong_and_accuses_nobody(name: str) -> None:
    report = verify_log(written(GAME, [begun(), BODIES[name]]))
    assert report.result is Result.WRONG
    assert report.wrong_at is not None
    assert (report.wrong_at.record, report.wrong_at.seat) == (1, None)


def begun() -> entries.Signed:
    return genesis().signed


def test_the_log_is_right_without_it() -> None:
    assert verify_log(written(GAME, [begun()])).result is Result.UNFINISHED


@pytest.mark.parametrize("seat", NOT_HERE)
def test_a_proof_about_a_seat_that_is_not_there_costs_its_link(seat: Seat) -> None:
    left = [
        sign_anything(SEATS[MALLORY], entries.BodyKind.LEAVE, (GAME, seat, 0, n)) for n in range(2)
    ]
    assert dropped(hears(peer(), CheatProof((left[0], left[1])).signed))
    plans = (line_up(), line_up((seat, Reason.ABSENT)))
    found = peer()
    one, other = (
        entries.Signed(
            entries.BodyKind.LINE_UP, pack(value), SEATS[MALLORY].sign(Tag.LINE_UP, pack(value))
        )
        for value in plans
    )
    hears(found, CheatProof((one, other)).signed)
    assert set(found.ledger.convicts) == {MALLORY}  # to have signed two convicts by itself


@pytest.mark.parametrize("seat", NOT_HERE)
def test_an_assent_of_a_seat_that_is_not_there_costs_its_link(seat: Seat) -> None:
    body = pack(line_up((0, Reason.ABSENT)))
    seal = SEATS[MALLORY].sign(Tag.LINE_UP, body)
    alone = entries.Signed(entries.BodyKind.LINE_UP, body, bytes((seat,)) + seal)
    beside = entries.Signed(
        entries.BodyKind.LINE_UP, body, bytes((MALLORY,)) + seal + bytes((seat,)) + seal
    )
    for signed in (alone, beside):
        assert dropped(hears(peer(), signed))
        assert verify_log(written(GAME, [begun(), signed])).result is Result.WRONG


@pytest.mark.parametrize("seat", NOT_HERE)
def test_an_address_of_a_seat_that_is_not_there_is_not_kept(seat: Seat) -> None:
    book = AddressBook(GAME, genesis().players)
    with pytest.raises(BadBytes):
        book.accept(BODIES[f"address of {seat}"])
    assert book.newest_of_seat == {}


@pytest.mark.parametrize("seat", NOT_HERE)
def test_links_to_a_seat_that_is_not_there_reach_nobody(seat: Seat) -> None:
    found = peer()
    hears(found, Links((0, seat)))
    assert seat not in found.reachability.reachable_seats()


# -- strays ----------------------------------------------------------------------------------------

# Rubbish in every folder of the data: it is left alone, and keeps nobody from a game.


def finder_file(folder: Path) -> Path:
    (folder / ".DS_Store").write_bytes(b"Bud1")
    return folder / ".DS_Store"


def dangling_link(folder: Path) -> Path:
    (folder / "link").symlink_to(folder / "nowhere")
    return folder / "link"


def loop(folder: Path) -> Path:
    (folder / "loop").symlink_to(folder / "loop")
    return folder / "loop"


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def empty_folder(folder: Path) -> Path:
    (folder / "new folder").mkdir()
    return folder / "new folder"


def notes(folder: Path) -> Path:
    (folder / "log copy").write_text("mine", "utf-8")
    return folder / "log copy"


RUBBISH = (finder_file, dangling_link, loop, pipe, empty_folder, notes)
FOLDERS = ("games", "games/GAME", "games/GAME/SEAT", "profiles", "profiles/default", "starting",
           "logs", ".")  # fmt: skip


@pytest.fixture
def unfinished() -> UnfinishedFiles:
    return unfinished_files()


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unfinished: UnfinishedFiles) -> Path:
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    unfinished.put_into(tmp_path)
    return tmp_path


def place(data: Path, unfinished: UnfinishedFiles, folder: str) -> Path:
    _games, game, seat = unfinished.folder.parts
    found = data / folder.replace("GAME", game).replace("SEAT", seat)
    found.mkdir(parents=True, exist_ok=True)
    return found


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("make", RUBBISH)
async def test_rubbish_hides_no_game(
    data: Path, unfinished: UnfinishedFiles, folder: str, make: Callable[[Path], Path]
) -> None:
    stray = make(place(data, unfinished, folder))
    world = unfinished.world_at(data)
    (found,) = list_games(world)
    assert isinstance(found, UnfinishedGame)
    await open_profile(world, Recorder("Ana"), NewKeyPolicy.ASK)
    sweep_secrets(world)
    where = next(iter(found.targets()))
    assert find_game_at(world, unfinished.signer, TableAddress((where[0],), where[1])) is not None
    assert stray.is_symlink() or stray.exists()


def plain_file(game: Path) -> None:
    game.write_bytes(b"")


def dead_link(game: Path) -> None:
    game.symlink_to(game.with_name("nowhere"))


def no_seats(game: Path) -> None:
    game.mkdir()


def seat_is_a_file(game: Path) -> None:
    game.mkdir()
    (game / ("b" * 64)).write_bytes(b"")


def files_are_folders(game: Path) -> None:
    for name in ("log", "places", "seed", "key", "lock"):
        (game / ("b" * 64) / name).mkdir(parents=True)


def log_is_a_pipe(game: Path) -> None:
    (game / ("b" * 64)).mkdir(parents=True)
    (game / ("b" * 64) / "places").write_bytes(b"")
    os.mkfifo(game / ("b" * 64) / "log")


def places_is_a_pipe(game: Path) -> None:
    (game / ("b" * 64)).mkdir(parents=True)
    os.mkfifo(game / ("b" * 64) / "places")
    (game / ("b" * 64) / "log").write_bytes(b"")


def damaged_files(game: Path) -> None:
    (game / ("b" * 64)).mkdir(parents=True)
    for name in ("places", "log", "key", "seed"):
        (game / ("b" * 64) / name).write_bytes(b"xyz" * 99)


FALSE_GAMES = (
    plain_file, dead_link, no_seats, seat_is_a_file, files_are_folders, log_is_a_pipe,
    places_is_a_pipe, damaged_files,
)  # fmt: skip


@pytest.mark.parametrize("make", FALSE_GAMES)
def test_one_bad_entry_never_hides_the_others(
    data: Path, unfinished: UnfinishedFiles, make: Callable[[Path], None]
) -> None:
    make(data / "games" / ("a" * 64))
    code, out, err = run("resume", "--list")
    assert code == 0
    assert len(out.splitlines()) == 1
    assert "Traceback" not in err
    phrase = unfinished_phrase(unfinished, data)
    assert f"An unfinished game: {phrase}." in run()[1]
    world = unfinished.world_at(data)
    sweep_secrets(world)
    assert find_game_at(world, unfinished.signer, TableAddress(("10.0.0.9",), 1)) is None


def unfinished_phrase(unfinished: UnfinishedFiles, data: Path) -> str:
    found = [g for g in list_games(unfinished.world_at(data)) if isinstance(g, UnfinishedGame)]
    assert len(found) == 1
    return found[0].genesis.phrase


@pytest.mark.virtual_time
async def test_a_game_is_played_on_beside_rubbish(data: Path, unfinished: UnfinishedFiles) -> None:
    finder_file(data / "games")
    (data / "games" / ("a" * 64)).write_bytes(b"")
    finder_file(data / unfinished.folder)
    ending = await resume(unfinished.world_at(data), None, None, Recorder("Ana"))
    assert ending.kind is EndKind.FINISHED
