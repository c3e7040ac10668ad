"""What is in the packages that are published: all that users, distributions and second implementers
need, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from tests.support.paths import NESTED, ROOT

LEFT_OUT = {".gitignore"}
"""Of the source distribution: it serves a repository alone."""
MADE = {"PKG-INFO", "setup.cfg"}
PASSED_OVER = ("__pycache__", "build", "dist")
NEEDED = (
    "CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "constraints.txt", ".ci/run",
    "bench/__init__.py", "docs/FORMATS.md", "docs/PROTOCOL.md", "docs/vectors/names.json",
    "docs/kotp2p.1", "tests/README.md", "tests/conftest.py", "tests/support/paths.py",
    "tests/tools/independent/__init__.py",
    "kotp2p/cli/locale/fr/LC_MESSAGES/kotp2p.po",
)  # fmt: skip


def sources() -> set[str]:
    """Name the files of the project as a source distribution does, which holds no links."""
    linked = tuple(ROOT / name for name in NESTED)
    return {
        path.relative_to(ROOT).as_posix()
        for path in _below(ROOT)
        if not any(path.is_relative_to(folder) for folder in linked)
    }


def _below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        is_hidden = path.name.startswith(".") and path.name not in (".ci", ".gitignore")
        if is_hidden or path.name in PASSED_OVER or path.suffix in (".egg-info", ".mo", ".pyc"):
            continue
        if path.is_dir():
            yield from _below(path)
        elif path.relative_to(ROOT).as_posix() not in MADE:
            yield path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of both packages, built from a copy of the sources."""
    folder = tmp_path_factory.mktemp("package")
    for name in sources():
        target = folder / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / "dist")],
        cwd=folder / "source",
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stdout + done.stderr
    return folder / "dist"


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


def test_the_wheel_holds_all_files_of_the_packages_and_the_compiled_languages(
    built: Path,
) -> None:
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
    assert "This is a fan's program" in metadata
