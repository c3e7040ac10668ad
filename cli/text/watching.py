"""Watchers as sentences: for the players of a table, and for those who watch it."""

from __future__ import annotations

from typing import assert_never

from kotp2p.cli.text.i18n import _, plural
from kotp2p.seams.notices import (
    NextGameAwaited,
    RemarkRefused,
    WatchAdmitted,
    WatchersChanged,
    WatchLinkChanged,
    WatchNotice,
)


def describe_watching(notice: WatchNotice) -> list[str]:
    match notice:
        case WatchersChanged(count=0):
            return [_("Nobody watches any more.")]
        case WatchersChanged(count=count):
            return [plural("{n} person watches this table.", "{n} people watch this table.", count)]
        case WatchAdmitted():
            return _describe_admission(notice)
        case RemarkRefused():
            return [_("Nobody at the table hears you: who watches only reads.")]
        case WatchLinkChanged(up=True):
            return [_("The connection to the table is back.")]
        case WatchLinkChanged(seconds=seconds):
            return [
                _("The connection to the table was lost. It is tried again for {n} s; if it comes "
                  "back, you go on where you were.", n=round(seconds))
            ]  # fmt: skip
        case NextGameAwaited(seconds=seconds):
            return [
                _("The same players may play again. You watch their next game too, if it begins "
                  "within {n} s. Ctrl-C ends the waiting.", n=round(seconds))
            ]  # fmt: skip
        case _:
            assert_never(notice)


def _describe_admission(notice: WatchAdmitted) -> list[str]:
    found = []
    if not notice.has_begun:
        found.append(_("The game has not begun yet. You will see it from its start."))
    if notice.has_chat:
        found.append(_("You read what the players say to each other."))
    return found
