"""Notices of the peer in sentences: the game as it goes on, who plays, and who watches."""

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import assert_never

from kotp2p.cli.text import names, player_rules
from kotp2p.cli.text.how_to_join import format_address
from kotp2p.cli.text.i18n import N_, _, list_with_and, number, plural, typeable
from kotp2p.cli.text.players import describe_change, name_in_sentence, names_in_sentences
from kotp2p.cli.text.queries import describe_turns_of_bot
from kotp2p.game.steps import ChangedHands
from kotp2p.referee.model.answers import Seat
from kotp2p.seams import notices as told
from kotp2p.seams.notices import WATCHER, SeatView

# -- notices of the peer that are neither events nor about the lobby, as sentences ---------


def describe_guest_identity(notice: told.GuestIdentity) -> str:
    return _(
        "Your profile {profile} is in use by another kotp2p: you play with a key for this game "
        "only. To use another profile: --profile NAME",
        profile=notice.profile,
    )


def describe_new_name(notice: told.NameChanged) -> str:
    return _("The name {wanted} is taken, or too similar to another: you are {name} at this table. "
             "To choose another: --name NAME", wanted=notice.wanted, name=notice.name)  # fmt: skip


def describe_chat(notice: told.Said) -> str:
    if notice.yours:
        return _("You say: {text}", text=notice.text)
    return _("{name} says: {text}", name=name_in_sentence(notice.name), text=notice.text)


def describe_flood(notice: told.Flooded) -> str:
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
    if names.is_alone(view):
        back = _("You are back, turn {turn}.", turn=turn)
    else:
        back = _("You are back at the table {phrase}, turn {turn}.", phrase=view.phrase, turn=turn)
    return [back, _("state shows how everyone stands.")]


def describe_new_address(notice: told.Reopened) -> list[str]:
    where = format_address(notice.addresses[0], notice.port)
    return [
        _("A player who cannot find the table types: kotp2p resume --peer {where}", where=where)
    ]


def describe_missing(notice: told.Missing, view: SeatView) -> str:
    if not notice.seats:
        return _("The game goes on.")
    if notice.is_alone:
        return _("None of the others has come for two minutes. Perhaps they have finished without "
                 "you. Ask one of them for the log, or for the code of the table, and type: kotp2p "
                 "join CODE")  # fmt: skip
    who = list_with_and([names.player_name(view, seat) for seat in notice.seats])
    return _("Not back yet: {names}. They come back by typing: kotp2p resume", names=who)


def describe_revealed_card(notice: told.TopRevealed, view: SeatView) -> str:
    return _("Only you see it: {card}", card=player_rules.card_line(view.game.card(notice.card)))


def describe_link_change(notice: told.LinkChanged, view: SeatView) -> list[str]:
    if not view.game.state.monsters[notice.seat].alive:
        return []
    name = names.player_name(view, notice.seat)
    if notice.up:
        return [_("The connection to {name} is back.", name=name)]
    return [_("The connection to {name} is lost; reconnecting.", name=name)]


def describe_detour(notice: told.Detour, view: SeatView) -> str:
    between = names.player_name(view, notice.seat)
    return _(
        "You are linked to {others} only through {between}, whose program could keep back what you "
        "play. A firewall may be the reason. To try another way, ask them for an address and type: "
        "{command}",
        command=typeable("kotp2p resume --peer ADDRESS"),
        others=list_with_and([names.player_name(view, seat) for seat in notice.others]),
        between=between,
    )


_UNSTEADY: Mapping[told.UnsteadyMatter, str] = MappingProxyType({
    told.UnsteadyMatter.CONNECTION: N_(
        "The connection to {name} is unsteady. From now on you are told only now and then how it "
        "stands."
    ),
    told.UnsteadyMatter.WISHES: N_(
        "{name} changes their mind again and again. From now on you are told only now and then "
        "what {name} wants."
    ),
})  # fmt: skip


def describe_unsteadiness(notice: told.Unsteady, view: SeatView) -> str:
    return _(_UNSTEADY[notice.matter], name=names.player_name(view, notice.seat))


