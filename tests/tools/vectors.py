"""The golden vectors of docs/PROTOCOL.md: `python -m tests.tools.vectors` writes docs/vectors/.

Everything is made from fixed bytes, so the files change only when the protocol does. Values are
hex; a file is one JSON object. Whole logs come from `tests.tools.vector_logs`. The files of
`BY_HAND` are lists of what is taken and refused; tests hold the code to them.
"""

import json
from collections.abc import Callable

from kotp2p.game import referee_feed, steps
from kotp2p.referee.game import Game
from kotp2p.referee.model import answers as a
from kotp2p.referee.model.answers import Face
from kotp2p.wire import addresses, crypto, lineups, records
from kotp2p.wire.encoding import BadBytes, Value, pack, unpack
from kotp2p.wire.entries import (
    Answering,
    Blame,
    BodyKind,
    ChatLine,
    End,
    Entry,
    Opening,
    Rows,
    Share,
    Signed,
    Witness,
    answer_to_value,
    pack_seals,
    sign_head,
)
from kotp2p.wire.genesis import table_phrase
from tests.support import paths, tool_line
from tests.tools import vector_frames, vector_lineup_cases, vector_logs, vector_positions
from tests.tools.vector_table import GAME, HEAD_BYTES, SEATS, SEEDS, TABLE, fill, small_genesis

FOLDER = paths.VECTORS


def encoding() -> dict[str, object]:
    good: list[Value] = [0, 1, 2**53 - 1, True, None, b"", b"ab", "Zoë", ()]
    good += [(1, (b"x", "y"), False), ((((((),),),),),)]
    bad = {
        "map": "8101", "empty map": "80", "float": "cb3ff0000000000000",
        "negative": "ff", "1 as uint16": "cd0001", "2^53": "cf0020000000000000",
        "str8 where fixstr fits": "d90161", "trailing byte": "0101", "ext": "d6ff00000000",
        "seven arrays deep": "91" * 6 + "90",
    }  # fmt: skip
    for text in bad.values():
        try:
            unpack(bytes.fromhex(text))
        except BadBytes:
            continue
        raise AssertionError(text)
    return {"accepted": [pack(v).hex() for v in good], "refused": bad}


def hashes() -> dict[str, object]:
    return {
        "H(kotp2p/table/1; 'ab', 7)": crypto.digest(crypto.Tag.TABLE, b"ab", 7).hex(),
        "D(51*32; kotp2p/contribution/1; cc*32, 0, 0)": crypto.derive(
            fill(0x51), crypto.Tag.CONTRIBUTION, TABLE, 0, 0
        ).hex(),
        "secret": fill(1).hex(),
        "key": SEATS[0].key.hex(),
        "signature of 'body' as kotp2p/play/1": SEATS[0].sign(crypto.Tag.PLAY, b"body").hex(),
        "phrase of aa*32": table_phrase(GAME),
    }


def dice_and_cards() -> dict[str, object]:
    parts = [crypto.contribution(seed, TABLE, crypto.Stream.DICE, 4) for seed in SEEDS]
    mixed = crypto.slot_result(GAME, HEAD_BYTES, crypto.Stream.DICE, 4, parts)
    cards = crypto.slot_result(GAME, HEAD_BYTES, crypto.Stream.CARDS, 9, parts)
    return {
        "table": TABLE.hex(),
        "game": GAME.hex(),
        "head before the gather": HEAD_BYTES.hex(),
        "seeds": [seed.hex() for seed in SEEDS],
        "contributions to dice slot 4": [c.hex() for c in parts],
        "commitments": [
            crypto.commitment(TABLE, crypto.Stream.DICE, seat, 4, c).hex()
            for seat, c in enumerate(parts)
        ],
        "result of dice slot 4": mixed.hex(),
        "block 0 of its stream": crypto.digest(crypto.Tag.STREAM, mixed, 0).hex(),
        "block 1 of its stream": crypto.digest(crypto.Tag.STREAM, mixed, 1).hex(),
        "twelve dice": list(crypto.draw_values(mixed, (6,) * 12)),
        "ten below 3 * 2^62 (rejections)": [
            str(v) for v in crypto.draw_values(mixed, (3 << 62,) * 10)
        ],
        "result of card slot 9 of the same contributions": cards.hex(),
        "ten tile sides of dice slot 4": list(crypto.draw_values(mixed, (2,) * 10)),
        "of 66": crypto.draw_untaken(cards, 66, ()),
        "of 66, that one taken": crypto.draw_untaken(
            cards, 66, {crypto.draw_untaken(cards, 66, ())}
        ),
    }


