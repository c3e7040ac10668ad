"""What is in the packages that are published: all that users, distributions and second implementers
need, and nothing else."""

import os
import re
import runpy
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from filelock import FileLock

from tests.support.packages import MADE, build_packages, sources
from tests.support.paths import ROOT
from tests.support.processes import QUICK, finished, guest, host
from tests.support.program import Program
from tests.tools.bundle import make_bundle, make_folder

LEFT_OUT = {".gitignore"}
"""Of the source distribution: it serves a repository alone."""
RELATIVE = re.compile(r"\]\((?!https?:|#)[^)]*\)")
NEEDED = (
    "CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "constraints.txt", ".ci/run",
    "bench/__init__.py", "docs/FORMATS.md", "docs/PROTOCOL.md", "docs/vectors/names.json",
    "docs/kotp2p.1", "tests/README.md", "tests/conftest.py", "tests/support/paths.py",
    "tests/tools/independent/__init__.py",
    "kotp2p/cli/locale/fr/LC_MESSAGES/kotp2p.po",
)  # fmt: skip


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return a folder that one of the workers has filled for all."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with FileLock(folder / f"{name}.lock"):
        if not (folder / name).is_dir():
            make(folder / f"{name}-half")
            (folder / f"{name}-half").rename(folder / name)
    return folder / name


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of both packages, built from a copy of the sources."""
    return made_once(tmp_path_factory, "package", build_packages) / "dist"


def names_in_sdist(built: Path) -> set[str]:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = [PurePosixPath(one.name) for one in opened.getmembers() if one.isfile()]
    return {name.relative_to(name.parts[0]).as_posix() for name in names}


def names_in_wheel(built: Path) -> set[str]:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        return set(opened.namelist())


def test_the_source_distribution_is_the_whole_project(built: Path) -> None:
    found = {name for name in names_in_sdist(built) if ".egg-info/" not in name} - MADE
    assert found == sources() - LEFT_OUT
    assert found.issuperset(NEEDED)


def test_the_wheel_holds_all_files_of_the_packages_and_the_compiled_languages(built: Path) -> None:
    wanted = {
        str(PurePosixPath(name).with_suffix(".mo")) if name.endswith(".po") else name
        for name in sources()
        if name.startswith("kotp2p/") and not name.endswith("/ruff.toml")
    }
    found = {name for name in names_in_wheel(built) if name.startswith("kotp2p/")}
    assert found == wanted
    others = names_in_wheel(built) - found
    assert {name.partition("/")[0].rpartition(".")[2] for name in others} == {"dist-info", "data"}
    assert any(name.endswith("share/man/man1/kotp2p.1") for name in others)
    assert any(name.endswith("licenses/LICENSE") for name in others)


def test_the_package_index_takes_both(built: Path) -> None:
    files = [str(path) for path in sorted(built.iterdir())]
    wheels = [path for path in files if path.endswith(".whl")]
    for command in (["twine", "check", "--strict", *files], ["check_wheel_contents", *wheels]):
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert not done.returncode, done.stdout + done.stderr


def test_the_metadata_name_the_license_and_say_what_the_program_is(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        (name,) = [one for one in opened.namelist() if one.endswith("METADATA")]
        metadata = opened.read(name).decode()
    assert "License-Expression: MIT\n" in metadata
    assert "License-File: LICENSE\n" in metadata
    assert "Author: the kotp2p authors\n" in metadata
    page = metadata.partition("\n\n")[2]
    assert "This is a fan's program" in page
    assert RELATIVE.findall(page) == []


README = """![Four *monsters*.](docs/table.svg)

See [the guide](docs/GUIDE.md), [this](#here) and [that](https://a.test/x).
"""


@pytest.mark.parametrize(
    ("links", "pictures", "page"),
    [
        ("", "", "See the guide, [this](#here) and [that](https://a.test/x).\n"),
        (
            "https://b.test/blob/v1/",
            "https://b.test/raw/v1/",
            "![Four *monsters*.](https://b.test/raw/v1/docs/table.svg)\n\nSee "
            "[the guide](https://b.test/blob/v1/docs/GUIDE.md), [this](#here) and "
            "[that](https://a.test/x).\n",
        ),
    ],
)
def test_on_the_package_page_no_link_is_relative(links: str, pictures: str, page: str) -> None:
    made = runpy.run_path(str(ROOT / "setup.py"))["package_page"]
    assert made(README, links, pictures) == page


# -- one file ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bundle(built: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """An interpreter without any package, and the one file."""
    pytest.importorskip("shiv", reason="the one file is made by shiv")
    (wheel,) = built.glob("*.whl")

    def make(folder: Path) -> None:
        make_bundle(wheel, folder / "kotp2p.pyz")
        venv.create(folder / "empty")

    folder = made_once(tmp_path_factory, "bundle", make)
    scripts = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    return str(folder / "empty" / scripts), str(folder / "kotp2p.pyz")


def two_play(home: Path, program: tuple[str, ...], *words: str) -> list[Program]:
    ana = host(home / "ana", 2, "--bind", "127.0.0.1", bot=QUICK, installed=program)
    rex = guest(home / "rex", "127.0.0.1", ana.port(), *words, bot=QUICK, installed=program)
    finished([ana, rex])
    folders = [str(one.home / "data") for one in (ana, rex)]
    checked = Program(ana.home, "verify", *folders, installed=program)
    assert checked.wait() == 0, checked.lines
    assert "2 logs: 2 sound" in checked.out[-1]
    return [ana, rex]


def test_two_play_with_one_file_and_nothing_else(bundle: tuple[str, str], tmp_path: Path) -> None:
    _ana, rex = two_play(tmp_path, bundle)
    assert any(re.search(r"Check the log: .*kotp2p\.pyz verify ", line) for line in rex.lines)


def test_the_one_file_speaks_six_languages(bundle: tuple[str, str], tmp_path: Path) -> None:
    heads = set()
    for language in ("en", "fa", "fr", "it", "nl", "pt-BR"):
        shown = Program(tmp_path, "--lang", language, "cards", "wings", installed=bundle)
        assert shown.wait() == 0, shown.lines
        heads.add(shown.out[0])
    assert len(heads) == 6


@pytest.mark.soak
def test_two_play_with_a_folder_that_has_its_own_interpreter(built: Path, tmp_path: Path) -> None:
    pytest.importorskip("PyInstaller", reason="the folder is made by PyInstaller")
    (wheel,) = built.glob("*.whl")
    make_folder(wheel, tmp_path)
    two_play(tmp_path, (str(tmp_path / "kotp2p" / "kotp2p"),), "--lang", "fa")
