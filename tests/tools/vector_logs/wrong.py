"""Logs that are wrong, each in one way, and some that cannot be read."""

import zlib
from collections.abc import Callable

from kotp2p.game.steps import Committing
from kotp2p.referee.model import answers as a
from kotp2p.wire.crypto import Tag, digest
from kotp2p.wire.encoding import array, pack, unpack
from kotp2p.wire.entries import Answering, BodyKind, End, Entry, Rows, Signed, Witness, pack_seals
from kotp2p.wire.genesis import PROTOCOL_VERSION
from kotp2p.wire.lineups import Change, CheatProof, Reason
from kotp2p.wire.records import HEAD_BYTES, LOG_FORMAT, LOG_MAGIC, ProgramNamed
from tests.support.scribe import Scribe, written
from tests.tools.vector_logs import offences
from tests.tools.vector_logs.right import played, short
from tests.tools.vector_logs.tables import asked, begun, others, two_answers
from tests.tools.vector_table import fill


def changed(at: int, *instead: Signed) -> bytes:
    """The short log with other records at `at`; negative from the end."""
    scribe, log = played()
    at %= len(log)
    return written(scribe.game, (*log[:at], *instead, *log[at + 1 :]))


def behind(scribe: Scribe, *given: Entry | Signed) -> bytes:
    more = [one.signed if isinstance(one, Entry) else one for one in given]
    return scribe.file([*scribe.log, *more])


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def headed(front: bytes) -> bytes:
    """The short log with another beginning of its head."""
    whole = front + short()[len(front) : HEAD_BYTES - 4]
    return whole + zlib.crc32(whole).to_bytes(4, "big") + short()[HEAD_BYTES:]


def forged() -> bytes:
    old = played()[1][8]
    return changed(8, Signed(old.kind, old.body, flipped(old.signature, 0)))


def turned_round() -> bytes:
    log = list(played()[1])
    log[8], log[12] = log[12], log[8]
    return written(played()[0].game, log)


def other_winners() -> bytes:
    scribe, log = played()
    end = scribe.ledger.chain.build_end()
    return changed(-1, _unsigned_end(log, End((1, 2), end.position)))


def other_last_position() -> bytes:
    scribe, log = played()
    return changed(-1, _unsigned_end(log, End(scribe.ledger.chain.build_end().winners, fill(9))))


def _unsigned_end(log: tuple[Signed, ...], end: End) -> Signed:
    """The last record of a log, an END, with something else in it."""
    old = Entry.parse(log[-1])
    place = old.attempt, old.height, old.prev, old.seat
    return Entry.sign(played()[0].signers[0], *place, end).signed


def genesis_not_signed_by_all() -> bytes:
    old = played()[1][0]
    return changed(0, Signed(old.kind, old.body, old.signature[:65]))


def proof_twice() -> bytes:
    scribe = begun()
    proof = two_answers(scribe, asked(scribe))
    return behind(scribe, proof.signed, proof.signed)


def proof_of_nothing() -> bytes:
    scribe = begun()
    return behind(scribe, CheatProof((scribe.entry(asked(scribe)).signed,)).signed)


def leave_twice() -> bytes:
    scribe = begun()
    leave = scribe.leave(2)
    return behind(scribe, leave.signed, leave.signed)


def leave_of_a_kept_seat() -> bytes:
    scribe = Scribe(3, bots=1)
    return behind(scribe, scribe.leave(2).signed)


def line_up_twice() -> bytes:
    scribe = begun()
    signed = scribe.assents(scribe.line_up(Change(2, Reason.ABSENT)), 0)
    return behind(scribe, signed, signed)


def forged_assent() -> bytes:
    scribe = begun()
    lineup = scribe.line_up(Change(2, Reason.ABSENT))
    seal = lineup.assent(scribe.signers[0])
    return behind(scribe, lineup.signed({0: seal, 1: seal}))


def assent_of_a_kept_seat() -> bytes:
    scribe = Scribe(3, bots=1)
    lineup = scribe.line_up(Change(1, Reason.ABSENT))
    return behind(scribe, lineup.signed({2: lineup.assent(scribe.signers[2])}))


