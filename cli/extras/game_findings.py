"""What `kotp2p doctor` finds of games, and of files that are wrong or none of the program's.

Scope: one class for each kind of finding, with its words. A game is named by the phrase of its
table, which is no secret; nothing else of it is told.
Not here: how the facts are found out (`cli.extras.data_facts`), and what follows from them
(`cli.extras.doctor_data`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kotp2p.cli.extras.finding import Finding, Severity, Words
from kotp2p.cli.text.file_faults import take_from_others
from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.cli.text.own_command import typeable


@dataclass(frozen=True, slots=True)
class Unfinished(Finding):
    severity: ClassVar[Severity] = Severity.NOTE
    phrase: str
    turn: int
    profile: str

    def words(self) -> Words:
        return Words(
            _("The game {phrase} is not finished (turn {turn}).", phrase=self.phrase,
              turn=self.turn),
            _("The others may have gone on with a bot in your seat, which is yours as soon as you "
              "are back."),
            _("Go on with it: {command}", command=_resume(self.phrase, self.profile)),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TornLog(Finding):
    severity: ClassVar[Severity] = Severity.NOTE
    phrase: str

    def words(self) -> Words:
        return Words(
            _("The log of the game {phrase} ends in the middle of a record, as after a power "
              "failure.", phrase=self.phrase),
            _("Nothing that another player has seen is lost: that end is cut off and kept when you "
              "resume."),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class BrokenGame(Finding):
    severity: ClassVar[Severity] = Severity.PROBLEM
    fault: str
    """The file and what is wrong with it, in English."""

    def words(self) -> Words:
        return Words(
            _("A game cannot be resumed: {fault}.", fault=self.fault),
            _("The other games are not concerned."),
            take_from_others(),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Start(Finding):
    severity: ClassVar[Severity] = Severity.NOTE
    phrase: str
    profile: str

    def words(self) -> Words:
        return Words(
            _("You have signed the start of the game {phrase}, and it never began here.",
              phrase=self.phrase),
            _("It may have begun without you."),
            _("Ask the others: {command}", command=_resume(self.phrase, self.profile)),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unreadable(Finding):
    severity: ClassVar[Severity] = Severity.PROBLEM
    path: str
    detail: str
    """Of the system, or in English."""

    def words(self) -> Words:
        return Words(
            _("{path} cannot be read: {detail}.", path=self.path, detail=self.detail),
            _("Commands that need it stop there."),
            _("Permit reading it, put it back from a copy, or move it away."),
        )


@dataclass(frozen=True, slots=True)
class BadLogs(Finding):
    severity: ClassVar[Severity] = Severity.NOTE
    count: int
    paths: tuple[str, ...]
    """Some of them."""

    def words(self) -> Words:
        return Words(
            plural("{n} file among your logs is no log that this program reads: {files}.",
                   "{n} files among your logs are no logs that this program reads: {files}.",
                   self.count, files=list_with_and(self.paths)),
            _("What cannot be read is passed over. It may be of another version, or damaged."),
            _("To see what is wrong with one, type: {command}",
              command=typeable("kotp2p verify FILE")),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Strays(Finding):
    severity: ClassVar[Severity] = Severity.NOTE
    count: int
    paths: tuple[str, ...]
    """Some of them."""

    def words(self) -> Words:
        return Words(
            plural("{n} file in the data folder does not belong to kotp2p: {files}.",
                   "{n} files in the data folder do not belong to kotp2p: {files}.",
                   self.count, files=list_with_and(self.paths)),
            _("That does no harm: what is not of this program is left alone."),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class BadSettings(Finding):
    severity: ClassVar[Severity] = Severity.PROBLEM
    path: str

    def words(self) -> Words:
        return Words(
            _("The settings are not understood, in {path} or in a variable.", path=self.path),
            _("No game begins until they are."),
            _("To see which one is wrong, type: {command}", command=typeable("kotp2p config")),
        )


def _resume(phrase: str, profile: str) -> str:
    """The command for it, with the first words of its phrase."""
    words = ["kotp2p resume", *phrase.split()[:2]]
    if profile != "default":
        words += ["--profile", profile]
    return typeable(" ".join(words))
