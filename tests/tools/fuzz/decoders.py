"""Decoders under fuzz: documented errors only, and what decodes encodes to the same bytes."""

import random

from kotp2p.lobby.known_keys import KnownKeys, check_head, read_sealed_text
from kotp2p.net.entrance import Passes, is_whole, server_name
from kotp2p.net.invitation import Invitation
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.store.game_files import SignedStart
from kotp2p.store.saved_game import SavedPlaces
from kotp2p.wire.addresses import SignedAddress
from kotp2p.wire.crypto import KEY_BYTES
from kotp2p.wire.encoding import MAX_FRAME_BYTES, pack, unpack
from kotp2p.wire.entries import BodyKind, ChatLine, Entry, Head, Signed, pack_seals, unpack_seals
from kotp2p.wire.frames import FrameDecoder, decode, encode, pack_with_length
from kotp2p.wire.genesis import PROTOCOL_VERSION, Genesis
from kotp2p.wire.lineups import BOT, STOP, CheatProof, Here, Leave, LineUp, Ready, Wish
from kotp2p.wire.records import ProgramNamed
from tests.support.tls_links import hello
from tests.tools.fuzz import errors, seeds
from tests.tools.fuzz.mutate import Mutator
from tests.tools.vector_table import GAME


def again(signed: Signed) -> bytes:
    """The body, read and written again from what was read."""
    match signed.kind:
        case BodyKind.GENESIS:
            genesis = Genesis.parse(signed.body)
            rows = tuple(row.value() for row in genesis.rows)
            return pack((PROTOCOL_VERSION, RULES_VERSION, genesis.charter.value(), rows))
        case BodyKind.PLAY | BodyKind.SHARE:
            e = Entry.parse(signed)
            load = (int(e.payload.TYPE), e.payload.value())
            return pack((e.attempt, e.height, e.prev, e.seat, *load))
        case BodyKind.LINE_UP:
            up = LineUp.parse(signed.body, GAME)
            plan = tuple(change.value() for change in up.plan)
            base = (*up.base, up.position)
            return pack((GAME, up.attempt, up.predecessor, *base, plan, up.openings))
        case BodyKind.LEAVE | BodyKind.READY | BodyKind.WISH | BodyKind.HERE:
            return _fact_again(signed)
        case BodyKind.HEAD:
            head = Head.parse(signed, GAME)
            process = (head.seat, head.instance, head.beat)
            return pack((GAME, head.attempt, head.height, head.head, *process))
        case BodyKind.ADDRESS:
            where = SignedAddress.parse(signed, GAME)
            carrier = where.carrier
            told = ("", b"") if carrier is None else (carrier.relay, carrier.key)
            return pack((GAME, where.seat, where.sequence, where.targets, *told))
        case BodyKind.CHEAT_PROOF:
            return CheatProof.unpack(signed.body).pack()
        case BodyKind.CHAT:
            line = ChatLine.parse(signed, GAME)
            return pack((GAME, line.seat, line.serial, line.words))
        case BodyKind.PROGRAM:
            named = ProgramNamed.parse(signed._replace(signature=b""))
            return pack((named.name, named.version))


def _fact_again(signed: Signed) -> bytes:
    """As `again`, of what leads to line-ups."""
    match signed.kind:
        case BodyKind.LEAVE:
            gone = Leave.parse(signed, GAME)
            return pack((GAME, gone.seat, gone.line_up, gone.attempt))
        case BodyKind.READY:
            ready = Ready.parse(signed, GAME)
            return pack((GAME, ready.seat, ready.attempt, ready.lineup, ready.instance))
        case BodyKind.WISH:
            w = Wish.parse(signed, GAME)
            flags = w.stops * STOP + w.is_away * BOT
            return pack((GAME, w.seat, w.serial, w.without, w.refused, flags))
        case _:  # HERE
            here = Here.parse(signed, GAME)
            return pack((GAME, here.seat, here.instance))


def body(signed: Signed) -> bool:
    """Whether it is well formed; an assertion fails if it does not come back."""
    try:
        written = again(signed)
    except errors.DECODING:
        return False
    except errors.GENESIS:
        assert signed.kind is BodyKind.GENESIS
        return False
    assert written == signed.body, "decodes, but encodes to other bytes"
    return True


def frame(data: bytes) -> bool:
    try:
        found = decode(data)
    except errors.DECODING:
        return False
    if found is None:
        return True
    assert encode(found)[4:] == data, "decodes, but encodes to other bytes"
    if isinstance(found, Signed):
        body(found)
    return True


def seals(data: bytes) -> bool:
    try:
        found = unpack_seals(data)
    except errors.DECODING:
        return False
    assert pack_seals(found) == data
    return True


def places(data: bytes) -> bool:
    try:
        found = SavedPlaces.decode(data)
    except errors.DECODING:
        return False
    assert found.encode() == data
    return True