def _payloads() -> dict[str, object]:
    secret = fill(7)
    return {
        "stop": Answering(a.Stop()), "reroll": Answering(a.Reroll((0, 3))),
        "use": Answering(a.Use(12)), "use die": Answering(a.Use(12, 1)),
        "use die face": Answering(a.Use(12, 1, Face.CLAW)), "pass": Answering(a.Pass()),
        "done": Answering(a.Done()), "order": Answering(a.Order((Face.HEART, Face.CLAW))),
        "hearts": Answering(a.Hearts(1, 2, 0, ((3, 1),))), "yield": Answering(a.Yield()),
        "stay": Answering(a.Stay()), "swap": Answering(a.Swap(5)), "buy": Answering(a.Buy(5)),
        "buy top": Answering(a.BuyTop(5), secret), "peek": Answering(a.Peek()),
        "peek again": Answering(a.Peek(), crypto.exchange_public_key(secret)),
        "sweep": Answering(a.Sweep()), "deposit": Answering(a.Deposit(4)),
        "copy": Answering(a.Copy(9)), "keep": Answering(a.Keep()), "take": Answering(a.Take(70)),
        "sell": Answering(a.Sell((1, 2))), "again": Answering(a.Again()),
        "opening of dice": Opening((fill(4),), (fill(5),), None, fill(6)),
        "opening of cards": Opening((fill(4), fill(5)), (fill(6), fill(7)), fill(8), None),
        "opening of a looker": Opening((None,), (fill(6),), None, None),
        "rows": Rows((fill(4), fill(5)), tuple(fill(0x10 + i) for i in range(8))),
        "share": Share(fill(4), fill(5, 48)), "blame": Blame(fill(4)),
        "witness": Witness(), "end": End((0, 2), fill(6)),
    }  # fmt: skip


def _shown(signed: Signed) -> dict[str, str]:
    return {"body": signed.body.hex(), "signature": signed.signature.hex()}


def _line_ups() -> dict[str, object]:
    """Line-ups, and what leads to them; the proof of two answers."""
    answers = (Answering(a.Stop()), Answering(a.Pass()))
    two = [Entry.sign(SEATS[1], 1, 16, fill(9), 1, answer) for answer in answers]
    proof = lineups.CheatProof(tuple(entry.signed for entry in two))
    instance, seat = fill(2, 8), SEATS[1]
    out = lineups.Change(0, lineups.Reason.ABSENT)
    back = lineups.Change(2, lineups.Reason.BACK, instance)
    up = lineups.LineUp.build(GAME, 3, fill(1), (17, HEAD_BYTES), fill(6), (out, back), (fill(4),))
    anew = lineups.LineUp.build(GAME, 4, fill(1), (17, HEAD_BYTES), fill(6), (), None)
    wish = lineups.sign_wish(
        seat, GAME, 1, 5, without=(0, 2), refused=((2, instance),), stops=True, is_away=True
    )
    seals = {n: up.assent(SEATS[n]) for n in (1, 2)}
    return {
        "proof of two answers": {"body": proof.pack().hex(), "id": proof.id.hex()},
        "line-up": {**_shown(up.signed(seals)), "line-up id": up.id.hex()},
        "line-up that begins with rows": {
            **_shown(anew.signed({1: anew.assent(seat)})), "line-up id": anew.id.hex(),
        },
        "leave": _shown(lineups.Leave.sign(seat, GAME, 1, 2, 3).signed),
        "wish": _shown(wish.signed),
        "here": _shown(lineups.Here.sign(seat, GAME, 1, instance).signed),
        "ready": _shown(lineups.Ready.sign(seat, GAME, 1, 3, up.id, instance).signed),
        "program": {"body": records.ProgramNamed("kotp2p", "1.0").signed.body.hex()},
    }  # fmt: skip