def describe_evidence(notice: told.EvidenceKept, view: SeatView) -> str:
    return _(
        "The proof against {name} is in {file}; anyone can check it: {command}",
        command=typeable("kotp2p verify FILE"),
        name=names.player_name(view, notice.seat),
        file=notice.path,
    )


def describe_divergence(notice: told.Diverged, view: SeatView) -> str:
    name = names.player_name(view, notice.seat)
    differs = _("Your copy of the game and {name}'s differ.", name=name)
    if notice.field:
        differs = _(
            "Your copy of the game and {name}'s differ in {field}: {ours} here, {theirs} there.",
            name=name,
            field=notice.field,
            ours=notice.ours,
            theirs=notice.theirs,
        )
    follows = _(_AGREEMENTS[notice.agreement], name=name, command=typeable("kotp2p verify"))
    return f"{differs} {follows}"


_AGREEMENTS: Mapping[told.Agreement, str] = MappingProxyType({
    told.Agreement.OURS: N_(
        "Most players have your copy, so the game goes on. {name} cannot go on with it: in a "
        "minute you can let a bot play for {name}. This proves no cheat."
    ),
    told.Agreement.THEIRS: N_(
        "Most players have the other copy and go on without you, so your game stops here. This is "
        "an error of a program; nobody is proven to have cheated. To check your log: {command}"
    ),
    told.Agreement.OPEN: N_("The game waits until the others have shown theirs."),
    told.Agreement.NONE: N_(
        "No majority has the same copy, so the game stops. This is an error of a program; nobody "
        "is proven to have cheated."
    ),
})  # fmt: skip


def describe_own_fault(notice: told.ProgramFault) -> str:
    return _("This program has an error: it was about to write what nobody could read ({detail}). "
             "It has left that out and goes on. Please report this line.",
             detail=notice.detail)  # fmt: skip


def describe_signed_end(notice: told.GameFinished) -> str:
    confirmed = [names.player_name(notice.view, seat) for seat in notice.confirmed_by]
    if not confirmed:
        return _("Nobody has confirmed the end of the game.")
    return _("The end of the game is confirmed by {names}.", names=list_with_and(confirmed))


# -- watchers as sentences: for the players of a table, and for those who watch it ---------


def describe_watching(notice: told.WatchNotice) -> list[str]:
    match notice:
        case told.WatchersChanged(count=0):
            return [_("Nobody watches any more.")]
        case told.WatchersChanged(count=count):
            return [plural("{n} person watches this table.", "{n} people watch this table.", count)]
        case told.WatchAdmitted():
            return _describe_admission(notice)
        case told.RemarkRefused():
            return [_("Nobody at the table hears you: who watches only reads.")]
        case told.WatchLinkChanged(up=True):
            return [_("The connection to the table is back.")]
        case told.WatchLinkChanged(seconds=seconds):
            return [
                _("The connection to the table was lost. It is tried again for {n} s; if it comes "
                  "back, you go on where you were.", n=round(seconds))
            ]  # fmt: skip
        case told.NextGameAwaited(seconds=seconds):
            return [
                _("The same players may play again. You watch their next game too, if it begins "
                  "within {n} s. Ctrl-C ends the waiting.", n=round(seconds))
            ]  # fmt: skip
        case _:
            assert_never(notice)


def _describe_admission(notice: told.WatchAdmitted) -> list[str]:
    found = []
    if not notice.has_begun:
        found.append(_("The game has not begun yet. You will see it from its start."))
    if notice.has_chat:
        found.append(_("You read what the players say to each other."))
    return found


# -- absences ------------------------------------------------------------------------------


