"""Pages whose own data was changed by hand: what they show of a game as checked is true."""

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kotp2p.cli.extras.forms.html import build_page
from kotp2p.cli.extras.forms.lines import export_lines, pack_line, sentence_lines
from kotp2p.extras.recording import record_log
from tests.support.browser import Browser
from tests.support.pages import GamePage
from tests.support.paths import LOGS, VECTORS

SHORT = VECTORS / "logs" / "short.kotlog"
SECOND = LOGS / "protocol-6-rules-2-second.kotlog"
MUTANTS = 200
SIGNED = "All players in the game have signed this board."
SHOWN = """
await (async () => {
  const text = (id) => document.getElementById(id).textContent;
  const moment = document.getElementById("moment");
  const boards = {};
  const isShown = !document.getElementById("replay").hidden;
  for (let n = 0; isShown && n <= Number(moment.max); n++) {
    moment.value = n;
    moment.dispatchEvent(new Event("input"));
    if (text("where").includes(given[0])) {
      boards[n] = [text("where"), text("board"), text("dice"), text("market")];
    }
  }
  return { title: text("title"), subtitle: text("subtitle"), verdict: text("verdict-words"),
    outcome: text("outcome-title"),
    legend: isShown ? text("legend") : "", boards };
})()
"""
"""What stands there as checked: at moments whose board is marked, all that is drawn of it."""

Lines = list[dict[str, Any]]


def lines_of(path: Path) -> Lines:
    log = record_log(path.read_bytes())
    packed = [*map(pack_line, export_lines(log)), *map(pack_line, sentence_lines(log))]
    return [json.loads(line) for line in packed]


def packed(lines: Lines) -> bytes:
    return "\n".join(json.dumps(line) for line in lines).encode()


def shown(page: GamePage, lines: Lines) -> dict[str, Any]:
    page.drop("game", packed(lines))
    found: dict[str, Any] = page.browser.run(SHOWN, SIGNED)
    return {"result": page.result, **found}


def places(value: object) -> list[tuple[Any, Any]]:
    """Each list and object inside, with a key of it."""
    found: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        found += [(value, key) for key in value if key != "line"]
        inner = list(value.values())
    elif isinstance(value, list):
        found += [(value, at) for at in range(len(value))]
        inner = value
    else:
        return []
    return found + [place for item in inner for place in places(item)]


def mutate(lines: Lines, chance: Random) -> Lines:
    """One change of meaning; the form stays that of JSON lines."""
    changed = copy.deepcopy(lines)
    at = chance.randrange(1, len(changed))
    # Half of them where names, cards and the verdict are, which are few of many lines.
    few = [n for n, line in enumerate(changed) if line["line"] in ("table", "called", "verdict")]
    if chance.random() < 0.5:
        at = chance.choice(few)
    if chance.random() < 0.15:
        other = chance.randrange(1, len(changed))
        match chance.randrange(3):
            case 0:
                del changed[at]
            case 1:
                changed.insert(other, changed[at])
            case _:
                changed[at], changed[other] = changed[other], changed[at]
        return changed
    holder, key = chance.choice(places(changed[at]))
    match chance.randrange(7):
        case 0 if isinstance(holder, list):
            other = chance.randrange(len(holder))
            holder[key], holder[other] = holder[other], holder[key]
        case 1 if isinstance(holder, list):
            holder.reverse()
        case 2 if isinstance(holder, list):
            holder.insert(key, holder[key])
        case 3 if isinstance(holder[key], int):
            holder[key] += chance.choice((-1, 1, 10**6))
        case 4 if isinstance(holder[key], str):
            holder[key] = chance.choice(("", "Mallory", holder[key] * 2, "a" * 10**5))
        case 5:
            del holder[key]
        case _:
            holder[key] = chance.choice(([], {}, None, 0, "x", True))
    return changed


@pytest.fixture(scope="session")
def second() -> Lines:
    return lines_of(SECOND)


