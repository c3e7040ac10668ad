"""The bodies of a game: those of other keepers, as they come, and those that this one signs.

A module of its own for its size; `kotp2p.peer.peer` says in which order they are dealt with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import assert_never

from kotp2p.game import referee_feed, steps, verify
from kotp2p.game.ledger import Ledger, find_author
from kotp2p.lineup.attempts import Attempts
from kotp2p.lineup.plan import Facts
from kotp2p.mesh.gossip import (
    AskDecision,
    Chat,
    Divergence,
    EarlyEntries,
    Forks,
    Gossip,
    KeepEvidence,
    WithdrawQuestion,
)
from kotp2p.referee.model.answers import Answer, BuyTop, Item, Peek, Seat
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.seams.cores import JUDGING_UNITS
from kotp2p.seams.notices import Cheated, OwnClock
from kotp2p.wire import crypto, encoding, entries
from kotp2p.wire.crypto import Stream, contribution
from kotp2p.wire.lineups import CheatProof, Here, Leave, LineUp, Ready, Wish

# -- what comes over links ---------------------------------------------------------------


MAX_KEPT_PROOFS = 16
"""Proofs of one link that cannot be judged yet are kept up to this number."""
JUDGING_AGAIN_UNITS, ASSENT_UNITS = 1, 8
"""What it costs the budget of a link to judge a proof that has waited, and a new assent."""


@dataclass(slots=True)
class HeldWords:
    """READYs, WISHes, HEREs and assents that the budgets of their authors keep back for now.

    An author that has used its budget up must not be able to show one seat what no other hears:
    they would never find the same line-up. So the newest words wait, and go along with what this
    keeper says itself. So do entries of the open step: their author may have sent them to some.
    """

    gossip: Gossip
    attempts: Attempts
    _kept: dict[Seat, dict[tuple[entries.BodyKind, bytes], tuple[Seat, entries.Signed]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    _told: Ready | None = None
    """The READY of this keeper with which the words were told last."""
    _told_entries: set[entries.Signed] = field(default_factory=set)

    def pass_on(self, source: Seat, author: Seat, signed: entries.Signed) -> None:
        """Pass on a word, now or when the budget of its author allows it."""
        kept = self._kept[author]
        is_ready = signed.kind is entries.BodyKind.READY
        kept[signed.kind, signed.body if is_ready else b""] = (source, signed)
        for key, (_, word) in list(kept.items()):
            if word.kind is entries.BodyKind.READY:
                ready = Ready.parse(word, self.attempts.ledger.genesis.id)
                if not self.attempts.keeps(ready):
                    del kept[key]
                elif ready.attempt == self.attempts.attempt:
                    self._tell(author, key)
        self.tell_some(author)

    def pass_on_line_up(self, source: Seat, lineup: LineUp, authors: Iterable[Seat]) -> None:
        kept = {author: self._kept[author] for author in authors}
        key = (entries.BodyKind.LINE_UP, lineup.body)
        has_begun = lineup.id in self.attempts.ledger.chains
        if has_begun or any(map(self.gossip.budgets.may_relay, kept)):
            self._spread_line_up(source, lineup)
            return
        for words in kept.values():
            words[key] = (source, entries.Signed(entries.BodyKind.LINE_UP, lineup.body, b""))
            for idle in [k for k, (_, word) in words.items() if self._is_forgotten(word)]:
                del words[idle]

    def _is_forgotten(self, word: entries.Signed) -> bool:
        ledger = self.attempts.ledger
        is_line_up = word.kind is entries.BodyKind.LINE_UP
        return is_line_up and LineUp.parse(word.body, ledger.genesis.id).id not in ledger.line_ups

    def _spread_line_up(self, source: Seat, lineup: LineUp) -> None:
        seals = self.attempts.ledger.seals.get(lineup.id)
        if seals is not None:
            self.gossip.spread(source, source, lineup.signed(seals))

    def tell_some(self, *authors: Seat) -> None:
        """Pass on as much as the budgets allow, what has waited longest first."""
        for author in authors or tuple(self._kept):
            for key in list(self._kept[author]):
                if not self.gossip.budgets.may_relay(author):
                    break
                self._tell(author, key)

    def tell_all(self) -> None:
        """Pass on all that this keeper may have gone by, once for each READY of its own."""
        own = self.attempts.own
        if own is None or own is self._told:
            return
        self._told = own
        for author, kept in self._kept.items():
            for key in list(kept):
                self._tell(author, key)
        for signed in self.attempts.reasons():
            self.gossip.broadcast(signed)
        for keeper, entry in self.attempts.ledger.chain.gathered.items():
            if entry.signed not in self._told_entries:
                self._told_entries.add(entry.signed)
                self.gossip.spread(keeper, keeper, entry.signed)

    def _tell(self, author: Seat, key: tuple[entries.BodyKind, bytes]) -> None:
        source, signed = self._kept[author].pop(key)
        if signed.kind is entries.BodyKind.LINE_UP:
            game = self.attempts.ledger.genesis.id
            self._spread_line_up(source, LineUp.parse(signed.body, game))
        else:
            # To its author, too: an earlier process of the same keeper may have said it.
            self.gossip.spread(source, source, signed)


MAY_FOLLOW_THE_END = frozenset({entries.BodyKind.HEAD, entries.BodyKind.CHAT})
"""What is still taken when all have confirmed the end: a log has nothing after that."""


@dataclass(slots=True)
class Intake:
    ledger: Ledger
    gossip: Gossip
    facts: Facts
    attempts: Attempts
    forks: Forks
    early: EarlyEntries
    divergence: Divergence
    chat: Chat
    report: Callable[[steps.Moved], None]
    words: HeldWords = field(init=False)
    heads: dict[Seat, tuple[bytes, int]] = field(default_factory=dict)
    """By keeper: the greatest instance and beat in its heads."""
    _early_proofs: dict[Seat, list[CheatProof]] = field(default_factory=lambda: defaultdict(list))
    _judged_at: int = -1
    """The revision of the ledger at which proofs were judged last."""

    def __post_init__(self) -> None:
        self.words = HeldWords(self.gossip, self.attempts)

    def receive_body(self, source: Seat, signed: entries.Signed, now: float) -> None:
        """Take a body; raise BadBytes or Forged for a fault of its author."""
        if self.ledger.chain.is_over and signed.kind not in MAY_FOLLOW_THE_END:
            return
        match signed.kind:
            case entries.BodyKind.PLAY | entries.BodyKind.SHARE:
                self.accept_entry(source, entries.Entry.parse(signed), now)
            case entries.BodyKind.HEAD:
                self._accept_head(source, signed, now)
            case entries.BodyKind.CHAT:
                self.chat.accept_line(source, signed, now)
            case entries.BodyKind.LINE_UP:
                self._accept_line_up(source, signed, now)
            case entries.BodyKind.LEAVE:
                self._accept_leave(source, Leave.parse(signed, self.ledger.genesis.id), now)
            case entries.BodyKind.READY | entries.BodyKind.WISH | entries.BodyKind.HERE:
                self._accept_word(source, signed, now)
            case entries.BodyKind.CHEAT_PROOF:
                self._receive_proof(source, CheatProof.parse(signed))
            case entries.BodyKind.GENESIS:
                pass  # sent before its sender knew that the start is known here
            case entries.BodyKind.ADDRESS | entries.BodyKind.PROGRAM:
                raise encoding.BadBytes("not in a game")
            case _:
                assert_never(signed.kind)

    def _note_heard(self, seat: Seat, now: float) -> None:
        self.gossip.reachability.note_heard(seat, now)

    # -- entries ---------------------------------------------------------------------------

    def accept_entry(
        self, source: Seat, entry: entries.Entry, now: float, *, keeps_early: bool = True
    ) -> None:
        if self.attempts.may_lose_end() and self.ledger.chain.would_end(entry):
            # Others may have assented to what undoes this end, and rely on this keeper.
            if self.attempts.last_end != entry:
                self.attempts.last_end = entry
                self.gossip.relay_frame(source, entry.seat, entry.signed)
            return
        try:
            moved = self.ledger.accept_entry(entry)
        except steps.Stale:
            return
        except steps.Early:
            if keeps_early:
                self._keep_early_entry(source, entry, now)
            return
        except steps.Fork:
            self.forks.answer_fork(source, entry.seat, entry.height)
            return
        except steps.Cheat as fault:
            self.note_cheat(fault)
            return
        except steps.Differs:
            second = self.divergence.note_entry(source, entry, now)
            if second is not None:
                self.note_cheat(second)
            return
        if moved is None:
            return
        author = find_author(self.ledger.genesis.players, entry, first=entry.seat)
        assert author is not None, "an entry that is taken has a signer"
        self._note_heard(author, now)
        self.gossip.append_record(entry.signed)
        self.gossip.relay_frame(source, author, entry.signed)
        second = self.divergence.find_second_entry(entry)
        if second is not None:
            moved.caught = (*moved.caught, second)
        self._report(moved)

    def _keep_early_entry(self, source: Seat, entry: entries.Entry, now: float) -> None:
        proof = self.early.keep_entry(entry)
        if proof is not None:
            self.note_cheat(proof)
        if entry.attempt > self.ledger.attempt:
            # Of the same line-up all that is missing comes by itself. A later one begins with
            # bodies that have passed this copy by.
            self.gossip.request_missing(source, now, later_line_up=True)

    def release_early_entry(self, own: Seat, now: float) -> bool:
        entry = self.early.pop_due_entry()
        if entry is None:
            return False
        with suppress(encoding.BadBytes, steps.Forged):  # its link was charged when it came
            self.accept_entry(own, entry, now, keeps_early=False)
        return True

    def _accept_head(self, source: Seat, signed: entries.Signed, now: float) -> None:
        ledger, head = self.ledger, entries.Head.parse(signed, self.ledger.genesis.id)
        steps.require_signed_by_keeper(ledger.genesis.players, head.seat, signed, "heartbeat")
        said = (head.instance, head.beat)
        if said > self.heads.get(head.seat, (b"", -1)):
            self.heads[head.seat] = said
            self._note_heard(head.seat, now)
            if source == head.seat:
                self.gossip.relay_news(source, head.seat, signed)
        if (head.attempt, head.height) > ledger.place:
            later, is_own = head.attempt > ledger.attempt, source == head.seat
            self.gossip.request_missing(source, now, later_line_up=later, own_head=is_own)
        self.forks.compare_head(source, head)

    # -- facts -----------------------------------------------------------------------------

    def _accept_word(self, source: Seat, signed: entries.Signed, now: float) -> None:
        """Accept what a keeper finds or wishes. Others may have received something else from it."""
        game = self.ledger.genesis.id
        match signed.kind:
            case entries.BodyKind.READY:
                ready = Ready.parse(signed, game)
                author, is_new = ready.seat, self.attempts.accept_ready(ready)
            case entries.BodyKind.WISH:
                wish = Wish.parse(signed, game)
                author, is_new = wish.seat, self.facts.accept_wish(wish)
            case _:  # the caller passes these three kinds
                here = Here.parse(signed, game)
                author, is_new = here.seat, self.facts.accept_here(here)
        if is_new:
            self._note_heard(author, now)
            if signed.kind is not entries.BodyKind.READY:
                self.facts.note_word(author, now)
            self.words.pass_on(source, author, signed)

    def _accept_leave(self, source: Seat, leave: Leave, now: float) -> None:
        moved = self.ledger.accept_leave(leave)
        if moved is not None:
            self._note_heard(leave.seat, now)
            self.gossip.append_record(leave.signed)
            self.gossip.spread(source, leave.seat, leave.signed)
            self._report(moved)

    def _accept_line_up(self, source: Seat, signed: entries.Signed, now: float) -> None:
        lineup = LineUp.parse(signed.body, self.ledger.genesis.id)
        known = set(self.ledger.seals.get(lineup.id, ()))
        moved = self.ledger.accept_line_up(signed)
        if moved is None:
            return
        self.gossip.budgets.charge_work(source, ASSENT_UNITS)
        seals = self.ledger.seals.get(lineup.id)
        if seals is None:  # its author has assented to too many that nobody else has found
            self._report(moved)
            return
        if lineup.id in self.ledger.chains:
            pass
        elif lineup.predecessor not in self.ledger.chains:
            self.gossip.request_missing(source, now, later_line_up=True)
        elif lineup.height > self.ledger.chains[lineup.predecessor].height:
            self.gossip.request_missing(source, now)
        self.words.pass_on_line_up(source, lineup, sorted(seals.keys() - known))
        self._report(moved)

    # -- cheats ----------------------------------------------------------------------------

    def _receive_proof(self, source: Seat, proof: CheatProof) -> None:
        """Judge a proof of another peer; raise BadBytes or Forged."""
        if proof.id in self.ledger.proofs:
            return
        self.gossip.budgets.charge_work(source, JUDGING_UNITS)
        try:
            self._take_proof(proof)
        except (steps.Early, steps.Fork):
            kept = self._early_proofs[source]
            if proof not in kept and len(kept) < MAX_KEPT_PROOFS:
                kept.append(proof)

    def judge_proofs_again(self) -> None:
        """Judge the proofs that came before the place, or the line-up, that they are about."""
        if not self._early_proofs or self._judged_at == self.ledger.revision:
            return
        self._judged_at = self.ledger.revision
        for source, kept in list(self._early_proofs.items()):
            waiting = []
            for proof in kept:
                self.gossip.budgets.charge_work(source, JUDGING_AGAIN_UNITS)
                try:
                    self._take_proof(proof)
                except (steps.Early, steps.Fork):
                    waiting.append(proof)
                except (encoding.BadBytes, steps.Forged):
                    pass  # it shows nothing on the past that it names
            self._early_proofs[source] = waiting
            if not waiting:
                del self._early_proofs[source]

    def note_cheat(self, fault: steps.Cheat) -> None:
        """Show a cheat to the front and to all, if it can be proven to others."""
        with suppress(encoding.BadBytes, steps.Forged, steps.Early, steps.Fork):
            self._take_proof(fault.proof)

    def _take_proof(self, proof: CheatProof) -> None:
        if self.ledger.is_one_too_many(proof) or (moved := self.ledger.accept_proof(proof)) is None:
            return
        (fault,) = moved.caught
        if not self.ledger.chain.is_over:
            self.gossip.append_record(proof.signed)
        self.gossip.broadcast(proof.signed)
        if len(self.ledger.convicts[fault.seat]) == 1:
            self.gossip.show(Cheated(fault.seat, fault.kind, fault.height, fault.detail))
            data = verify.make_evidence(self.ledger, fault)
            self.gossip.effects.append(KeepEvidence(fault.seat, fault.height, data))
        moved.caught = ()
        self._report(moved)

    def _report(self, moved: steps.Moved) -> None:
        caught, moved.caught = moved.caught, ()
        self.report(moved)
        for fault in caught:
            self.note_cheat(fault)


# -- duties --------------------------------------------------------------------------------


@dataclass(slots=True)
class OwnTime:
    """The time that the player of the own seat has left, as this process counts it."""

    ledger: Ledger
    _turn: int = -1
    _used: float = 0.0
    _asked_at: float = 0.0

    def note_question(self, now: float) -> OwnClock | None:
        """Note that the own seat is asked; return what is left for it if there is a limit."""
        clocks, state = self.ledger.genesis.charter.clocks, self.ledger.game.state
        step = self.ledger.step
        is_own_turn = isinstance(step, steps.Solo) and step.seat == state.active
        if self._turn != self.ledger.chain.turns:
            self._turn, self._used = self.ledger.chain.turns, 0.0
        self._asked_at = now
        limit = clocks.turn if is_own_turn else clocks.reaction
        used = self._used if is_own_turn else 0.0
        return OwnClock(limit - used, limit) if limit else None

    def note_answer(self, now: float) -> None:
        self._used += now - self._asked_at


@dataclass(slots=True)
class Duties:
    ledger: Ledger
    gossip: Gossip
    secrets: Secrets
    report: Callable[[steps.Moved], None]
    own_time: OwnTime = field(init=False)
    open_question: tuple[entries.Place, Seat] | None = None
    asked_at: float = 0.0

    def __post_init__(self) -> None:
        self.own_time = OwnTime(self.ledger)

    def sign_step(self, now: float, *, may_open: bool, may_decide: bool) -> bool:
        """Sign what is owed in this step, or ask the player; return whether the game has moved."""
        keeper, ledger, step = self.secrets.seat, self.ledger, self.ledger.step
        match step:
            case steps.Solo(seat=seat):
                if ledger.roster.keepers[seat] == keeper and may_decide:
                    self._ask(seat, now)
                return False
            case steps.Sharing(seat=seat):
                if ledger.roster.keepers[seat] != keeper:
                    return False
                self._sign(seat, self.secrets.make_share(step))
                return True
            case steps.Gather() | steps.Committing() | steps.Finished():
                pass
        if keeper in ledger.chain.gathered or keeper not in ledger.chain.starts[-1].asked:
            return False
        match step:
            case steps.Gather() if keeper in step.contributors:
                if not may_open:
                    return False
                self._sign(keeper, self.secrets.make_opening(step))
            case steps.Committing() if keeper in step.contributors:
                self._sign(keeper, self.secrets.make_rows())
            case steps.Finished():
                self._sign(keeper, ledger.chain.build_end())
            case _:  # a gather in which this keeper has no living seat
                self._sign(keeper, entries.Witness())
        return True

    def sign_answer(self, seat: Seat, answer: Answer, now: float) -> None:
        if seat == self.secrets.seat:
            self.own_time.note_answer(now)
        self.open_question = None
        self._sign(seat, entries.Answering(answer, self.secrets.answer_secret(seat, answer)))

    def has_waited(self, seconds: float, now: float) -> bool:
        """Return whether the player was asked `seconds` ago and has not answered since."""
        question = self.open_question
        is_own = question is not None and question[1] == self.secrets.seat
        return is_own and now >= self.asked_at + seconds

    def withdraw_question(self) -> None:
        """Take back the open question, which may be asked again at the same place."""
        if self.open_question is not None:
            self.gossip.effects.append(WithdrawQuestion(self.open_question[1]))
            self.open_question = None

    def _sign(self, seat: Seat, load: entries.Payload) -> None:
        """Sign an entry, and take it like one of another keeper. Raise OwnFault."""
        entry = self.secrets.sign_entry(seat, load)
        try:
            moved = self.ledger.accept_entry(entry)
        except steps.REFUSALS as fault:
            raise steps.OwnFault(f"an entry: {fault}") from fault
        self.gossip.append_record(entry.signed)
        self.gossip.broadcast(entry.signed)
        if moved is not None:
            self.report(moved)

    def _ask(self, seat: Seat, now: float) -> None:
        place, pending = self.ledger.place, self.ledger.game.pending
        if self.open_question == (place, seat):
            return
        self.open_question, self.asked_at = (place, seat), now
        assert not isinstance(pending, Chance | Over)  # a Solo step is a decision
        if seat == self.secrets.seat:
            clock = self.own_time.note_question(now)
            if clock is not None:
                self.gossip.show(clock)
        self.gossip.effects.append(AskDecision(place, seat, pending))


# -- secrets -------------------------------------------------------------------------------
#
# All follow from the seed of the keeper, so that after a restart they come out the same
# (PROTOCOL.md 7.1 and 8).


class WrongShare(Exception):
    """The share of a second look does not open the commitment. `blame` shows that to all."""

    def __init__(self, blame: entries.Entry) -> None:
        super().__init__("a wrong share")
        self.blame = blame


@dataclass(slots=True)
class Secrets:
    ledger: Ledger
    seat: Seat
    signer: crypto.Signer
    seed: bytes

    def sign_entry(self, seat: Seat, load: entries.Payload) -> entries.Entry:
        chain, attempt = self.ledger.chain, self.ledger.attempt_to_name(self.seat)
        return entries.Entry.sign(self.signer, attempt, chain.height, chain.head, seat, load)

    def make_opening(self, step: steps.Gather) -> entries.Opening:
        """Return contributions, which a looker withholds, and commitments to later ones."""
        plan, held = step.plan, self.ledger.chain.slots.half_open
        fresh = range(plan.first, plan.first + plan.fresh)
        looking = plan.looker == self.seat
        top = None
        if plan.top and held is not None and held.owner == self.seat:
            top = contribution(self.seed, held.origin, Stream.CARDS, held.slot)
        window = crypto.WINDOW[plan.stream]
        return entries.Opening(
            tuple(None if looking else self._contribution(plan.stream, s) for s in fresh),
            tuple(self._commitment(plan.stream, s + window) for s in fresh),
            top,
            step.position,
        )

    def make_rows(self) -> entries.Rows:
        slots = self.ledger.chain.slots

        def window(stream: Stream, size: int) -> tuple[bytes, ...]:
            first = slots.next_slot[stream]
            return tuple(self._commitment(stream, slot) for slot in range(first, first + size))

        return entries.Rows(
            window(Stream.DICE, crypto.DICE_WINDOW), window(Stream.CARDS, crypto.CARD_WINDOW)
        )

    def make_share(self, step: steps.Sharing) -> entries.Share:
        """Return the withheld contribution, sealed for the keeper of another seat that looks."""
        origin = self._origin_of(step.slot)
        secret = crypto.derive(self.seed, crypto.Tag.SHARE_KEY, origin, step.slot, step.key)
        c = contribution(self.seed, origin, Stream.CARDS, step.slot)
        context = referee_feed.share_context(self.ledger.genesis.id, self.ledger.height, step)
        return entries.Share(
            crypto.exchange_public_key(secret), crypto.seal(secret, step.key, c, context)
        )

    def answer_secret(self, seat: Seat, answer: Answer) -> bytes | None:
        """Return what the protocol adds to an answer (PROTOCOL.md 5.3)."""
        held = self.ledger.chain.slots.half_open
        match answer:
            case BuyTop():
                return None if held is None else self._find_withheld(held, seat)
            case Peek() if held is not None and held.owner != self.seat:
                return crypto.exchange_public_key(self._look_secret(held.slot))
            case _:  # every other answer says all by itself
                return None

    def find_top_card(self, seat: Seat) -> Item | None:
        """Return the top card, if this seat has looked at it. Raise WrongShare."""
        held = self.ledger.chain.slots.half_open
        if held is None or seat not in self.ledger.game.state.seen_by:
            return None
        c = self._find_withheld(held, seat)
        return None if c is None else held.card(self.ledger.genesis.id, c)

    def _find_withheld(self, held: steps.HalfOpen, seat: Seat) -> bytes | None:
        """Return what the owner of the half-open slot withholds, if a keeper's seat may know it."""
        if held.owner == self.seat:
            c = contribution(self.seed, held.origin, Stream.CARDS, held.slot)
            # The seed with which this keeper has committed may be lost.
            return c if self.ledger.chain.slots.opens_top(c) else None
        given = [g for g in self.ledger.chain.feed.shares if g.step.taker == seat]
        return self._open_share(given[-1]) if given else None

    def _open_share(self, given: referee_feed.GivenShare) -> bytes | None:
        secret = self._look_secret(given.step.slot)
        if crypto.exchange_public_key(secret) != given.step.key:
            return None  # it was sealed for the keeper before, or the seed is lost
        c = referee_feed.open_share(self.ledger.chain.slots, given, secret)
        if c is None:
            raise WrongShare(referee_feed.sign_blame(self.signer, given, secret))
        return c

    def _look_secret(self, slot: int) -> bytes:
        return crypto.derive(self.seed, crypto.Tag.LOOK_KEY, self._origin_of(slot), slot)

    def _origin_of(self, slot: int) -> bytes:
        """Return the origin of a card slot; a half-open slot may be older than the others."""
        slots = self.ledger.chain.slots
        held = slots.half_open
        return held.origin if held and held.slot == slot else slots.origin_of(self.seat)

    def _contribution(self, stream: Stream, slot: int) -> bytes:
        return contribution(self.seed, self.ledger.chain.slots.origin_of(self.seat), stream, slot)

    def _commitment(self, stream: Stream, slot: int) -> bytes:
        slots = self.ledger.chain.slots
        origin = slots.origin_of(self.seat)
        return crypto.own_commitment(self.seed, slots.table, origin, stream, self.seat, slot)
