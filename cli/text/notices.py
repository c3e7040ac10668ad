"""Notices of the peer that are neither events nor about the lobby, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from kotp2p.cli.text import card_words, names
from kotp2p.cli.text.i18n import N_, _, list_with_and, plural
from kotp2p.cli.text.join_target import format_address
from kotp2p.cli.text.own_command import typeable
from kotp2p.cli.text.refusals import describe_broken_rule
from kotp2p.seams.notices import (
    Agreement,
    Cheated,
    Detour,
    Diverged,
    EvidenceKept,
    Flooded,
    GameFinished,
    GuestIdentity,
    LinkChanged,
    Missing,
    NameChanged,
    ProgramFault,
    Reopened,
    Said,
    TopRevealed,
    Unsteady,
    UnsteadyMatter,
)
from kotp2p.seams.seat_view import WATCHER, SeatView
from kotp2p.wire.lineups import CheatKind


def describe_guest_identity(notice: GuestIdentity) -> str:
    return _(
        "Your profile {profile} is in use by another kotp2p: you play with a key for this game "
        "only. To use another profile: --profile NAME",
        profile=notice.profile,
    )


def describe_new_name(notice: NameChanged) -> str:
    return _(
        "The name {wanted} is taken, or too similar to another: you are {name} at this table. "
        "To choose another: --name NAME",
        wanted=notice.wanted,
        name=notice.name,
    )


def describe_chat(notice: Said) -> str:
    if notice.yours:
        return _("You say: {text}", text=notice.text)
    return _("{name} says: {text}", name=names.name_in_sentence(notice.name), text=notice.text)


def describe_flood(notice: Flooded) -> str:
    if notice.players_have_passes:
        return plural(
            "Someone is flooding this table with connections: {n} was turned away within "
            "10 seconds. The players of this table can come in all the same.",
            "Someone is flooding this table with connections: {n} were turned away within "
            "10 seconds. The players of this table can come in all the same.",
            notice.count,
        )
    return plural(
        "Someone is flooding this table with connections: {n} was turned away within 10 seconds. "
        "A player who reads that the table is busy should try again. Invited players always come "
        "in: {command}",
        "Someone is flooding this table with connections: {n} were turned away within 10 seconds. "
        "A player who reads that the table is busy should try again. Invited players always come "
        "in: {command}",
        notice.count,
        command=typeable("kotp2p host --invite-only"),
    )


def describe_start(view: SeatView, *, alone: bool = False) -> list[str]:
    if view.seat == WATCHER:
        return [
            _("The game begins, and you watch. Table phrase: {phrase}.", phrase=view.phrase),
            _("The players see the same phrase. ? shows help at any time."),
        ]
    if alone:
        return [_("The game begins. ? shows help at any time.")]
    return [
        _("The game begins. Table phrase: {phrase}.", phrase=view.phrase),
        _("Everyone at your table sees the same phrase. ? shows help at any time."),
    ]


def describe_resumption(view: SeatView) -> list[str]:
    turn = view.game.state.turn
    if view.seat == WATCHER:
        return [
            _("You watch the table {phrase} from turn {turn} on.", phrase=view.phrase, turn=turn),
            _("The players see the same phrase. log shows what has happened before."),
        ]
    return [
        _("You are back at the table {phrase}, turn {turn}.", phrase=view.phrase, turn=turn),
        _("state shows how everyone stands."),
    ]


def describe_new_address(notice: Reopened) -> list[str]:
    """For a player who does not find the others at their old addresses."""
    where = format_address(notice.addresses[0], notice.port)
    return [
        _("A player who cannot find the table types: kotp2p resume --peer {where}", where=where)
    ]


def describe_missing(notice: Missing, view: SeatView) -> str:
    if not notice.seats:
        return _("Everyone is back. The game goes on.")
    who = list_with_and([names.player_name(view, seat) for seat in notice.seats])
    return _("Not back yet: {names}. They come back by typing: kotp2p resume", names=who)


def describe_revealed_card(notice: TopRevealed, view: SeatView) -> str:
    return _("Only you see it: {card}", card=card_words.card_line(view.game.card(notice.card)))


def describe_link_change(notice: LinkChanged, view: SeatView) -> list[str]:
    """Whose monster is out may come and go without a word about links."""
    if not view.game.state.monsters[notice.seat].alive:
        return []
    name = names.player_name(view, notice.seat)
    if notice.up:
        return [_("The connection to {name} is back.", name=name)]
    return [_("The connection to {name} is lost; reconnecting.", name=name)]


def describe_detour(notice: Detour, view: SeatView) -> str:
    between = names.player_name(view, notice.seat)
    if not notice.others:
        return _("{between} no longer stands between you and anyone else.", between=between)
    return _(
        "You are linked to {others} only through {between}, whose program could keep back what you "
        "play. A firewall may be the reason. To try another way, ask them for an address and type: "
        "{command}",
        command=typeable("kotp2p resume --peer ADDRESS"),
        others=list_with_and([names.player_name(view, seat) for seat in notice.others]),
        between=between,
    )


def describe_unsteadiness(notice: Unsteady, view: SeatView) -> str:
    name = names.player_name(view, notice.seat)
    match notice.matter:
        case UnsteadyMatter.CONNECTION:
            return _(
                "The connection to {name} is unsteady. From now on you are told only now and then "
                "how it stands.",
                name=name,
            )
        case UnsteadyMatter.WISHES:
            return _(
                "{name} changes their mind again and again. From now on you are told only now and "
                "then what {name} wants.",
                name=name,
            )
        case _:
            assert_never(notice.matter)


_TWO_THINGS = N_("{name} signed two things of which only one can be true.")
_SIGNED_TWICE: Mapping[str, str] = MappingProxyType({
    "two entries for one place": N_("{name} signed two different moves for the same moment."),
    "two line-ups in one attempt": N_("{name} agreed to two different changes of who plays at the "
                                      "same time."),
    "an entry in a line-up that its assent passes by": N_(
        "{name} agreed to a change of who plays, and played on as if it had not."
    ),
    "signed after it has left": N_("{name} gave up, and played on all the same."),
})  # fmt: skip
"""The sentence for each detail of a proof (`kotp2p.game.conviction`)."""


def describe_cheat(notice: Cheated, view: SeatView) -> str:
    """In the words of players; `kotp2p verify` names the place in the log."""
    name = names.player_name(view, notice.seat)
    match notice.kind:
        case CheatKind.ILLEGAL_MOVE:
            return _("{name} made an illegal move: {rule}.", name=name,
                     rule=describe_broken_rule(notice.detail))  # fmt: skip
        case CheatKind.WRONG_OPENING:
            return _("{name} opened another number for dice or cards than was sealed.", name=name)
        case CheatKind.EQUIVOCATION:
            return _(_SIGNED_TWICE.get(notice.detail, _TWO_THINGS), name=name)
        case CheatKind.COPIED_COMMITMENT:
            return _("{name} copied what another player had sealed for dice or cards.", name=name)
        case CheatKind.WRONG_SHARE:
            return _("{name} gave a wrong share of a secret card.", name=name)
        case CheatKind.BAD_ENTRY:
            return _("{name} signed what no unmodified program writes.", name=name)
        case _:
            assert_never(notice.kind)


def describe_evidence(notice: EvidenceKept, view: SeatView) -> str:
    return _(
        "The proof against {name} is in {file}; anyone can check it: {command}",
        command=typeable("kotp2p verify FILE"),
        name=names.player_name(view, notice.seat),
        file=notice.path,
    )


def describe_divergence(notice: Diverged, view: SeatView) -> str:
    """What differs, and who can go on. It proves nothing: a program may have an error, or lie."""
    name = names.player_name(view, notice.seat)
    return " ".join((_describe_difference(notice, name), _describe_agreement(notice, name)))


def _describe_difference(notice: Diverged, name: str) -> str:
    if not notice.field:
        return _("Your copy of the game and {name}'s differ.", name=name)
    return _(
        "Your copy of the game and {name}'s differ in {field}: {ours} here, {theirs} there.",
        name=name,
        field=notice.field,
        ours=notice.ours,
        theirs=notice.theirs,
    )


def _describe_agreement(notice: Diverged, name: str) -> str:
    match notice.agreement:
        case Agreement.OURS:
            return _(
                "Most players have your copy, so the game goes on. {name} cannot go on with it: "
                "in a minute you can let a bot play for {name}. This proves no cheat.",
                name=name,
            )
        case Agreement.THEIRS:
            return _(
                "Most players have the other copy and go on without you, so your game stops here. "
                "This is an error of a program; nobody is proven to have cheated. "
                "To check your log: {command}",
                command=typeable("kotp2p verify"),
            )
        case Agreement.OPEN:
            return _("The game waits until the others have shown theirs.")
        case Agreement.NONE:
            return _(
                "No majority has the same copy, so the game stops. "
                "This is an error of a program; nobody is proven to have cheated."
            )
        case _:
            assert_never(notice.agreement)


def describe_own_fault(notice: ProgramFault) -> str:
    return _(
        "This program has an error: it was about to write what nobody could read ({detail}). "
        "It has left that out and goes on. Please report this line.",
        detail=notice.detail,
    )


def describe_signed_end(notice: GameFinished) -> str:
    """The winners have been told by the last event."""
    confirmed = [names.player_name(notice.view, seat) for seat in notice.confirmed_by]
    if not confirmed:
        return _("Nobody has confirmed the end of the game.")
    return _("The end of the game is confirmed by {names}.", names=list_with_and(confirmed))
