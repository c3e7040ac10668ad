"""Watchers as sentences: for the players of a table, and for those who watch it."""

from __future__ import annotations

from cli.text.i18n import _, plural
from kotp2p.notices import WatchersChanged, WatchLinkChanged


def describe_watching(notice: WatchersChanged | WatchLinkChanged) -> str:
    match notice:
        case WatchersChanged(count=0):
            return _("Nobody watches any more.")
        case WatchersChanged(count=count):
            return plural("{n} person watches this table.", "{n} people watch this table.", count)
        case WatchLinkChanged(up=True):
            return _("The connection to the table is back.")
        case WatchLinkChanged():
            return _("The connection to the table was lost. It is being made again.")
