"""The build compiles the catalogues of all languages; everything else is in pyproject.toml."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent


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


setup(cmdclass={"build_py": BuildWithLanguages})
