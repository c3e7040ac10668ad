"""Who sits at a simulated table: decisions, answers to offers, coming back, leaving."""

from dataclasses import dataclass
from random import Random

from kotp2p.extras.bots import Noise, choose
from kotp2p.mesh.gossip import AskDecision
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Answer, Face, Peek, Seat
from kotp2p.referee.model.decisions import BuyDecision
from kotp2p.seams.notices import LineUpBegun, Notice, Offer, ReturnAsked
from tests.tools.sim.mesh import Mesh, Process

FACES = tuple(Face)
HEALED_THINKING = 0.5


@dataclass
class Person:
    """The player of a keeper, through all lives of its program."""

    keeper: Seat
    thinking: float
    """Mean seconds before an answer."""
    haste: float
    """The chance that an offer to go on is taken up."""
    dozes: float
    """The chance that a question is answered minutes later."""
    looks: bool
    trust: int = 4
    """How often somebody is let back who has held up the game."""


@dataclass
class People:
    mesh: Mesh
    chance: Random
    persons: dict[Seat, Person]
    level: str
    is_healed: bool = False
    """From now on all answer soon, and go on where they can."""

    def __post_init__(self) -> None:
        self.mesh.on_ask = self.ask
        self.mesh.on_notice.append(self.show)

    def heal(self) -> None:
        self.is_healed = True
        self._press_again()

    def _pause(self, person: Person) -> float:
        mean = HEALED_THINKING if self.is_healed else person.thinking
        return 0.05 + self.chance.expovariate(1 / mean)

    # -- decisions ---------------------------------------------------------------------------

    def ask(self, process: Process, asked: AskDecision) -> None:
        person = self.persons[process.keeper]
        pause = self._pause(person)
        if asked.seat != process.keeper:
            pause = 0.1  # a bot answers
        elif not self.is_healed and self.chance.random() < person.dozes:
            pause = self.chance.uniform(30, 400)
        self.mesh.after(pause, lambda: self._answer(process, asked))

    def _answer(self, process: Process, asked: AskDecision) -> None:
        peer = process.peer
        if peer.ledger.place == asked.place and peer.ledger.game.pending == asked.decision:
            answer = self._choose(peer, asked)
            self.mesh.do(
                process, lambda peer: peer.accept_answer(
                    asked.place, asked.seat, answer, self.mesh.now
                )
            )  # fmt: skip

    def _choose(self, peer: Peer, asked: AskDecision) -> Answer:
        view, decision = peer.view_of(asked.seat), asked.decision
        person = self.persons[peer.seat]
        if person.looks and isinstance(decision, BuyDecision) and decision.peek:
            return Peek()
        noise = Noise(self.chance.randbytes(16), b"")
        return choose(self.level, view.game, decision, noise, view.top)

    # -- about others ------------------------------------------------------------------------

    def show(self, process: Process, notice: Notice) -> None:
        person, mesh = self.persons[process.keeper], self.mesh
        match notice:
            case Offer(seats=seats, can_go_on=True) if seats:
                wants = self.is_healed or self.chance.random() < person.haste
                if wants or self.chance.random() < 0.5:
                    pause = self._pause(person)
                    mesh.after(pause, lambda: mesh.do(process, lambda p: p.go_on(wants, mesh.now)))
            case ReturnAsked(seat=seat) if mesh.runs(seat) and person.trust > 0:
                person.trust -= 1
                mesh.after(
                    self._pause(person),
                    lambda: mesh.do(process, lambda p: p.let_back(seat, mesh.now)),
                )
            case LineUpBegun(changes=changes):
                if any(c.keeper == person.keeper and c.reason.puts_out for c in changes):
                    pause = self._pause(person) + self.chance.uniform(0, 120)
                    mesh.after(pause, lambda: mesh.do(process, lambda p: p.come_back(mesh.now)))
            case _:
                pass

    def _press_again(self) -> None:
        """All that is offered still is taken up, and those that are out come back."""
        mesh = self.mesh
        for process in mesh.processes.values():
            if process.is_alive and process.ended is None and not process.is_asleep:
                if process.peer.absence.offered.can_go_on:
                    mesh.do(process, lambda p: p.go_on(True, mesh.now))
                if process.keeper not in process.peer.ledger.roster.members:
                    mesh.do(process, lambda p: p.come_back(mesh.now))
        mesh.after(20, self._press_again)
