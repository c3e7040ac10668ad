"""Modified peers: each is the real one but for the cheat that its class names.

`python -m tests.support.cheaters CHEAT host|join …` plays one as a process of its own, for the
tests that pit it against unmodified ones.
"""

import argparse
import functools
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import trio

from kotp2p.extras.bots import make_bot
from kotp2p.game.steps import Gather
from kotp2p.net.machine import machine_world
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Answer, Reroll, Seat, Stop
from kotp2p.referee.model.decisions import RollDecision
from kotp2p.seams import endings, notices
from kotp2p.shell import find_host, game_stage, run
from kotp2p.wire.entries import Answering, Opening, Payload, Place

AFTER = 12
"""The height from which on a cheater of gathers looks for its chance: the game is on its way. Who
cheats with a roll takes its first one: it may be out before the second."""


class Honest(Peer):
    """No modification: the same run passes."""


class Cheater(Peer):
    """Signs what it likes; after its cheat it says no more and waits to be caught."""

    def utter(self, load: Payload, seats: Iterable[int]) -> None:
        entry = self._duties.secrets.sign_entry(self.seat, load)
        for seat in seats:
            self.gossip.send(seat, entry.signed)


class IllegalMove(Cheater):
    """Rerolls a die that is not there."""

    def accept_answer(self, place: Place, seat: Seat, answer: Answer, now: float) -> None:
        if isinstance(self.ledger.game.pending, RollDecision):
            self.utter(Answering(Reroll((0, 17))), sorted(self.reachability.linked))
        else:
            super().accept_answer(place, seat, answer, now)


class TwoTongues(Cheater):
    """Tells some that it stops and others that it rolls again."""

    def accept_answer(self, place: Place, seat: Seat, answer: Answer, now: float) -> None:
        pending = self.ledger.game.pending
        if isinstance(pending, RollDecision) and pending.rolls_left:
            others = sorted(self.reachability.linked)
            self.utter(Answering(Stop()), others[::2])
            self.utter(Answering(Reroll((0,))), others[1::2])
        else:
            super().accept_answer(place, seat, answer, now)


class WrongOpening(Cheater):
    """Opens something else than it has committed."""

    def falsified(self, honest: Opening, step: Gather) -> Opening:
        return replace(honest, contributions=(bytes(32), *honest.contributions[1:]))

    def _advance_once(self, now: float) -> bool:
        step = self.ledger.step
        due = isinstance(step, Gather) and self.seat in self.ledger.owing_seats()
        if self.ledger.height < AFTER or not due:
            return super()._advance_once(now)
        assert isinstance(step, Gather)
        if self.ledger.height not in self._cheated:
            self._cheated.append(self.ledger.height)
            wrong = self.falsified(self._duties.secrets.make_opening(step), step)
            self.utter(wrong, sorted(self.reachability.linked))
        return False

    @functools.cached_property
    def _cheated(self) -> list[int]:
        return []


class CopiedCommitment(WrongOpening):
    """Shows a commitment that another seat has shown before."""

    def falsified(self, honest: Opening, step: Gather) -> Opening:
        other = next(s for s in step.contributors if s != self.seat)
        copied = self.ledger.chain.slots.committed[step.plan.stream, other, step.plan.first]
        return replace(honest, commitments=(copied, *honest.commitments[1:]))


CHEATS: dict[str, Callable[..., Peer]] = {
    "honest": Honest,
    "illegal-move": IllegalMove,
    "equivocation": TwoTongues,
    "wrong-opening": WrongOpening,
    "copied-commitment": CopiedCommitment,
}


class Saying:
    """A bot that tells the port it listens on, and nothing else."""

    def __init__(self, name: str) -> None:
        self._bot = make_bot("easy", name.encode())
        self.attach = self._bot.attach
        self.decide = self._bot.decide

    def show(self, notice: notices.Notice) -> None:
        if isinstance(notice, notices.TableOpened):
            print(f"listens on {notice.port}", flush=True)
        self._bot.show(notice)


async def play(arguments: argparse.Namespace) -> endings.Ending:
    data = Path(arguments.home) / "data"
    here = machine_world(data, data / "logs", "default")
    front = Saying(arguments.name)
    seating = run.SeatWish(arguments.name)
    if arguments.role == "host":
        options = run.HostOptions(
            players=arguments.players, start_when_full=True, bind="127.0.0.1", port=arguments.port
        )
        return await run.host(here, seating, options, front)
    table = find_host.TableAddress(("127.0.0.1",), arguments.port)
    return await run.join(here, seating, table, front)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("cheat", choices=sorted(CHEATS))
    parser.add_argument("role", choices=("host", "join"))
    parser.add_argument("--home", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--name", default="Mallory")
    arguments = parser.parse_args()
    with patch.object(game_stage, "Peer", CHEATS[arguments.cheat]):
        ending = trio.run(play, arguments)
    print(f"Log: {ending.log}")


if __name__ == "__main__":
    main()
