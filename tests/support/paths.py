"""Where the project stands on this machine, whatever the depth of the module that asks."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder of pyproject.toml."""
VECTORS = ROOT / "docs" / "vectors"
LOGS = ROOT / "tests" / "logs"
"""Golden logs of every published version."""
NESTED = ("cli", "referee")
"""Packages of `kotp2p` whose folders stand at the top of a repository, and are linked there. In a
source distribution, which holds no links, they stand in `kotp2p`."""
PACKAGES = ("cli", "kotp2p", "referee")


def folder_of(package: str) -> Path:
    """Return the folder of one of the three packages, without a link on the way."""
    return (ROOT / "kotp2p" / package).resolve() if package in NESTED else ROOT / package


def modules_of(*packages: str) -> list[Path]:
    """List the modules of packages, or of other folders of the project, in order."""
    return [path for package in packages for path in _below(package)]


def _below(package: str) -> Iterator[Path]:
    folder = folder_of(package)
    others = tuple(folder / name for name in NESTED) if package == "kotp2p" else ()
    for path in sorted(folder.rglob("*.py")):
        if not any(path.is_relative_to(other) for other in others):
            yield path


def place_of(path: Path) -> str:
    """Name a file as a repository does: `cli/main.py`, also where it is `kotp2p/cli/main.py`."""
    place = path.relative_to(ROOT).as_posix()
    inner = place.removeprefix("kotp2p/")
    return inner if inner.partition("/")[0] in NESTED else place
