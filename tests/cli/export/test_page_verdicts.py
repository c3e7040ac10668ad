"""The verifier in the page and `verify` come to the same wherever the rules are not needed."""

from pathlib import Path
from random import Random

import pytest

from kotp2p.cli.extras.forms.html import build_page
from kotp2p.extras.recording import record_log
from kotp2p.game.verify import Result, verify_log
from tests.support.log_bytes import long_log, short_log
from tests.support.pages import GamePage
from tests.support.paths import LOGS, VECTORS, folder_of
from tests.support.two_verifiers import vectors
from tests.support.undone_logs import returned_log, undone_log
from tests.tools import page_verdicts

WRITTEN = sorted([*LOGS.glob("protocol-6-*.kotlog"), *(VECTORS / "logs").glob("*.kotlog")])
BY_RULES_ALONE = {
    "wrong-contributor-as-a-witness", "wrong-end-before-the-end", "wrong-illegal",
    "wrong-no-position", "wrong-other-last-position", "wrong-other-position", "wrong-other-winners",
    "wrong-out-of-turn", "wrong-proof-of-nothing", "wrong-rows-of-a-witness",
}  # fmt: skip
"""Logs of the vectors in which the page finds nothing, as only the rules show the fault."""


def test_of_every_written_log_the_page_says_what_verify_says(checker: GamePage) -> None:
    logs = [path.read_bytes() for path in WRITTEN]
    missed = set()
    for path, data, page in zip(WRITTEN, logs, checker.verdicts_on(logs), strict=True):
        report = verify_log(data)
        at = report.wrong_at
        ours = report.result.value, at and at.record, at and at.offset
        if ours != (page.result, page.record, page.offset):
            assert page_verdicts.needs_rules(report), (path.stem, ours, page)
            missed.add(path.stem)
    assert missed == BY_RULES_ALONE


def test_logs_of_whole_tables_are_right_for_both(checker: GamePage) -> None:
    long = long_log()
    lost = [long[:start] + bytes(end) for start, end in ((1024, 3000), (2560, 1))]
    logs = [short_log(), long, *lost, undone_log(), returned_log()]
    for data, page in zip(logs, checker.verdicts_on(logs), strict=True):
        assert not page_verdicts.differ(verify_log(data), page), page
        assert page.result in ("sound", "unfinished")


@pytest.mark.parametrize("seed", range(3))
def test_of_mutated_logs_the_page_says_what_verify_says(checker: GamePage, seed: int) -> None:
    made = page_verdicts.mutations(Random(f"sample {seed}"))
    logs = [next(made) for _ in range(20)]
    assert list(page_verdicts.differences(checker, logs)) == []


@pytest.mark.parametrize("seed", [202, 221, 320, 365, 399, 454, 888021, 888039])
def test_of_logs_at_random_the_page_says_what_verify_says(checker: GamePage, seed: int) -> None:
    """In these keepers cheat, leave and are put out, and bodies come in any order."""
    assert list(page_verdicts.differences(checker, page_verdicts.of_strife(seed))) == []


def test_whether_an_end_counts_below_a_line_up_rules_say(checker: GamePage, tmp_path: Path) -> None:
    logs = page_verdicts.of_strife(201)
    [log] = (log for log in logs if verify_log(log).result is Result.SOUND)
    path = tmp_path / "game.html"
    path.write_text(build_page(record_log(log)))
    checker.show(path)
    said = checker.text_of("verdict-line")
    assert checker.result == "unchecked"
    assert "P2 confirmed an end, but only the rules tell" in said
    assert "kotp2p verify" in said
    assert checker.text_of("verdict-list") == ""


def test_a_log_of_junk_is_refused_at_once(checker: GamePage) -> None:
    head = (VECTORS / "logs" / "short.kotlog").read_bytes()[:40]
    junk, zeros = head + Random(1).randbytes(2**20), head + bytes(2**20)
    assert [one.result for one in checker.verdicts_on([junk, zeros])] == ["wrong", "unfinished"]


def test_the_page_takes_the_signatures_of_the_vectors_and_no_others(checker: GamePage) -> None:
    keys = vectors("keys")
    tried = {"right": keys["signature of 'body' as kotp2p/play/1"], **keys["refused signatures"]}
    script = "await kotp2p.isSigned(...[given[0], given[1]].map(kotp2p.fromHex).flatMap((b, i) => \
        i === 0 ? [b, 'play', new TextEncoder().encode('body')] : [b]))"
    taken = [name for name, s in tried.items() if checker.browser.run(script, keys["key"], s)]
    assert taken == ["right"]
    good = "kotp2p.isGoodKey(kotp2p.fromHex(given[0]))"
    assert checker.browser.run(good, keys["key"])
    assert not any(checker.browser.run(good, key) for key in keys["refused keys"].values())


def test_the_page_hashes_the_positions_of_the_vectors(checker: GamePage) -> None:
    shown = [position for found in vectors("positions").values() for position in found]
    assert len(shown) > 10
    script = "kotp2p.toHex(await kotp2p.digestOfPosition(given[0]))"
    for position in shown:
        numbers = [number for _, number in position["numbers"]]
        assert checker.browser.run(script, numbers) == position["digest"]


def test_the_page_knows_the_names_of_the_vectors(checker: GamePage) -> None:
    known = vectors("names")
    run = checker.browser.run
    are_names = "given[0].map((name) => kotp2p.isName(name))"
    assert all(run(are_names, list(known["names"])))
    assert not any(run(are_names, list(known["refused"].values())))
    looks = run("given[0].map((name) => kotp2p.looksOf(name))", list(known["names"]))
    assert looks == list(known["names"].values())
    assert all(run("given[0].map(([one, other]) => kotp2p.areAlike(one, other))", known["alike"]))
    names = list(known["names"])
    assert not run("kotp2p.areAlike(given[0], given[1])", names[0], names[1])


def test_the_page_is_written_from_the_protocol_alone() -> None:
    """Nothing of the Python program is made into it: its parts are files of their own."""
    folder = folder_of("cli") / "extras" / "forms" / "page"
    for path in folder.glob("*.js"):
        text = path.read_text("utf-8")
        assert text.startswith("// "), path
        assert "eval(" not in text and "innerHTML" not in text and "new Function" not in text, path
        assert text.count("\n") <= 400, path


def test_a_log_without_a_record_is_changed_nowhere() -> None:
    made = page_verdicts.mutations(Random(77))
    assert all(next(made) for _ in range(10))
