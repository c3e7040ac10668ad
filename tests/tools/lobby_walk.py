"""Lobbies on a walk: all that can happen to a host and its guests, and all that they do about it.

    python -m tests.tools.lobby_walk --seed 3
    python -m tests.tools.lobby_walk

The first prints each step of a walk with its effects. The second takes what the lobbies do now for
right, and writes a digest of each walk.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from random import Random

from kotp2p.lobby.guest import FollowedStart, GuestLobby
from kotp2p.lobby.host import HostLobby, TableOffer
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy, people_to_remember
from kotp2p.referee.box.rulesets import Options
from kotp2p.seams.endings import EndKind
from kotp2p.wire import crypto, encoding, entries, frames
from tests.support.lobby_room import Room, as_read
from tests.support.memory_world import seeded
from tests.support.paths import ROOT
from tests.support.tool_line import tool_parser

RECORDED = ROOT / "tests" / "kotp2p" / "lobby" / "walks.json"
"""By seed: the digest of the walk."""
STEPS = 150
ODD_NAMES = ("the host", "!", "Bo", "2", "3", "4", "5")
NAMES = ("Rex", "rex", "Kim", "Otto", "Ana", "Guest-2", "Guest", *ODD_NAMES)
MONSTERS = ("Kraken", "gigazaur", "the", "Hydra", "", "pan", "Cyber Bunny")
ADDRESSES = ("", "10.0.0.9", "10.0.0.8", "127.0.0.1", "192.168.7.7", "2001:db8::1", "2001:db8::2")
PAUSES = ((0.0, 0.0, 0.0, 0.25, 1.0), (0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0))
"""Of a walk in haste, and of another one. All sums of them are exact."""
Act = Callable[[], object]


def in_words(value: object) -> str:
    """As `repr` has it, but the same in every process: a set has no order there."""
    if is_dataclass(value):
        return f"{type(value).__name__}{in_words([getattr(value, f.name) for f in fields(value)])}"
    if isinstance(value, frozenset):
        return f"set{in_words(sorted(value))}"
    parts = value if isinstance(value, tuple | list) else None
    return repr(value) if parts is None else f"({', '.join(map(in_words, parts))})"


@dataclass
class Walk(Room):
    seed: int = 0
    now: float = 0.0
    lines: list[str] = field(default_factory=list)
    _joined: int = 0

    @property
    def is_calm(self) -> bool:
        """Whether most starts come to their end, as nobody knows much, or does."""
        return self.seed % 2 == 0

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.known = self._known()
        self._open_lobby()

    def _open_lobby(self) -> None:
        self.guests, self.told, self.deaf, self.signed = {}, [], set(), {}
        one, by_itself = self.chance, self.chance.random() < 0.3
        kept = tuple(self._signer(number).key for number in (2, 3)) if one.random() < 0.3 else ()
        offer = TableOffer(
            "second", one.randint(3, 6), start_when_full=by_itself,
            order=(self._signer(0).key, *kept, b"") if kept else (),
            monsters=("Gigazaur", "Kraken") if kept else (), energy_for_two=one.random() < 0.5,
            options=Options(two_player=not by_itself and one.random() < 0.1),
        )  # fmt: skip
        self.host = HostLobby(
            self._signer(0), one.choice(NAMES), one.choice(MONSTERS), offer, 4242,
            seeded(f"host {self.seed}"), self.known,
            one_game=one.random() < 0.1, automatic=one.random() < 0.1,
        )  # fmt: skip
        for _ in range(3):
            self._come()
            self.pump(self.now)

    def _signer(self, number: int) -> crypto.Signer:
        return crypto.Signer(bytes([10 + number]) * 32)

    def _known(self) -> KnownKeys:
        known = KnownKeys(self.chance.choice((*NewKeyPolicy, *[NewKeyPolicy.ASK] * 5)))
        names = self.chance.choice(
            ((), NAMES[9:10]) if self.is_calm else (("Rex", "Bo"), NAMES[:6])
        )
        known.remember((name, self._signer(20 + at).key) for at, name in enumerate(names))
        return known

    def see(self, source: int, effect: object) -> None:
        self.lines.append(f"  {source} {in_words(effect)}")

    def altered_by_host(self, link: int, frame: frames.Frame) -> frames.Frame | None:
        is_seal = isinstance(frame, entries.Signed)
        if isinstance(frame, frames.AllSealed) and self.chance.random() < 0.1:
            return replace(frame, commitments=frame.commitments[::-1])
        return None if self.chance.random() < (0.4 if is_seal else 0.02) else frame

    def altered(self, link: int, frame: frames.Frame) -> frames.Frame:
        if self.chance.random() > 0.05:
            return frame
        if isinstance(frame, frames.Sealed):
            return replace(frame, commitment=bytes(32))
        return frames.Ping()

    def step(self) -> None:
        self.now += self.chance.choice(PAUSES[self.seed % 3 > 0])
        if self.host.start.has_begun and self.chance.random() < 0.2:
            players = self.begun[0].genesis.players
            self.known.remember(people_to_remember(players, self.host.signer.key), f"{self.now}")
            met = people_to_remember(players, b"")
            names = [self.known.name_of(self._signer(number).key) for number in range(9)]
            self.lines.append(in_words((self.known.people(), met, names)))
            self._open_lobby()
        is_for_host = self.chance.random() < 0.4 and not self.host.start.has_begun
        acts: list[Act] = self._acts_of_host() if is_for_host else [self._pass_time, self._come]
        if self.is_calm and self.host.start.is_open and self.chance.random() < 0.3:
            acts = [partial(self.host.start_game, self.now)]
        if self.guests and self.chance.random() < (0.25 if self.is_calm else 0.5):
            acts = self._acts_of(self.chance.choice(list(self.guests)))
        act = self.chance.choice(acts)
        try:
            for _ in range(self.chance.choice((1, 1, 1, 1, 1, 1, 1, 2, 60))):
                act()
        except encoding.BadBytes:
            self.lines.append("  refused")
        self.pump(self.now)
        for link in [link for link, guest in self.guests.items() if guest.is_over]:
            del self.guests[link]
            self.host.lose_link(link, self.now)
        self.pump(self.now)
        waits = [self.host.deadline, *(guest.deadline for guest in self.guests.values())]
        host = self.host
        kept = sorted(host._board._answered), sorted(host._seat_pace._of_network)
        seats = host.seating.seats, host.start.phase.state, kept
        at_table = [(g._phase.state, frozenset(g.keys_at_table)) for g in self.guests.values()]
        waits_in_words = [round(wait, 3) for wait in waits]
        self.lines.append(f"{self.now:.3f} {waits_in_words} {in_words(seats)} {in_words(at_table)}")

    def _come(self) -> None:
        if len(self.guests) > 5:
            return
        self._joined += 1
        number, one = self.chance.randint(0, 8), self.chance
        guest = GuestLobby(
            self._signer(number), one.choice(NAMES), one.choice(MONSTERS), 4000 + number,
            seeded(f"guest {self.seed} {self._joined}"), self._known(),
            one_game=one.random() < 0.2, automatic=one.random() < 0.3,
        )  # fmt: skip
        self.guests[self._joined] = guest
        self.host.accept_link(self._joined, guest.signer.key, one.choice(ADDRESSES), self.now)
        if one.random() < 0.9:
            guest.ask_for_seat(self.host.signer.key, self.now)

    def _pass_time(self) -> None:
        self.host.tick(self.now)
        self.pump(self.now)
        for guest in self.guests.values():
            guest.tick(self.now)

    def _acts_of_host(self) -> list[Act]:
        host, now, name = self.host, self.now, self.chance.choice(NAMES)
        acts: list[Act] = [
            partial(host.start_game, now), partial(host.start_game, now), host.add_bot,
            host.open_seats, partial(host.accept_key, name, now), partial(host.send_chat, name),
            partial(host.remove_player, name, now), partial(host.choices.change_name, name, now),
            partial(host.move_player, name, self.chance.randint(0, 6)),
            partial(host.choices.change_monster, self.chance.choice(MONSTERS), now),
            partial(host.choices.mark_ready, self.chance.random() < 0.7, now),
            self._add_person,
        ]  # fmt: skip
        return [host.close_table] if self.chance.random() < 0.02 else acts

    def _add_person(self) -> None:
        if self.host.start.is_open and self.host.free_seats:
            self.host.add_person(self.chance.choice(("Pat", "Rex")))

    def _acts_of(self, link: int) -> list[Act]:
        guest, now, name = self.guests[link], self.now, self.chance.choice(NAMES)
        told = self.chance.choice([*self.told, *self.told[-1:] * 30] or [(0, frames.Ping())])[1]
        key, attempt = self._signer(self.chance.randint(0, 8)).key, self.host.start._attempt
        table = key if attempt is None else attempt.ceremony.charter.table
        said = self.chance.choice((
            frames.Stand(), frames.Ping(), frames.Unsure((key,)), frames.Declined(table), told,
            frames.Sealed(key, key), frames.Choose(9, name, ""), frames.Mark(8, bytes(64)),
            frames.Sit("Kim", "", 5), *[frames.Declined(table)] * (attempt is not None) * 4,
        ))  # fmt: skip
        return [
            guest.leave_table, partial(self._break, link), partial(self._return, link),
            partial(self.deaf.symmetric_difference_update, {link}),
            partial(guest.choices.change_name, name), partial(guest.accept_key, name, now),
            partial(guest.choices.change_monster, self.chance.choice(MONSTERS)),
            partial(guest.choices.mark_ready, self.chance.random() < 0.7),
            partial(guest.send_chat, name), partial(guest.leave_unless_begun, now),
            partial(guest.tell_seals, 7), partial(self._hear_seals, guest),
            *[partial(self._say, link, said)] * 3, partial(guest.tick, now),
            partial(guest.receive_frame, told, now),
            partial(guest.receive_frame, frames.Denied(1, self.chance.randint(0, 9)), now),
            partial(self._ask, guest), partial(self._restart, link),
            partial(guest.return_to_host, self.chance.choice((self.host.signer.key, key)), now),
            partial(guest.give_up_return, EndKind.FULL, "no seat"),
        ]  # fmt: skip

    def _say(self, link: int, said: frames.Frame) -> None:
        self.host.receive_frame(link, as_read(said), self.now)

    def _break(self, link: int) -> None:
        self.host.lose_link(link, self.now)
        self.guests[link].lose_host(self.now)

    def _return(self, link: int) -> None:
        if link in self.guests and self.guests[link].is_away:
            self._joined += 1
            guest = self.guests[self._joined] = self.guests.pop(link)
            self.host.accept_link(self._joined, guest.signer.key, "10.0.0.7", self.now)
            if self.chance.random() < 0.7:
                guest.return_to_host(self.host.signer.key, self.now)

    def _ask(self, guest: GuestLobby) -> None:
        if guest._seat is None:
            guest.ask_for_seat(self.host.signer.key, self.now)

    def _restart(self, link: int) -> None:
        """Another process of the guest finds the start that it has signed."""
        kept, guest = self.signed.get(link), self.guests[link]
        if kept is not None:
            guest = self.guests[link] = GuestLobby(
                guest.signer, guest.name, guest.monster, guest.port, guest.entropy, self._known()
            )
            again = FollowedStart.recall(kept.genesis, guest.signer, kept.seed, kept.addresses)
            guest.recall_start(again, self.now)

    def _hear_seals(self, guest: GuestLobby) -> None:
        for other in self.guests.values():
            for start in other._signed:
                guest.hear_seals(7, start.ceremony.known_seals())


def walk(seed: int) -> list[str]:
    """What happens, and after each step the time and when each side wants to be woken."""
    room = Walk(seed=seed)
    for _ in range(STEPS):
        room.step()
    return room.lines


def digest_of(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


if __name__ == "__main__":
    parser = tool_parser("tests.tools.lobby_walk", __doc__)
    parser.add_argument("--seed", type=int, help="print this walk")
    seed = parser.parse_args().seed
    if seed is not None:
        print("\n".join(walk(seed)))
    else:
        found = {number: digest_of(walk(number)) for number in range(32)}
        RECORDED.write_text(json.dumps(found, indent=1) + "\n")