def line_up_of_another_game() -> bytes:
    other = begun(2)
    lineup = other.line_up(Change(1, Reason.ABSENT))
    return behind(begun(), other.assents(lineup, 0))


def line_up_with_a_process_that_is_out() -> bytes:
    scribe = begun()
    lineup = scribe.line_up(Change(2, Reason.ABSENT))
    fields = list(array(unpack(lineup.body), 8))
    fields[6] = ((2, 3, bytes(8)),)
    body = pack(tuple(fields))  # type: ignore[arg-type]
    seal = scribe.signers[0].sign(Tag.LINE_UP, body)
    return behind(scribe, Signed(BodyKind.LINE_UP, body, pack_seals({0: seal})))


def entry_of_a_keeper_that_is_out() -> bytes:
    scribe = begun()
    gone, late = asked(scribe), scribe.entry(asked(scribe))
    lineup = scribe.lose(gone)
    late = Entry.sign(
        scribe.signers[gone], lineup.attempt, late.height, late.prev, gone, late.payload
    )
    return behind(scribe, late)


def entry_behind_a_leave() -> bytes:
    scribe = begun()
    gone = asked(scribe)
    scribe.go(gone)
    return behind(scribe, Entry.sign(scribe.signers[gone], *scribe.place, gone, Witness()))


def rows_of_a_witness() -> bytes:
    scribe = begun()
    scribe.change(Change(1, Reason.AGAIN, bytes(7) + b"\x01"))
    assert isinstance(scribe.ledger.step, Committing)
    rows = Rows((fill(1), fill(2)), tuple(fill(3 + n) for n in range(8)))
    return behind(scribe, scribe.entry(0, rows))


def rows_shown_before() -> bytes:
    scribe = begun()
    scribe.change(Change(1, Reason.AGAIN, bytes(7) + b"\x01"))
    row = scribe.ledger.genesis.rows[1]
    return behind(scribe, scribe.entry(1, Rows(row.dice, row.cards)))


def program_twice() -> bytes:
    scribe, log = played()
    named = ProgramNamed("kotp2p", "1.0").signed
    return written(scribe.game, [named, named, *log])


def program_behind_the_genesis() -> bytes:
    scribe, log = played()
    return written(scribe.game, [log[0], ProgramNamed("kotp2p", "1.0").signed, *log[1:]])


def program_with_a_long_name() -> bytes:
    scribe, log = played()
    return written(scribe.game, [Signed(BodyKind.PROGRAM, pack(("k" * 65, "")), b""), *log])


def blame_in_a_log() -> bytes:
    scribe, share = offences.shared(false=True)
    return behind(scribe, offences.blame(scribe, share))


def end_before_the_end() -> bytes:
    scribe = begun()
    return behind(scribe, scribe.entry(asked(scribe), End((0,), fill(9))))


def genesis_of(change: Callable[[tuple[object, ...]], tuple[object, ...]]) -> bytes:
    """A log of nothing but a genesis with another charter, which all have signed."""
    scribe = begun()
    protocol, rules, charter, rows = array(unpack(scribe.log[0].body), 4)
    body = pack((protocol, rules, change(array(charter)), rows))  # type: ignore[arg-type]
    seals = {n: signer.sign(Tag.GENESIS, body) for n, signer in enumerate(scribe.signers)}
    signed = Signed(BodyKind.GENESIS, body, pack_seals(seals))
    return written(digest(Tag.GENESIS, body), [signed])


def with_a_seat(charter: tuple[object, ...], number: int, *fields: object) -> tuple[object, ...]:
    """With another row of that seat."""
    seats = list(array(charter[5]))
    owner, name, monster, *_ = array(seats[number], 5)
    seats[number] = tuple(
        {"owner": owner, "name": name, "monster": monster}.get(str(field), field)
        for field in fields
    )
    return (*charter[:5], tuple(seats), *charter[6:])


def with_a_kept_keeper(charter: tuple[object, ...]) -> tuple[object, ...]:
    first = with_a_seat(charter, 1, 2, "name", "monster", True, False)
    return with_a_seat(first, 2, 0, "name", "monster", True, False)


