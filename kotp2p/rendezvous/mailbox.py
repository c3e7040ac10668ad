"""What a mailbox server says and is told, read as a stranger's.

Scope: the messages of magic-wormhole's mailbox protocol that this program uses, as text frames of
JSON: welcome, message, pong and error come in; bind, open, add, ping and close go out. Everything
is bounded, and what breaks a bound ends the connection with one sentence.
"""

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.rendezvous.exchange import APP_ID, MAX_BODY_BYTES
from kotp2p.wire.addresses import is_one_machine
from kotp2p.wire.encoding import clean_text

MAX_FRAME_BYTES = 16_384
MAX_MESSAGES = 200
"""Messages within a minute, after the old ones have come."""
MESSAGES_SECONDS = 60.0
MAX_OLD_MESSAGES = 2000
"""What a mailbox may hold when it is opened."""
MAX_SHOWN_TEXT = 200
MAX_PHASE = 40
CROWDED = "crowded"


class MailboxFault(Exception):
    """The server says what no mailbox server says, or too much; the message is technical."""


class Flood(MailboxFault):
    """More is said than is read here, by the server or by strangers at this number."""


@dataclass(frozen=True, slots=True)
class Welcome:
    seen_at: str
    """The address from which the server sees this process; empty: it does not say."""
    error: str
    """Why it wants no clients; empty: it does."""


@dataclass(frozen=True, slots=True)
class Message:
    side: str
    phase: str
    body: bytes
    received_at: float
    """When the server has received it, by its own clock; 0: it does not say."""
    is_old: bool
    """The mailbox held it when it was opened."""


@dataclass(frozen=True, slots=True)
class AllOld:
    """All that the mailbox held has come; `now` is the server's clock, 0 if it does not say."""

    now: float


@dataclass(frozen=True, slots=True)
class Complaint:
    """The server refuses what was sent to it."""

    text: str

    @property
    def is_crowded(self) -> bool:
        return self.text == CROWDED


Heard: TypeAlias = Welcome | Message | AllOld | Complaint


@dataclass(slots=True)
class MailboxReader:
    _has_all_old: bool = False
    _old: int = 0
    _times: deque[float] = field(default_factory=deque)

    def read(self, frame: str | bytes, now: float) -> Heard | None:
        """Read a frame of the server, None if it means nothing here; raise MailboxFault."""
        self._count(now)
        if not isinstance(frame, str) or len(frame.encode("utf-8", "replace")) > MAX_FRAME_BYTES:
            raise MailboxFault("a frame that is no text, or too long")
        try:
            found = json.loads(frame)
        except (ValueError, RecursionError) as fault:
            raise MailboxFault("a frame that is no JSON") from fault
        if not isinstance(found, dict):
            raise MailboxFault("a frame that is no object")
        match found.get("type"):
            case "welcome":
                return _read_welcome(found.get("welcome"))
            case "message":
                return self._read_message(found)
            case "pong":
                was_new, self._has_all_old = self._has_all_old, True
                return None if was_new else AllOld(_time(found.get("server_tx")))
            case "error":
                return Complaint(_shown(found.get("error")))
            case str():  # "ack", "closed", or what a later server says
                return None
            case _:  # nothing of the protocol
                raise MailboxFault("an object without a type")

    def _count(self, now: float) -> None:
        if not self._has_all_old:
            self._old += 1
            if self._old > MAX_OLD_MESSAGES:
                raise Flood("too much in the mailbox")
            return
        while self._times and self._times[0] <= now - MESSAGES_SECONDS:
            self._times.popleft()
        self._times.append(now)
        if len(self._times) > MAX_MESSAGES:
            raise Flood("too many messages")

    def _read_message(self, found: Mapping[str, object]) -> Message | None:
        """Read a message; return None for one of a stranger; raise MailboxFault."""
        side, phase, body = found.get("side"), found.get("phase"), found.get("body")
        if not (isinstance(side, str) and isinstance(phase, str) and isinstance(body, str)):
            raise MailboxFault("a message without its fields")
        if len(phase) > MAX_PHASE or len(body) > 2 * MAX_BODY_BYTES:
            return None
        try:
            data = bytes.fromhex(body)
        except ValueError:
            return None
        return Message(side, phase, data, _time(found.get("server_rx")), not self._has_all_old)


def _read_welcome(found: object) -> Welcome:
    if not isinstance(found, dict):
        raise MailboxFault("a welcome without its fields")
    error = found.get("error")
    seen = found.get("your-address")
    where = ""
    if isinstance(seen, dict):
        given = seen.get("ipv4") or seen.get("ipv6")
        where = given if isinstance(given, str) and is_one_machine(given) else ""
    return Welcome(where, "" if error is None else _shown(error) or "?")


def _shown(found: object) -> str:
    return clean_text(found[:MAX_SHOWN_TEXT]) if isinstance(found, str) else ""


def _time(found: object) -> float:
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return float(found) if is_number and 0 < found < 1e12 else 0.0  # type: ignore[operator,arg-type]  # the line above


# -- what goes out ---------------------------------------------------------------------------


def bind(side: str) -> str:
    return json.dumps({"type": "bind", "appid": APP_ID, "side": side})


def open_mailbox(name: str) -> str:
    return json.dumps({"type": "open", "mailbox": name})


def ping() -> str:
    """Ask for a pong. The server answers in order: the first one ends what the mailbox held."""
    return json.dumps({"type": "ping", "ping": 1})


def add(phase: str, body: bytes) -> str:
    return json.dumps({"type": "add", "phase": phase, "body": body.hex()})


def close_mailbox(name: str) -> str:
    return json.dumps({"type": "close", "mailbox": name, "mood": "happy"})