def describe_absence(notice: told.AbsenceNotice, view: SeatView) -> list[str]:
    match notice:
        case told.Quiet():
            return _describe_quiet(notice, view)
        case told.Gone(seat=seat):
            return [
                _("{name} no longer answers. The game waits. A program that still runs comes back "
                  "by itself. Otherwise {name} types: kotp2p resume",
                  name=names.player_name(view, seat))
            ]  # fmt: skip
        case told.Returned(seat=seat):
            heard = [_("{name} is heard again.", name=names.player_name(view, seat))]
            return heard if view.keepers.get(seat, seat) == seat else []  # it is told as back later
        case told.Wished() | told.StopWanted() | told.ReturnAsked():
            return [_describe_wish_of_player(notice, view)]
        case told.Offer():
            return describe_offer(notice, view)
        case told.OfferEnded(seats=seats):
            return _describe_end_of_offer(seats, view)
        case told.LineUpBegun():
            return _describe_line_up(notice)
        case told.CardBurnt(seat=seat):
            pair = (
                N_("The top card that you had looked at goes back unseen: another program plays "
                   "for you now, and does not know it."),
                N_("The top card that {name} had looked at goes back unseen: another program plays "
                   "for {name} now, and does not know it."),
            )  # fmt: skip
            return [_(pair[seat != view.seat], name=names.player_name(view, seat))]
        case told.PlayedForYou():
            return describe_turns_of_bot(notice.events, notice.view)
        case told.ChangeStalls(seats=seats):
            return [describe_stall(seats, view)] if seats else []
        case told.Split(by=by):
            return [_describe_split(by, view)]
        case _:
            assert_never(notice)


def _describe_quiet(notice: told.Quiet, view: SeatView) -> list[str]:
    """Describe a silent link; that something comes again shows by itself."""
    if not notice.seconds or not view.game.state.monsters[notice.seat].alive:
        return []
    name = names.player_name(view, notice.seat)
    return [
        plural(
            "For {n} second nothing has come from {name}.",
            "For {n} seconds nothing has come from {name}.",
            notice.seconds,
            name=name,
        )
    ]


def _describe_wish_of_player(
    notice: told.Wished | told.StopWanted | told.ReturnAsked, view: SeatView
) -> str:
    if isinstance(notice, told.Wished):
        return describe_wish(notice, view)
    if isinstance(notice, told.StopWanted):
        return describe_stop(notice, view)
    return describe_return(notice, view)


# -- a keeper does not answer ----------------------------------------------------------------


def describe_offer(offer: told.Offer, view: SeatView) -> list[str]:
    who, count = _listed(view, offer.seats), len(offer.seats)
    if view.seat in offer.seats:
        if not offer.can_go_on:
            return [_("The game waits for you.")]
        return [
            _("The game waits for you. The others may now let a bot play for you until you are "
              "back.")
        ]  # fmt: skip
    first = plural("{names} does not answer.", "{names} do not answer.", count, names=who)
    if not offer.yours:
        return [first, _("The others decide whether a bot plays on meanwhile.")]
    if not offer.can_go_on:
        return [
            first,
            describe_too_few(),
            _("w waits, adjourn stops until another evening, leave leaves the game."),
        ]
    return [
        first,
        plural(
            "b lets a bot play for {names} until {names} is back, w waits. You can change it "
            "until all agree.",
            "b lets bots play for {names} until they are back, w waits. You can change it until "
            "all agree.",
            count,
            names=who,
        ),
    ]


def describe_waiting(seats: tuple[Seat, ...], view: SeatView) -> str:
    return _("You wait for {names}.", names=_listed(view, seats))


def describe_too_few() -> str:
    return _("No bot can step in: the players who are left are not more than half of all.")


def _describe_end_of_offer(seats: tuple[Seat, ...], view: SeatView) -> list[str]:
    here = [seat for seat in seats if not view.is_played_by_bot(seat)]
    if not here:
        return []
    return [_("The game no longer waits for {names}.", names=_listed(view, here))]


def describe_wish(wished: told.Wished, view: SeatView) -> str:
    pair = N_("You would rather wait."), N_("{name} would rather wait.")
    if wished.without:
        pair = (
            N_("You want a bot to play for {names}."),
            N_("{name} wants a bot to play for {names}."),
        )
    said = _(pair[wished.seat != view.seat], name=names.player_name(view, wished.seat),
             names=_listed(view, wished.without))  # fmt: skip
    return f"{said} {_describe_agreement(wished.missing, view)}" if wished.without else said


