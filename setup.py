"""Compiles the catalogues of all languages, and makes the package page.

Everything else of the package is in pyproject.toml.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
LINKS = ""
"""What stands before the path of a document on the web, with the branch or tag; empty until there
is such a place. docs/RELEASING.md says when."""
PICTURES = ""
"""The same for the bytes of a picture."""


def package_page(readme: str, links: str = LINKS, pictures: str = PICTURES) -> str:
    """Return README as a package index shows it, where no relative link leads anywhere."""
    picture = r"\1(" + pictures + r"\2)" if pictures else ""
    link = r"[\1](" + links + r"\2)" if links else r"\1"
    page = re.sub(
        r"(!\[[^]]*\])\((?!https?:)([^)]+)\)\n*", picture + "\n\n" * bool(picture), readme
    )
    return re.sub(r"(?<!!)\[([^]]*)\]\((?!https?:|#)([^)]+)\)", link, page)


class BuildWithLanguages(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return  # a checkout compiles by itself what it needs
        spec = importlib.util.spec_from_file_location(
            "compiled_catalogues", ROOT / "kotp2p" / "cli" / "system" / "compiled_catalogues.py"
        )
        assert spec is not None and spec.loader is not None
        compiler = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(compiler)
        for source in sorted(ROOT.glob("kotp2p/cli/locale/*/LC_MESSAGES/kotp2p.po")):
            target = Path(self.build_lib, source.relative_to(ROOT)).with_suffix(".mo")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(compiler.compile_text(source.read_bytes()))


if __name__ == "__main__":
    setup(
        cmdclass={"build_py": BuildWithLanguages},
        long_description=package_page((ROOT / "README.md").read_text(encoding="utf-8")),
        long_description_content_type="text/markdown",
    )