def signed_start(data: bytes) -> bool:
    try:
        found = SignedStart.decode(data, seeds.START.signer)
    except errors.GENESIS:
        return False
    assert found is None or found.encode() == data
    return found is not None


def stream(data: bytes, chance: random.Random, limit: int = MAX_FRAME_BYTES) -> bool:
    """The same bodies and error however the bytes are cut; at most a frame and a rest are held."""
    whole, pieces = FrameDecoder(limit), FrameDecoder(limit)
    wanted, in_one = _fed(whole, data)
    got: list[bytes] = []
    good, at = True, 0
    while good and at < len(data):
        until = at + 1 + int(chance.random() ** 3 * 70)
        more, good = _fed(pieces, data[at:until])
        got += more
        at = until
        assert len(pieces._buffer) <= 4 + limit + 71
    assert (got, good) == (wanted, in_one), "cut otherwise, other frames"
    return good


def _fed(decoder: FrameDecoder, data: bytes) -> tuple[list[bytes], bool]:
    found: list[bytes] = []
    try:
        for one in decoder.feed(data):
            found.append(one)
    except errors.DECODING:
        return found, False
    return found, True


def frames(chance: random.Random, count: int) -> int:
    mutator = Mutator(seeds.frames(), chance)
    return sum(frame(mutator.next()) for _ in range(count))


def bodies(chance: random.Random, count: int) -> int:
    """Every kind's reader, on bodies of its own kind and now and then of another."""
    found = seeds.bodies()
    mutators = {
        kind: Mutator([s.body for s in found if s.kind is kind], chance)
        for kind in {s.kind for s in found}
    }
    order = [s.kind for s in found if s.kind is not BodyKind.GENESIS] * 4 + [BodyKind.GENESIS]
    good = 0
    for _ in range(count):
        kind = read_as = order[int(chance.random() * len(order))]
        if chance.random() < 0.05:
            read_as = order[int(chance.random() * len(order))]
        good += body(Signed(read_as, mutators[kind].next(), b""))
    return good


def invitation(text: str) -> bool:
    """What is read can be written, and read again; places may be spelled otherwise."""
    try:
        found = Invitation.parse(text)
    except errors.INVITATION:
        return False
    assert Invitation.parse(found.as_link()) == found
    return True


def known_keys(data: bytes) -> bool:
    """What is read can be written, and read again; of two alike the later one counts."""
    found, again = KnownKeys(), KnownKeys()
    try:
        found.decode(data)
    except errors.DECODING:
        return False
    again.decode(found.encode())
    assert again.people() == found.people()
    return True


def identity_text(data: bytes) -> bool:
    """What stands behind the seal of an exported identity. It is its writer's own."""
    try:
        found = read_sealed_text(data)
    except errors.DECODING:
        return False
    assert len(found.key) == KEY_BYTES
    return True


def identity_head(data: bytes) -> bool:
    try:
        check_head(data)
    except errors.IDENTITY:
        return False
    return True


def first_record(data: bytes) -> bool:
    """Whether a name is in it. A pass is good once, whatever is behind its record."""
    name = server_name(data)
    passes = Passes(bytes(10))
    is_pass = passes.take(name)
    assert not passes.take(name)
    assert server_name(data + b"more") == name or not is_whole(data)
    assert is_pass <= (name == seeds.PASS)
    return name != ""


def pieces(chance: random.Random, count: int) -> int:
    """Streams of frames, seals, invitations, first records of TLS, and the files of places, of
    signed starts, of known keys and of identities."""
    framer = Mutator(seeds.frames(), chance)
    placer = Mutator([seeds.places()], chance)
    starter = Mutator([seeds.START.encode()], chance)
    knower = Mutator([seeds.known_keys()], chance)
    carrier = Mutator([seeds.identity_text()], chance)
    hellos = (hello(seeds.PASS), hello(None))
    whole = pack_seals({seat: bytes((seat,)) * 64 for seat in range(6)})
    good = 0
    for n in range(count):
        match n % 6:
            case 0:
                data = b"".join(
                    pack_with_length(unpack(one)) for one in chance.choices(seeds.frames(), k=3)
                )
                good += stream(framer.turned(data), chance)
            case 1:
                good += seals(framer.turned(whole[65 * int(chance.random() * 6) :]))
            case 2:
                good += places(placer.next())
                good += signed_start(starter.next())
            case 3:
                good += known_keys(knower.next())
                good += identity_text(carrier.next())
                good += identity_head(framer.turned(seeds.IDENTITY))
            case 4:
                good += first_record(framer.turned(chance.choice(hellos)))
            case _:
                link = framer.turned(framer.turned(seeds.INVITATION.encode()))
                good += invitation(link.decode("latin-1"))
    return good
