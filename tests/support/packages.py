"""The packages that are published, built from a copy of the sources, and what goes into them."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.paths import NESTED, ROOT

MADE = {"PKG-INFO", "setup.cfg"}
"""Files that only a source distribution has."""
SHOWN = (".ci", ".github", ".gitignore")
"""Of the names that begin with a dot."""
PASSED_OVER = ("__pycache__", "build", "dist")


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
        is_hidden = path.name.startswith(".") and path.name not in SHOWN
        if is_hidden or path.name in PASSED_OVER or path.suffix in (".egg-info", ".mo", ".pyc"):
            continue
        if path.is_dir():
            yield from _below(path)
        elif path.relative_to(ROOT).as_posix() not in MADE:
            yield path


def build_packages(folder: Path) -> None:
    """Build the source distribution and the wheel into `dist` of a folder."""
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
