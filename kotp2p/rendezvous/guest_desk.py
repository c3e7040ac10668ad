"""The side of a guest at a mailbox, without I/O: one attempt to be introduced.

Scope: which message is the host's answer to this guest, and what follows from it.
Not here: how often it is tried (`kotp2p.shell.by_code`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.rendezvous.exchange import Entropy, GuestExchange, Introduction, WrongWords
from kotp2p.rendezvous.host_desk import HOST_SIDE, WRONG_WORDS, Answer
from kotp2p.rendezvous.mailbox import Message
from kotp2p.rendezvous.words import Code
from kotp2p.wire.encoding import BadBytes


@dataclass(slots=True)
class GuestDesk:
    code: Code
    entropy: Entropy
    program: str = ""
    has_answer: bool = False
    """A host has answered, right or wrong."""
    is_refused: bool = False
    """Somebody says that the words are wrong. Anybody can say so, so a right answer still
    counts."""
    _exchange: GuestExchange = field(init=False)

    def __post_init__(self) -> None:
        self._exchange = GuestExchange(self.code, self.entropy, self.program)

    def open(self) -> Answer:
        return Answer(f"{self._exchange.id}/1", self._exchange.open())

    def hear(self, message: Message, seen_at: str) -> Answer | Introduction | None:
        """What is to be added next, or how to come to the table. Raises OtherVersion."""
        guest, _slash, step = message.phase.partition("/")
        if message.side != HOST_SIDE or guest != self._exchange.id:
            return None
        try:
            if step == "2" and not self.has_answer:
                confirmation = self._exchange.confirm(message.body, seen_at)
                self.has_answer = True
                return Answer(f"{guest}/3", confirmation)
            if step == "4" and message.body == WRONG_WORDS:
                self.is_refused = True
            elif step == "4":
                return self._exchange.read_introduction(message.body)
        except (BadBytes, WrongWords):
            return None  # a stranger's, who plays the host here
        return None
