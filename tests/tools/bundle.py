"""Makes one file that plays: the program with all packages that it needs.

    python -m tests.tools.bundle [FILE] [--folder FOLDER]

FILE, or dist/kotp2p.pyz, runs with a Python of the version and the system on which it was made:
`python3 kotp2p.pyz solo`. It holds the packages of the environment that makes it, so what the tests
have passed with, and takes nothing from a network. --folder makes a folder by PyInstaller, too,
with the interpreter in it: FOLDER/kotp2p/kotp2p runs where there is no Python.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import Distribution, distribution, distributions
from itertools import chain
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.packages import build_packages
from tests.support.paths import ROOT
from tests.support.tool_line import tool_parser

NOT_NEEDED = ("IPython", "babel", "hypothesis", "mypy", "numpy", "pytest", "setuptools", "tkinter")
"""What PyInstaller would take along, as some library would use it if it were there."""
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
        (own,) = unpack_wheel(wheel, site)
        for found in needed_by(own):
            copy_distribution(found, site)
        version = platform.python_version_tuple()
        here = (".".join(version[:2]), platform.system(), platform.machine())
        check = Path(made, "kotp2p-check.py")
        check.write_text(CHECK.format(made=here), encoding="ascii")
        target.parent.mkdir(parents=True, exist_ok=True)
        command = ["--site-packages", str(site), "--entry-point", "kotp2p.cli:start",
                   "--preamble", str(check), "--python", "/usr/bin/env python3",
                   "--reproducible", "--output-file", str(target)]  # fmt: skip
        subprocess.run([sys.executable, "-m", "shiv", *command], check=True)


def make_folder(wheel: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory() as made:
        site = Path(made, "site-packages")
        unpack_wheel(wheel, site)
        script = Path(made, "start.py")
        script.write_text("from kotp2p.cli import start\n\nstart()\n", encoding="ascii")
        folders = {"--workpath": made, "--specpath": made, "--distpath": str(target)}
        command = ["--noconfirm", "--log-level", "ERROR", "--name", "kotp2p"]
        command += ["--collect-all", "kotp2p", *chain.from_iterable(folders.items())]
        for name in NOT_NEEDED:
            command += ["--exclude-module", name]
        environment = {**os.environ, "PYTHONPATH": str(site)}
        subprocess.run(
            [sys.executable, "-m", "PyInstaller", *command, str(script)], check=True,
            cwd=made, env=environment,
        )  # fmt: skip


def unpack_wheel(wheel: Path, site: Path) -> list[Distribution]:
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(site)
    return list(distributions(path=[str(site)]))


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
    parser.add_argument("--folder", type=Path, help="as well; needs PyInstaller")
    given = parser.parse_args()
    target: Path = given.file
    with tempfile.TemporaryDirectory() as folder:
        build_packages(Path(folder))
        (wheel,) = Path(folder, "dist").glob("*.whl")
        make_bundle(wheel, target.absolute())
        if given.folder is not None:
            make_folder(wheel, given.folder.absolute())
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
