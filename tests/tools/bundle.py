"""Makes one file that plays: the program with all packages that it needs.

    python -m tests.tools.bundle [FILE]

FILE, or dist/kotp2p.pyz, runs with a Python of the version and the system on which it was made:
`python3 kotp2p.pyz solo`. It holds the packages of the environment that makes it, so what the tests
have passed with, and takes nothing from a network.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.packages import build_packages
from tests.support.paths import ROOT
from tests.support.tool_line import tool_parser

CHECK = """\
import platform
import sys

made = {made}
here = ("%d.%d" % sys.version_info[:2], platform.system(), platform.machine())
if here != made:
    text = "kotp2p: this file is for Python %s on %s %s, and here is Python %s on %s %s."
    sys.exit(text % (made + here))
"""
"""What runs first, written for any Python 3: some packages are compiled for one version."""


def make_bundle(wheel: Path, target: Path) -> None:
    """Write a zip application of the wheel and of the packages that it needs."""
    with tempfile.TemporaryDirectory() as made:
        site = Path(made, "site-packages")
        with zipfile.ZipFile(wheel) as opened:
            opened.extractall(site)
        (own,) = distributions(path=[str(site)])
        for found in needed_by(own):
            copy_distribution(found, site)
        version = platform.python_version_tuple()
        here = (".".join(version[:2]), platform.system(), platform.machine())
        check = Path(made, "kotp2p-check.py")
        check.write_text(CHECK.format(made=here), encoding="ascii")
        target.parent.mkdir(parents=True, exist_ok=True)
        command = ["--site-packages", str(site), "--entry-point", "kotp2p.cli.start:start",
                   "--preamble", str(check), "--python", "/usr/bin/env python3",
                   "--reproducible", "--output-file", str(target)]  # fmt: skip
        subprocess.run([sys.executable, "-m", "shiv", *command], check=True)


def needed_by(own: Distribution) -> list[Distribution]:
    """Return what a distribution needs here, and what that needs."""
    found = dict[str, Distribution]()
    waiting = [own]
    while waiting:
        for line in waiting.pop().requires or ():
            wanted = Requirement(line)
            name = canonicalize_name(wanted.name)
            if name not in found and (wanted.marker is None or wanted.marker.evaluate()):
                found[name] = distribution(wanted.name)
                waiting.append(found[name])
    return [found[name] for name in sorted(found)]


def copy_distribution(found: Distribution, site: Path) -> None:
    """Copy the files of a distribution; commands of its own stay behind."""
    for file in found.files or ():
        if ".." not in file.parts and "__pycache__" not in file.parts:
            target = site / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(str(found.locate_file(file))), target)


def main() -> None:
    parser = tool_parser("tests.tools.bundle", __doc__)
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "dist" / "kotp2p.pyz")
    target: Path = parser.parse_args().file
    with tempfile.TemporaryDirectory() as folder:
        build_packages(Path(folder))
        (wheel,) = Path(folder, "dist").glob("*.whl")
        make_bundle(wheel, target.absolute())
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
