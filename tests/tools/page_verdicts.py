"""`python -m tests.tools.page_verdicts`: shows mutated logs to `verify` and to the page of a game,
and with `--strifes` also logs that are made at random. It names those of which the two say
something else although no rules are needed. It needs Chromium.

The page knows no rules. So it may find nothing where `verify` says that a log is wrong by the rules
(`NEEDS_RULES`) or in a proof of which the page says so itself, or come to the fault later.
It must never call wrong what `verify` takes. Which of two lines of play counts may take the rules
as well: then it does not judge a log in which one of them has an end.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

from kotp2p.cli.extras.forms.html import build_page
from kotp2p.game.verify import Report, verify_log
from kotp2p.referee.box.rulesets import RULE_SETS, RULES_VERSION
from kotp2p.wire.genesis import PROTOCOL_VERSION
from tests.support.browser import started_browser
from tests.support.pages import GamePage, PageVerdict
from tests.support.paths import LOGS, VECTORS
from tests.support.tool_line import tool_parser
from tests.tools.both_verifiers import TRIES
from tests.tools.fuzz import seeds
from tests.tools.fuzz.logs import Logs
from tests.tools.independent.strife import strifes

NEEDS_RULES = (
    "illegal-move", "out of turn", "an entry that is right", "the digest", "the position differs",
    "another kind of entry is owed", "other winners", "the half-open slot", "nothing opened",
    "after the end of the game", "a keeper that does not play here",
)  # fmt: skip
"""Faults that the rules alone show: who was asked, whether an answer was legal, whether the game
was over, what the position was, whose monster lives, and so whether a line-up has begun."""
AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Difference:
    data: bytes
    verify: str
    page: str


def mutations(chance: Random) -> Iterator[bytes]:
    """Whole games and small ones of every kind, each with one change."""
    found = (*LOGS.glob(f"protocol-{PROTOCOL_VERSION}-rules-{RULES_VERSION}-*.kotlog"),
             *VECTORS.glob("logs/*.kotlog"))  # fmt: skip
    read = [path.read_bytes() for path in sorted(found) if "wrong-" not in path.name]
    whole = tuple(data for data in read if list(seeds.records(data)))
    logs = Logs(whole, chance)
    while True:
        which = chance.randrange(len(whole))
        yield logs.bytes_changed(whole[which])
        yield logs.records_changed(which)
        yield logs.body_changed(which)


def of_strife(seed: int) -> list[bytes]:
    """A log that is made at random, and its wrong ends."""
    return list(strifes(Random(f"strife {seed}"), tuple(RULE_SETS), TRIES))


def needs_rules(report: Report) -> bool:
    return report.wrong_at is not None and any(words in report.reason for words in NEEDS_RULES)


def differ(report: Report, page: PageVerdict) -> bool:
    """Whether the page says something else than `verify` where it could know better."""
    at = report.wrong_at
    if report.result.value == page.result and (at is None or at.record == page.record):
        return at is not None and at.offset != page.offset
    if at is None and page.result == "unchecked":
        return False
    if at is None or not (needs_rules(report) or at.record in page.unchecked):
        return True
    return page.result == "wrong" and (page.record or 0) < at.record


def differences(page: GamePage, logs: list[bytes]) -> Iterator[Difference]:
    for first in range(0, len(logs), AT_ONCE):
        some = logs[first : first + AT_ONCE]
        for data, said in zip(some, page.verdicts_on(some), strict=True):
            report = verify_log(data)
            if differ(report, said):
                yield Difference(
                    data, f"{report.result} {report.wrong_at} {report.reason}", str(said)
                )


def main() -> int:
    parser = tool_parser("tests.tools.page_verdicts", __doc__)
    parser.add_argument("--logs", type=int, default=300, help="how many (300)")
    parser.add_argument("--first", type=int, default=0, help="the seed (0)")
    parser.add_argument("--strifes", type=int, default=0, help="logs made at random (0)")
    parser.add_argument("--keep", type=Path, help="a folder for the logs that differ")
    given = parser.parse_args()
    made = mutations(Random(given.first))
    logs = [next(made) for _ in range(given.logs)]
    for seed in range(given.first, given.first + given.strifes):
        logs += of_strife(seed)
    with tempfile.TemporaryDirectory() as folder, started_browser() as browser:
        checker = Path(folder) / "empty.html"
        checker.write_text(build_page(None))
        page = GamePage(browser)
        page.show(checker)
        found = list(differences(page, logs))
    for one in found:
        name = sha256(one.data).hexdigest()[:12]
        print(f"{name}\n  verify: {one.verify}\n  page: {one.page}")
        if given.keep is not None:
            given.keep.mkdir(parents=True, exist_ok=True)
            (given.keep / f"{name}.kotlog").write_bytes(one.data)
    reports = [verify_log(data) for data in logs]
    verdicts = Counter(report.result.value for report in reports)
    ruled = sum(map(needs_rules, reports))
    print(f"{len(logs)} logs, {dict(verdicts)}, {ruled} wrong by the rules; {len(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