def of_place(make: Callable[[Scribe], Entry], place: Callable[[], Scribe]) -> Callable[[], bytes]:
    def wrong() -> bytes:
        scribe = place()
        return behind(scribe, make(scribe))

    return wrong


def out_of_turn(scribe: Scribe) -> Entry:
    return scribe.entry(others(scribe, asked(scribe))[0], Answering(a.Stop()))


WRONG: dict[str, Callable[[], bytes]] = {
    "checksum-of-a-record": lambda: flipped(short(), 3000),
    "checksum-of-a-length": lambda: flipped(short(), 40),
    "forged-signature": forged,
    "turned-round": turned_round,
    "left-out": lambda: changed(8),
    "doubled": lambda: changed(8, played()[1][8], played()[1][8]),
    "behind-the-end": lambda: changed(-1, played()[1][-1], played()[1][-2]),
    "other-winners": other_winners,
    "other-last-position": other_last_position,
    "another-salt": lambda: written(fill(9), played()[1]),
    "genesis-not-signed-by-all": genesis_not_signed_by_all,
    "genesis-with-a-deck": lambda: genesis_of(
        lambda charter: (*charter[:5], ("corner-store", "energize", "extra-head"), *charter[5:])
    ),
    "genesis-with-start-zero": lambda: genesis_of(lambda charter: (*charter[:2], 0, *charter[3:])),
    "genesis-of-a-kept-host": lambda: genesis_of(
        lambda charter: with_a_seat(charter, 0, 1, "name", "monster", False, False)
    ),
    "genesis-with-a-kept-keeper": lambda: genesis_of(with_a_kept_keeper),
    "genesis-with-a-kept-key-for-one-game": lambda: genesis_of(
        lambda charter: with_a_seat(charter, 1, 0, "name", "monster", True, True)
    ),
    "genesis-with-a-mark-left-out": lambda: genesis_of(
        lambda charter: with_a_seat(charter, 1, "owner", "name", "monster", False)
    ),
    "no-genesis": lambda: changed(0),
    "program-twice": program_twice,
    "program-behind-the-genesis": program_behind_the_genesis,
    "program-with-a-long-name": program_with_a_long_name,
    "illegal": of_place(offences.illegal, begun),
    "out-of-turn": of_place(out_of_turn, begun),
    "another-kind-of-entry": of_place(
        lambda scribe: scribe.entry(asked(scribe), Rows((fill(1), fill(2)), (fill(3),) * 8)), begun
    ),
    "another-past": of_place(offences.of_another_past, begun),
    "wrong-opening": of_place(offences.wrong_opening, offences.at_a_gather),
    "copied-commitment": of_place(offences.copied, offences.at_a_gather),
    "contributor-as-a-witness": of_place(
        lambda scribe: scribe.entry(0, Witness()), offences.at_a_gather
    ),
    "other-position": of_place(offences.other_position, offences.at_a_position),
    "no-position": of_place(offences.no_position, offences.at_a_position),
    "proof-twice": proof_twice,
    "proof-of-nothing": proof_of_nothing,
    "leave-twice": leave_twice,
    "leave-of-a-kept-seat": leave_of_a_kept_seat,
    "line-up-twice": line_up_twice,
    "line-up-of-another-game": line_up_of_another_game,
    "line-up-with-a-process-that-is-out": line_up_with_a_process_that_is_out,
    "forged-assent": forged_assent,
    "assent-of-a-kept-seat": assent_of_a_kept_seat,
    "entry-of-a-keeper-that-is-out": entry_of_a_keeper_that_is_out,
    "entry-behind-a-leave": entry_behind_a_leave,
    "rows-of-a-witness": rows_of_a_witness,
    "rows-shown-before": rows_shown_before,
    "blame-in-a-log": blame_in_a_log,
    "end-before-the-end": end_before_the_end,
    "unreadable-head": lambda: flipped(short(), 20),
    "later-version": lambda: headed(LOG_MAGIC + _u32(LOG_FORMAT) + _u32(PROTOCOL_VERSION + 1)),
    "older-format": lambda: headed(LOG_MAGIC + _u32(1) + _u32(4)),
}
