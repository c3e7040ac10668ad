"""Documents are short, and every file, command and module that they name exists."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec

import pytest

from kotp2p.cli.system.config import CONFIG_KEYS
from kotp2p.cli.text.i18n import IS_PUBLISHED
from kotp2p.rendezvous.words import read_code
from tests.support.paths import NESTED, PACKAGES, ROOT, folder_of, modules_of, place_of

FOLDERS = (*PACKAGES, "bench", "docs", "tests", ".ci")
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/*.md", "docs/adr/*.md", "tests/*.md", "tests/scenario/*.md")
    for path in ROOT.glob(pattern)
)
UNWRAPPED = {"docs/RULES.md": "`kotp2p rules --rules` leaves out whole lines"}
"""Documents with longer lines, and the reason."""

MAX_COLUMNS = 100


def read(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def plain(text: str) -> str:
    """Without code, targets of links and emphasis."""
    text = re.sub(r"`[^`]+`", "code", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>]+>", "", text)
    return re.sub(r"\s+", " ", text.replace("**", "").replace("*", "")).strip()


LENGTHS = {"README": 1_500, "CONTRIBUTING": 1_000, "docs/DESIGN": 5_000, "docs/PROTOCOL": 19_500}
"""How many words a document may have, so that it is read."""


@pytest.mark.parametrize("document", LENGTHS)
def test_a_document_is_short_enough_to_be_read(document: str) -> None:
    assert len(read(f"{document}.md").split()) <= LENGTHS[document]


BY_NAME = re.compile(
    r"\b(?:uvx|(?:pip|pipx|uv tool|uv pip) install|pipx run)(?: +-\S+(?: +[\d.]+)?)* +'?kotp2p\b"
)
"""A command that takes the program from an index. One that takes it from a folder has a path."""


def texts_for_people() -> Iterator[tuple[str, str]]:
    """Yield documents, pages, the manual and the sentences of all languages, with their places."""
    paths = [ROOT / document for document in DOCUMENTS]
    paths += [ROOT / "pyproject.toml", ROOT / "docs" / "kotp2p.1"]
    cli = folder_of("cli")
    paths += [*cli.rglob("*.po"), *cli.rglob("*.js"), *cli.rglob("*.html")]
    for path in paths:
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    for path in modules_of(*PACKAGES):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{place_of(path)}:{node.lineno}", node.value


def test_an_example_of_a_code_can_be_typed() -> None:
    codes = [
        code
        for _place, text in texts_for_people()
        for code in re.findall(r"\b[1-9]\d{3}-[a-z]{3,}-[a-z]{3,}\b", text)
    ]
    assert len(codes) > 5
    for code in codes:
        read_code(code)


def test_nothing_is_installed_by_name_before_it_is_published() -> None:
    """Otherwise anybody could take the name first."""
    places = [place for place, text in texts_for_people() if BY_NAME.search(text)]
    assert IS_PUBLISHED or places == []


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if one not in UNWRAPPED])
def test_a_line_fits_into_a_hundred_columns(document: str) -> None:
    found = [
        f"{document}:{number}: {line}"
        for number, line in enumerate(read(document).splitlines(), 1)
        if len(line) > MAX_COLUMNS and not line.startswith("|") and "](" not in line
    ]
    assert not found, "\n".join(found)


# -- names of things -----------------------------------------------------------------------


def code(document: str) -> Iterator[str]:
    text = read(document)
    for block in re.findall(r"^```[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield from block.splitlines()
    yield from re.findall(r"^    (\S.*)", text, re.MULTILINE)
    for span in re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)):
        yield re.sub(r"\s+", " ", span)


@cache
def files() -> frozenset[str]:
    return frozenset(
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if "__pycache__" not in path.parts
    ) | {path.name for path in ROOT.iterdir()}


def exists(path: str, document: str) -> bool:
    """From the root, from the document, or as the end of a path, as in a table about one folder."""
    path = path.rstrip("/")
    beside = (ROOT / document).parent / path
    return (ROOT / path).exists() or beside.exists() or any(f.endswith(f"/{path}") for f in files())


def named_paths(document: str) -> set[str]:
    """What looks like a file or folder of the repository. `~` and `.venv` are the reader's."""
    folders = "|".join(map(re.escape, FOLDERS))
    path = re.compile(rf"[\w./-]+\.(?:py|md|toml|txt|json|kotlog)|(?:{folders})/[\w./-]*")
    tag = re.compile(r"kotp2p/(?:[\w-]+/)?\d+")  # of a hash, and of TLS
    return {
        word
        for span in code(document)
        if not span.startswith(("~", ".venv"))
        for word in span.split()
        if path.fullmatch(word) and not tag.fullmatch(word)
    }


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_path_in_a_document_exists(document: str) -> None:
    assert {path for path in named_paths(document) if not exists(path, document)} == set()


def anchors(document: str) -> set[str]:
    """Of the headings, as GitHub makes them, and those that are written out."""
    text = read(document)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w -]", "", plain(one).lower()).replace(" ", "-") for one in headings}
    return made | set(re.findall(r'<a id="([^"]+)">', text))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_link_in_a_document_leads_somewhere(document: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", read(document)):
        if target.startswith("http"):
            continue
        file, _hash, anchor = target.partition("#")
        path = ((ROOT / document).parent / file).resolve() if file else ROOT / document
        assert path.exists(), target
        if anchor and path.suffix == ".md":
            assert anchor in anchors(path.relative_to(ROOT).as_posix()), target


def test_every_setting_stands_in_the_document_of_formats() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .*\| .* \|$", read("docs/FORMATS.md"), re.MULTILINE)
    settings = [key.name for key in CONFIG_KEYS]
    assert [name for name in settings if name not in rows] == []


def test_every_room_stands_on_the_map() -> None:
    rooms = {
        f"{package}/{path.name}"
        for package in PACKAGES
        for path in folder_of(package).iterdir()
        if (path / "__init__.py").is_file() and path.name not in NESTED
    }
    assert len(rooms) > 20
    assert [room for room in sorted(rooms) if f"`{room}/`" not in read("docs/DESIGN.md")] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_module_that_a_document_runs_can_be_found(document: str) -> None:
    for module in set(re.findall(r"python3? -m ([\w.]*\w)", read(document))):
        spec = find_spec(module)
        assert spec is not None, module
        if spec.submodule_search_locations is not None:
            assert find_spec(f"{module}.__main__") is not None, f"{module} has no __main__"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_dotted_name_in_a_document_can_be_imported(document: str) -> None:
    for span in code(document):
        if re.fullmatch(rf"(?:{'|'.join(PACKAGES)}|tests|bench)(?:\.\w+)+", span):
            span = f"kotp2p.{span}" if span.partition(".")[0] in NESTED else span
            module, _dot, name = span.rpartition(".")
            assert named(span) or name in vars(__import__(module, fromlist=[name])), span


def named(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