def describe_stop(notice: told.StopWanted, view: SeatView) -> str:
    pair = N_("You want to play on."), N_("{name} wants to play on.")
    if notice.wanted:
        pair = (
            N_("You want to stop here for today; everyone can resume later."),
            N_("{name} wants to stop here for today; everyone can resume later."),
        )
    said = [_(pair[notice.seat != view.seat], name=names.player_name(view, notice.seat))]
    if notice.wanted and view.seat in notice.missing:
        said.append(_("To agree, type adjourn."))
    if notice.wanted:
        said.append(_describe_agreement(notice.missing, view))
    return " ".join(said)


def _describe_agreement(missing: tuple[Seat, ...], view: SeatView) -> str:
    if not missing:
        return _("Everyone agrees.")
    marked = [names.marked_name(view, seat) for seat in missing]
    return _("Still to agree: {names}.", names=list_with_and(marked))


def describe_stall(seats: tuple[Seat, ...], view: SeatView) -> str:
    return _("Who plays is about to change. The game waits for {names} to agree.",
             names=_listed(view, seats))  # fmt: skip


def describe_witness(view: SeatView) -> str:
    """Ask a player whose monster has fallen to stay, if the others may need a witness; else ""."""
    others = set(view.keepers.values()) - {view.seat}
    if len(others) < names.MEMBERS_TO_GO_ON - 1:
        return ""
    return _("Stay and watch, and the others can finish even if one of them does not come back: "
             "your program still counts.")  # fmt: skip


# -- a change of who plays -------------------------------------------------------------------


def _describe_line_up(notice: told.LineUpBegun) -> list[str]:
    lines = describe_changes(notice.changes, notice.view)
    if notice.undone_from is not None:
        lines.append(
            _("The last moves do not count any more. The game goes on from before them; state "
              "shows how everyone stands.")
        )  # fmt: skip
    return lines


def describe_changes(changes: Iterable[ChangedHands], view: SeatView) -> list[str]:
    called = names_in_sentences(tuple(player.name for player in view.players))
    return [line for change in changes for line in describe_change(change, called, view.seat)]


_RETURNS: Mapping[told.AskedBecause, str] = MappingProxyType({
    told.AskedBecause.REFUSED_ROLLS: N_(
        "{name} wants to come back, and has refused two rolls. To agree, type: accept {name}"
    ),
    told.AskedBecause.HELD_UP: N_(
        "{name} wants to come back, and has held up the game for five minutes in all. To agree, "
        "type: accept {name}"
    ),
    told.AskedBecause.VANISHED: N_(
        "{name} wants to come back, and did not come along the last time. To agree, type: accept "
        "{name}"
    ),
})  # fmt: skip


def describe_return(notice: told.ReturnAsked, view: SeatView) -> str:
    return _(_RETURNS[notice.because], name=names.player_name(view, notice.seat))


def _describe_split(by: tuple[Seat, ...], view: SeatView) -> str:
    if not by:
        return _("The others play this game on from another past than yours.")
    return _("The others play this game on from another past than yours. {names} signed both.",
             names=_listed(view, by))  # fmt: skip


# -- lists -------------------------------------------------------------------------------------


def _listed(view: SeatView, seats: Iterable[Seat]) -> str:
    return list_with_and([names.name_for_reader(view, seat) for seat in seats])


# -- the time that a player has left, in words ---------------------------------------------


def describe_time_left(seconds: float, limit: int) -> str:
    if seconds <= 0:
        return _("time is up")
    left = minutes_and_seconds(seconds)
    return _("{left} left of {limit}", left=left, limit=minutes_and_seconds(limit))


def describe_warning(seconds: int, view: SeatView | None) -> str:
    if view is None or not names.could_go_on(view):
        return plural("You have {n} second left.", "You have {n} seconds left.", seconds)
    return plural(
        "You have {n} second left. After that the others may soon let a bot play for you.",
        "You have {n} seconds left. After that the others may soon let a bot play for you.",
        seconds,
    )


def describe_time_up(view: SeatView | None) -> str:
    if view is None or not names.could_go_on(view):
        return _("Your time is up. Your answer still counts.")
    return _("Your time is up. Your answer still counts, until a bot plays for you.")


def minutes_and_seconds(seconds: float) -> str:
    """Format seconds as `1:05`, rounded up."""
    whole = math.ceil(seconds)
    return number(f"{whole // 60}:{whole % 60:02}")
