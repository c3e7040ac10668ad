"""The laws of the project that no module can keep alone: who imports whom, where cards and
rule sets are named, what is shipped, and that lint would notice."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kotp2p.cli.system.options import VERSION
from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.model.state import TurnKind
from tests.support.paths import NESTED, PACKAGES, ROOT, folder_of, modules_of, place_of
from tests.support.sources import statements_of


def nodes_of(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


@cache
def imported(path: Path) -> frozenset[str]:
    """Name the packages that a module imports, anywhere in it: of ours one of the three."""
    found = set()
    for node in statements_of(path):
        if isinstance(node, ast.Import):
            found |= {_package(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            found |= {_package(f"{node.module}.{alias.name}") for alias in node.names}
    return frozenset(found)


def _package(name: str) -> str:
    top, _, rest = name.partition(".")
    inner = rest.partition(".")[0]
    return inner if top == "kotp2p" and inner in NESTED else top


def project() -> dict[str, dict[str, object]]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def required_names() -> set[str]:
    found = project()["project"]["dependencies"]
    assert isinstance(found, list)
    return names_of(found)


def names_in_extra(extra: str) -> set[str]:
    extras = project()["project"]["optional-dependencies"]
    assert isinstance(extras, dict)
    return names_of(extras[extra])


def names_of(lines: list[str]) -> set[str]:
    return {re.split(r"[<>=;\[ ]", line)[0] for line in lines}


def test_each_dependency_has_bounds_and_a_version_that_was_tested() -> None:
    listed = (ROOT / "constraints.txt").read_text(encoding="ascii").splitlines()
    tested = dict(line.split("==") for line in listed if not line.startswith("#"))
    found = project()["project"]["dependencies"]
    assert isinstance(found, list)
    for line in found:
        name, bounds = re.fullmatch(r"([a-z0-9_-]+)([^;]*).*", line).groups()  # type: ignore[union-attr]
        assert name.replace("_", "-") in tested
        assert ">=" in bounds, line
        assert "<" in bounds or name == "cryptography", line


# -- imports -------------------------------------------------------------------------------


def test_the_referee_stands_alone() -> None:
    for path in modules_of("referee"):
        strangers = imported(path) - set(sys.stdlib_module_names) - {"referee"}
        assert not strangers, f"{path.name} imports {strangers}"


def test_only_modules_of_this_machine_know_entropy_and_the_time_of_day() -> None:
    users = {
        path.relative_to(ROOT / "kotp2p").as_posix()
        for path in modules_of("kotp2p")
        if imported(path) & {"secrets", "time", "random"}
    }
    assert users == {
        "net/machine.py",
        "store/files.py",  # for names that nobody can guess, and that nobody is told
    }


def test_every_stranger_that_is_imported_is_required_and_the_reverse() -> None:
    strangers: set[str] = set()
    for path in modules_of(*PACKAGES):
        strangers |= imported(path) - set(sys.stdlib_module_names) - set(PACKAGES)
    # only a checkout compiles; an installed program has what the build has compiled
    names = {name.replace("-", "_") for name in required_names() - {"python-bidi"}}
    assert strangers == names | {"babel", "bidi"}


def test_ci_finds_the_lowest_version_of_every_requirement() -> None:
    """`.ci/lowest` and `.ci/full` take them from the text, line by line."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    pattern = r'^ +"([A-Za-z0-9_-]+)>=([0-9.]+)[^"]*".*'
    for script in ("lowest", "full"):
        assert pattern in (ROOT / ".ci" / script).read_text(encoding="utf-8")
    found = {name for name, _ in re.findall(pattern, text, re.MULTILINE)}
    assert found == required_names() | names_in_extra("dev") | names_in_extra("relay-tests")


def test_every_requirement_says_why() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for name in required_names():
        assert re.search(rf'^ +"{name}[^"]*", +# \w', text, re.MULTILINE), name


PLANTED = [
    ("referee/planted.py", "from kotp2p.cli import main"),
    ("referee/planted.py", "import random"),
    ("referee/planted.py", "import msgpack"),
    ("kotp2p/planted.py", "import kotp2p.cli.main"),
    ("kotp2p/lobby/planted.py", "import trio"),
    ("cli/text/planted.py", "import trio"),
]


@pytest.mark.parametrize(("place", "line"), PLANTED, ids=[f"{p} {x}" for p, x in PLANTED])
def test_lint_notices_a_planted_import(tmp_path: Path, place: str, line: str) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        (tmp_path / package).mkdir()
        shutil.copy(folder_of(package) / "ruff.toml", tmp_path / package)
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text(line + "\n", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--select", "TID251", place],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1 and "TID251" in run.stdout, run.stdout + run.stderr


# -- purity --------------------------------------------------------------------------------


def test_the_referee_has_no_floats_and_no_order_of_chance() -> None:
    """Beyond what lint sees: floats, true division, hashes, identities, console and files."""
    for path in modules_of("referee"):
        for node in nodes_of(path):
            line = f"{path.name}:{getattr(node, 'lineno', '?')}"
            if isinstance(node, ast.Constant):
                assert not isinstance(node.value, float), line
            if isinstance(node, ast.BinOp):
                assert not isinstance(node.op, ast.Div), line
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"hash", "id", "open", "print", "input"}, line
            if isinstance(node, ast.For | ast.comprehension):
                ordered = not isinstance(node.iter, ast.Set | ast.SetComp)
                assert ordered, f"{line} walks a set"


# -- cards and rule sets -------------------------------------------------------------------


def texts(path: Path) -> Iterator[tuple[int, str]]:
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def card_names() -> set[str]:
    """Keys of more than one word, and names; a key like `heal` is also a plain word."""
    cards = [card for rules in RULE_SETS.values() for card in rules.cards]
    keys = {card.key for card in cards if "-" in card.key}
    return keys | {card.name for card in cards} | {card.first_name for card in cards}


SPEAK_OF_CARDS = ("referee/box/", "referee/cards/")
"""The cards themselves."""
EXTRA_TURNS = set(TurnKind)
"""The kinds of extra turn are called after their cards in events and State; one place says so."""


def test_no_module_but_the_cards_names_a_card() -> None:
    names = card_names()
    assert len(names) > 100
    for path in modules_of(*PACKAGES):
        place = place_of(path)
        if place.startswith(SPEAK_OF_CARDS):
            continue
        allowed = EXTRA_TURNS if place == "referee/model/state.py" else set()
        for line, text in texts(path):
            assert text not in names - allowed, f"{place}:{line} names {text}"


def test_no_rule_set_is_compared_outside_the_rule_sets() -> None:
    named = set(RULE_SETS)
    values = {name.upper() for name in named}
    for path in modules_of(*PACKAGES):
        if path.name == "rulesets.py":
            continue
        for node in nodes_of(path):
            sides: list[ast.expr] = []
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
            elif isinstance(node, ast.MatchValue):
                sides = [node.value]
            for side in sides:
                what = f"{place_of(path)}:{side.lineno}"
                if isinstance(side, ast.Constant):
                    assert side.value not in named, what
                if isinstance(side, ast.Name):
                    assert side.id not in values, what
                if isinstance(side, ast.Attribute):
                    assert side.attr not in values, what


# -- what is shipped -----------------------------------------------------------------------


def test_the_words_of_the_table_phrase() -> None:
    words = (ROOT / "kotp2p" / "words.txt").read_text(encoding="ascii").splitlines()
    assert len(words) == 2048
    assert words == sorted(set(words))
    for word in words:
        assert re.fullmatch("[a-z]{3,7}", word), word


def test_the_gate_runs_the_test_command_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [line for line in readme.splitlines() if line.endswith("-m pytest")]
    assert len(commands) == 1
    assert commands[0] in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_a_tag_is_compared_with_the_version_of_the_program() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    (command,) = re.findall(r"run: (test .*GITHUB_REF_NAME.*)", text)
    for tag, code in ((f"v{VERSION}", 0), (f"{VERSION}", 1), ("v0.0.1", 1), ("v", 1)):
        done = subprocess.run(
            ["sh", "-c", command], cwd=ROOT, env={**os.environ, "GITHUB_REF_NAME": tag}
        )
        assert done.returncode == code, tag
