"""What `kotp2p doctor` finds in a user's files: folders, permissions, space, locks, games.

Scope: one class for each kind of finding, with its words. Paths are named, contents never. A game
is named by the phrase of its table.
Not here: how the facts are found out and what follows from them (`cli.extras.doctor_data`).
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, assert_never

from kotp2p.cli.extras.finding import HIDDEN, Finding, Severity, Words
from kotp2p.cli.text.endings import describe_file_fault, take_from_others
from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.cli.text.program_words import typeable
from kotp2p.seams.world import FileFault

BYTES_OF_MEGABYTE = 1_000_000
LEAST_MEGABYTES = 10
"""Less may not hold the log of another evening."""
ENOUGH_MEGABYTES = 100


class FolderUse(StrEnum):
    DATA = "data"
    SETTINGS = "settings"


class WhyNot(StrEnum):
    """The reason why this program cannot write."""

    MODE = "mode"
    OTHER_OWNER = "other-owner"
    READ_ONLY = "read-only"
    """The file system is read-only."""


class Access(StrEnum):
    """What other users of the machine can do."""

    NOTHING = "nothing"
    NAMES = "names"
    """See which files there are."""
    SECRETS = "secrets"
    """Read keys."""
    CHANGES = "changes"
    """Exchange files."""


@dataclass(frozen=True, slots=True)
class Folder(Finding):
    severity: ClassVar[Severity] = Severity.OK
    use: FolderUse
    path: str
    is_there: bool

    def words(self) -> Words:
        match self.use:
            case FolderUse.DATA if self.is_there:
                return Words(_("Your keys and games are in {path}", path=self.path))
            case FolderUse.DATA:
                return Words(
                    _("Your first game makes the folder of your keys and games, {path}",
                      path=self.path)
                )  # fmt: skip
            case FolderUse.SETTINGS if self.is_there:
                return Words(_("Your settings are in {path}", path=self.path))
            case FolderUse.SETTINGS:
                return Words(_("You have no file of settings. It would be {path}", path=self.path))
            case _:
                assert_never(self.use)


@dataclass(frozen=True, slots=True)
class NotWritable(Finding):
    severity: ClassVar[Severity] = Severity.PROBLEM
    path: str
    why: WhyNot

    def words(self) -> Words:
        matters = _("No game can be played, as every move is written down first.")
        match self.why:
            case WhyNot.MODE:
                return Words(
                    _("Nothing can be written into {path}: its permissions forbid it.",
                      path=self.path),
                    matters,
                    _("To permit it, type: {command}",
                      command=f"chmod u+rwx {_in_shell(self.path)}"),
                )  # fmt: skip
            case WhyNot.OTHER_OWNER:
                return Words(
                    _("Nothing can be written into {path}: it belongs to another user.",
                      path=self.path),
                    matters,
                    _("To make it yours, type: {command}", command=_own_command(self.path)),
                )  # fmt: skip
            case WhyNot.READ_ONLY:
                return Words(
                    _("Nothing can be written into {path}: its disk is read-only.", path=self.path),
                    matters,
                    _("Name a folder on another disk with the variable KOTP2P_DATA, or mount this "
                      "one for writing."),
                )  # fmt: skip
            case _:
                assert_never(self.why)


@dataclass(frozen=True, slots=True)
class OtherOwner(Finding):
    severity: ClassVar[Severity] = Severity.PROBLEM
    path: str
    """The data folder."""
    count: int
    """The number of files and folders in it."""

    def words(self) -> Words:
        return Words(
            plural("{n} file in {path} belongs to another user, as after a start with sudo.",
                   "{n} files in {path} belong to another user, as after a start with sudo.",
                   self.count, path=self.path),
            _("What cannot be read or written there stops a game."),
            _("To make it yours, type: {command}", command=_own_command(self.path)),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Permissions(Finding):
    path: str
    """The data folder."""
    access: Access
    open_paths: tuple[str, ...] = ()

    @property
    def severity(self) -> Severity:
        match self.access:
            case Access.NOTHING:
                return Severity.OK
            case Access.NAMES:
                return Severity.NOTE
            case Access.SECRETS | Access.CHANGES:
                return Severity.PROBLEM
            case _:
                assert_never(self.access)

    def words(self) -> Words:
        paths = list_with_and(self.open_paths)
        todo = _(
            "To close it to others, type: {command}", command=f"chmod -R go= {_in_shell(self.path)}"
        )
        match self.access:
            case Access.NOTHING:
                return Words(_("Only you can read and change your keys and games."))
            case Access.NAMES:
                return Words(
                    _("Other users of this machine can see which files are in {paths}.",
                      paths=paths),
                    _("They cannot read your keys."),
                    todo,
                )  # fmt: skip
            case Access.SECRETS:
                return Words(
                    _("Other users of this machine can read {paths}.", paths=paths),
                    _("They can play in your name, and see what is hidden in your games."),
                    todo,
                )
            case Access.CHANGES:
                return Words(
                    _("Other users of this machine can change {paths}.", paths=paths),
                    _("They can give you another key, and take your games away."),
                    todo,
                )
            case _:
                assert_never(self.access)


@dataclass(frozen=True, slots=True)
class Space(Finding):
    free_megabytes: int
    has_file_room: bool
    """Whether the file system can hold another file, however small."""

    @property
    def severity(self) -> Severity:
        if self.free_megabytes < LEAST_MEGABYTES or not self.has_file_room:
            return Severity.PROBLEM
        return Severity.NOTE if self.free_megabytes < ENOUGH_MEGABYTES else Severity.OK

    def words(self) -> Words:
        what = plural(
            "{n} MB is free on the disk of your games.",
            "{n} MB are free on the disk of your games.",
            self.free_megabytes,
        )
        if not self.has_file_room:
            what = _("The disk holds as many files as it can.")
        todo = _("Remove what you do not need from that disk, or name a folder on another one with "
                 "the variable KOTP2P_DATA.")  # fmt: skip
        match self.severity:
            case Severity.OK:
                return Words(what)
            case Severity.NOTE:
                return Words(what, _("The log of a game needs about one MB."), todo)
            case Severity.PROBLEM:
                return Words(what, _("A game stops when its log cannot be written."), todo)
            case _:
                assert_never(self.severity)


@dataclass(frozen=True, slots=True)
class LockHeld(Finding):
    """A process that is playing here now."""

    severity: ClassVar[Severity] = Severity.NOTE
    process: int | None
    """Its number; None where the system does not report it."""
    profiles: tuple[str, ...]
    games: tuple[str, ...]
    """The phrases of the tables."""

    def words(self) -> Words:
        held = list_with_and([
            *(_("the profile {profile}", profile=one) for one in self.profiles),
            *(_("the game {phrase}", phrase=one) for one in self.games),
        ]) or _("a game")  # fmt: skip
        matters = _(
            "A second program would play under another key, and cannot go on with that game."
        )
        if self.process is None:
            return Words(
                _("Another process holds {held}.", held=held),
                matters,
                _("Go on in its window, or close that."),
            )
        return Words(
            _("The process {process} holds {held}.", process=str(self.process), held=held),
            matters,
            _("Go on in its window, or close that. If you cannot find it, type: {command}",
              command=f"kill {self.process}"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class LocksLeft(Finding):
    severity: ClassVar[Severity] = Severity.OK
    count: int

    def words(self) -> Words:
        return Words(
            plural("{n} lock was left by a process that has ended.",
                   "{n} locks were left by processes that have ended.", self.count),
            _("That keeps nobody from playing."),
        )  # fmt: skip


def _own_command(path: str) -> str:
    return f'sudo chown -R "$(id -un)" {_in_shell(path)}'


def _in_shell(path: str) -> str:
    """Quote a path for a shell, which completes `~` and the part that is cut out."""
    home = "~/" if path.startswith("~/") else ""
    parts = path.removeprefix(home).split(HIDDEN)
    return home + "*".join(shlex.quote(part) if part else "" for part in parts)


# -- games, and files that are wrong or none of the program's ------------------------------


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
    file: FileFault | None = None
    """The same, where it is known which file it is."""

    def words(self) -> Words:
        return Words(
            _("A game cannot be resumed: {fault}.", fault=self.fault),
            _("The other games are not concerned."),
            take_from_others() if self.file is None else describe_file_fault(self.file)[-1],
        )


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
    """A message of the system, or one in English."""

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
    """Return the command that resumes the game, with the first words of its phrase."""
    words = ["kotp2p resume", *phrase.split()[:2]]
    if profile != "default":
        words += ["--profile", profile]
    return typeable(" ".join(words))