def entries() -> dict[str, object]:
    made: dict[str, object] = {}
    for name, load in _payloads().items():
        entry = Entry.sign(SEATS[1], 3, 17, HEAD_BYTES, 1, load)  # type: ignore[arg-type]
        made[name] = {**_shown(entry.signed), "id": entry.id.hex()}
    made["gather of ids 01*32, 02*32 at head bb*32, height 17"] = crypto.digest(
        crypto.Tag.GATHER, GAME, HEAD_BYTES, 17, fill(1), fill(2)
    ).hex()
    made["head"] = _shown(sign_head(SEATS[1], GAME, 1, 3, 17, HEAD_BYTES))
    made |= _line_ups()
    where = addresses.SignedAddress.sign(
        SEATS[1], GAME, 1, 3, (("192.168.1.7", 40_001), ("fd00::7", 40_001))
    )
    made["address"] = _shown(where.signed)
    made["chat"] = _shown(ChatLine.sign(SEATS[1], GAME, 1, 5, "hello").signed)
    return made


def second_look() -> dict[str, object]:
    step = steps.Sharing(0, 1, crypto.exchange_public_key(fill(7)), 9)
    context = referee_feed.share_context(GAME, 17, step)
    look = crypto.derive(SEEDS[1], crypto.Tag.LOOK_KEY, TABLE, 9)
    share = crypto.derive(
        SEEDS[0], crypto.Tag.SHARE_KEY, TABLE, 9, crypto.exchange_public_key(look)
    )
    return {
        "secret of a look, seed 52*32, table cc*32, slot 9": look.hex(),
        "its key": crypto.exchange_public_key(look).hex(),
        "secret of the share for it, seed 51*32": share.hex(),
        "its key as sender": crypto.exchange_public_key(share).hex(),
        "refused key of a look": bytes(32).hex(),
        "taker's secret": fill(7).hex(),
        "taker's key": step.key.hex(),
        "giver's secret": fill(8).hex(),
        "giver's key": crypto.exchange_public_key(fill(8)).hex(),
        "contribution": fill(9).hex(),
        "associated data": context.hex(),
        "sealed": crypto.seal(fill(8), step.key, fill(9), context).hex(),
    }


def start() -> dict[str, object]:
    genesis, rows = small_genesis()
    table = genesis.charter.table
    seals = {n: SEATS[n].sign(crypto.Tag.GENESIS, genesis.body) for n in genesis.keepers}
    signed = Signed(BodyKind.GENESIS, genesis.body, pack_seals(seals))
    game = Game(genesis.charter.setup())
    return {
        "fresh": fill(0x0F).hex(),
        "seeds": [s.hex() for s in SEEDS[:2]],
        "table": table.hex(),
        "sealed": [
            r.nonce_commitment(table, s.key).hex() for r, s in zip(rows, SEATS[:2], strict=True)
        ],
        "genesis body": genesis.body.hex(),
        "seals": signed.signature.hex(),
        "game id": genesis.id.hex(),
        "phrase": genesis.phrase,
        "first position": [number for _, number in game.position()],
        "its digest": game.digest().hex(),
        "log head": records.pack_head(genesis.id[: records.SALT_BYTES]).hex(),
        "record 0": records.pack_record(genesis.id[: records.SALT_BYTES], 0, signed).hex(),
    }


def moves() -> dict[str, object]:
    return {
        name: pack(answer_to_value(load.answer, load.secret)).hex()
        for name, load in _payloads().items()
        if isinstance(load, Answering)
    }


BY_HAND = {"names.json", "texts.json", "keys.json"}
FILES: dict[str, Callable[[], dict[str, object]]] = {
    "encoding.json": encoding,
    "hashes.json": hashes,
    "draws.json": dice_and_cards,
    "boxes.json": vector_positions.boxes,
    "positions.json": vector_positions.positions,
    "answers.json": moves,
    "entries.json": entries,
    "second-look.json": second_look,
    "start.json": start,
    "announcements.json": vector_frames.announcements,
    "frames.json": vector_frames.all_frames,
    "links.json": vector_frames.links,
    "lineups.json": vector_lineup_cases.all_sequences,
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, make in FILES.items():
        text = json.dumps(make(), indent=1, ensure_ascii=False)
        (FOLDER / name).write_text(text + "\n", "utf-8")
    vector_logs.write(FOLDER / "logs")


if __name__ == "__main__":
    tool_line.tool_parser("tests.tools.vectors", __doc__).parse_args()
    main()