@pytest.fixture(scope="session")
def right(browser: Browser, pages: Path, second: Lines) -> dict[str, Any]:
    """What is shown of the lines as they were written."""
    page = GamePage(browser)
    browser.resize(1280, 900)
    page.show(pages / "empty.html")
    return shown(page, second)


def swap_players(lines: Lines) -> None:
    table = next(line for line in lines if line["line"] == "table")
    one, other = table["players"][:2]
    for field in ("name", "monster", "key", "fingerprint"):
        one[field], other[field] = other[field], one[field]
    called = next(line for line in lines if line["line"] == "called")["names"]
    called[0], called[1] = called[1], called[0]


def rename_cards(lines: Lines) -> None:
    table = next(line for line in lines if line["line"] == "table")
    table["items"].reverse()


def make_turns(lines: Lines) -> None:
    for line in lines:
        if line["line"] == "moment":
            line["turn"] = 99


def drop_verdict(lines: Lines) -> None:
    lines[:] = [line for line in lines if line["line"] != "verdict"]


def call_somebody_else(lines: Lines) -> None:
    next(line for line in lines if line["line"] == "called")["names"][0] = "Mallory"


@pytest.mark.parametrize(
    "change", [swap_players, rename_cards, make_turns, drop_verdict, call_somebody_else]
)
def test_a_list_that_names_other_players_cards_or_turns_is_not_vouched_for(
    change: Any, checker: GamePage, second: Lines, right: dict[str, Any]
) -> None:
    assert right["result"] == "sound"
    changed = copy.deepcopy(second)
    change(changed)
    wrong = shown(checker, changed)
    assert wrong["result"] in ("wrong", "unreadable")
    if wrong["result"] == "wrong":
        assert (wrong["title"], wrong["legend"]) == (right["title"], right["legend"])


def test_other_texts_are_not_shown(checker: GamePage, second: Lines, right: dict[str, Any]) -> None:
    """They may be those of another release, so they are no fault."""
    changed = copy.deepcopy(second)
    faces = next(line for line in changed if line["line"] == "table")["faces"]
    for face in faces.values():
        face["name"] = face["text"] = "Mallory"
    assert shown(checker, changed) == right


def test_the_winners_are_those_whom_the_last_record_names(
    checker: GamePage, second: Lines, right: dict[str, Any]
) -> None:
    changed = copy.deepcopy(second)
    for line in changed:
        if line["line"] == "told":
            for one in line["told"]:
                one["text"] = "The game is over: Mallory wins."
    found = shown(checker, changed)
    assert (found["verdict"], found["outcome"]) == (right["verdict"], right["outcome"])
    assert " won." in right["verdict"] and " won." in right["outcome"]


def test_a_board_that_nobody_has_signed_says_so(checker: GamePage, second: Lines) -> None:
    marked = shown(checker, second)["boards"]
    unmarked = next(n for n in range(1, 50) if str(n) not in marked)
    checker.go(unmarked)
    assert "nobody has signed it" in checker.text_of("where")
    assert "None of these sentences was checked" in checker.text_of("story")


@pytest.mark.parametrize("part", range(4))
def test_what_a_mutant_shows_as_checked_is_true(checker: GamePage, part: int) -> None:
    lines = lines_of(SHORT)
    right = shown(checker, lines)
    assert right["result"] == "sound"
    assert len(right["boards"]) >= 2
    told = set[str]()
    for n in range(part, MUTANTS, 4):
        found = shown(checker, mutate(lines, Random(f"told {n}")))
        told.add(found["result"])
        if found["result"] != "sound":
            continue
        boards = found.pop("boards")
        assert found == {name: value for name, value in right.items() if name != "boards"}, n
        assert boards.items() <= right["boards"].items(), n
    assert "sound" in told and len(told) > 1


def test_a_page_says_it_of_itself(checker: GamePage, tmp_path: Path, right: dict[str, Any]) -> None:
    (tmp_path / "game.html").write_text(build_page(record_log(SECOND.read_bytes())))
    checker.show(tmp_path / "game.html")
    assert {"result": checker.result, **checker.browser.run(SHOWN, SIGNED)} == right
