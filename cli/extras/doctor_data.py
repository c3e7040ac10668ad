"""A user's files, as `kotp2p doctor` judges them: from facts to findings.

Scope: pure but for `examine_data`, which collects the facts.
Not here: the facts (`cli.extras.data_facts`, `cli.extras.game_facts`), and the sentences
(`cli.extras.data_findings`, `cli.extras.game_findings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from kotp2p.cli.extras import data_findings as files
from kotp2p.cli.extras import game_findings as games
from kotp2p.cli.extras.data_facts import DataFacts, FileFacts, LockFacts, read_data, shown_path
from kotp2p.cli.extras.data_findings import Access, FolderUse, WhyNot
from kotp2p.cli.extras.finding import Finding
from kotp2p.cli.extras.game_facts import GamesFacts, is_lock_of_game, phrase_of_game, read_games
from kotp2p.cli.system.config import ConfigFault, load_config
from kotp2p.cli.system.folders import config_file, data_folder

MAX_NAMED = 5
"""Files that are named; the others are a number."""


@dataclass(slots=True)
class Holder:
    """A process and what it plays, by the locks that it holds."""

    process: int | None
    profiles: list[str] = field(default_factory=list)
    games: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SettingsFacts:
    path: str
    is_there: bool
    is_understood: bool


def examine_data() -> list[Finding]:
    data = data_folder().resolve()
    facts = read_data(data)
    return [
        *judge_files(facts),
        *judge_settings(_read_settings()),
        *judge_locks(list_holders(facts.locks, data), facts.locks),
        *judge_games(read_games(data) if facts.is_there else GamesFacts()),
    ]


def judge_files(facts: DataFacts) -> Iterator[Finding]:
    yield files.Folder(FolderUse.DATA, facts.path, facts.is_there)
    why = _why_not_writable(facts)
    if why is not None:
        yield files.NotWritable(facts.write_path, why)
    if facts.others_files and why is not WhyNot.OTHER_OWNER:
        yield files.OtherOwner(facts.path, facts.others_files)
    if facts.is_there and facts.has_modes:
        access = worst_access(facts.open_files)
        paths = (one.path for one in facts.open_files if _access_to(one) is access)
        yield files.Permissions(facts.path, access, tuple(islice(paths, MAX_NAMED)))
    yield files.Space(facts.free_megabytes, facts.free_files != 0)
    for path, detail in islice(facts.unreadable, MAX_NAMED):
        yield games.Unreadable(path, detail)


def _why_not_writable(facts: DataFacts) -> WhyNot | None:
    if facts.is_read_only:
        return WhyNot.READ_ONLY
    if facts.can_write:
        return None
    return WhyNot.MODE if facts.is_own else WhyNot.OTHER_OWNER


def worst_access(found: Iterable[FileFacts]) -> Access:
    order = list(Access)
    return max((_access_to(one) for one in found), key=order.index, default=Access.NOTHING)


def _access_to(one: FileFacts) -> Access:
    if one.mode & 0o022:
        return Access.CHANGES
    if one.is_secret and one.mode & 0o044:
        return Access.SECRETS
    return Access.NAMES if one.mode & 0o044 else Access.NOTHING


def judge_settings(facts: SettingsFacts) -> Iterator[Finding]:
    yield files.Folder(FolderUse.SETTINGS, facts.path, facts.is_there)
    if not facts.is_understood:
        yield games.BadSettings(facts.path)


def _read_settings() -> SettingsFacts:
    path = config_file()
    try:
        load_config()
    except ConfigFault:
        return SettingsFacts(shown_path(path), path.exists(), is_understood=False)
    return SettingsFacts(shown_path(path), path.exists(), is_understood=True)


def list_holders(locks: Iterable[LockFacts], data: Path) -> list[Holder]:
    """The processes that play here now, each with all of its locks."""
    found: dict[int | None, Holder] = {}
    for lock in locks:
        if not lock.is_held:
            continue
        holder = found.setdefault(lock.process, Holder(lock.process))
        if not is_lock_of_game(lock.path, data):
            holder.profiles.append(lock.path.parent.name)
            continue
        phrase = phrase_of_game(lock.path)
        if phrase and phrase not in holder.games:  # its bots have locks of their own
            holder.games.append(phrase)
    return list(found.values())


def judge_locks(holders: Iterable[Holder], locks: Iterable[LockFacts]) -> Iterator[Finding]:
    for one in holders:
        yield files.LockHeld(one.process, tuple(one.profiles), tuple(one.games))
    left = sum(not lock.is_held for lock in locks)
    if left:
        yield files.LocksLeft(left)


def judge_games(facts: GamesFacts) -> Iterator[Finding]:
    for game in facts.games:
        if game.is_open:
            continue  # its lock tells of it, and its log is being written
        yield games.Unfinished(game.phrase, game.turn, game.profile)
        if game.is_torn:
            yield games.TornLog(game.phrase)
    for fault in facts.broken:
        yield games.BrokenGame(fault)
    for start in facts.starts:
        yield games.Start(start.phrase, start.profile)
    if facts.bad_logs:
        yield games.BadLogs(len(facts.bad_logs), facts.bad_logs[:MAX_NAMED])
    if facts.strays:
        yield games.Strays(len(facts.strays), facts.strays[:MAX_NAMED])
