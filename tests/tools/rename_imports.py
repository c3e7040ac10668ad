"""Rewrite imports of `referee` and `cli` in this checkout."""

import pathlib
import re
import subprocess

files = subprocess.run(["git", "ls-files"], capture_output=True, text=True).stdout.split("\n")
exts = (".py", ".md", ".toml", ".pyi", ".po", ".pot", ".in", ".1", ".yml", ".cfg", ".js", ".sh")
mods = {"referee": set(), "cli": set()}
for f in files:
    p = pathlib.PurePosixPath(f)
    if p.parts and p.parts[0] in mods and f.endswith(".py") and len(p.parts) > 1:
        mods[p.parts[0]].add(p.parts[1].removesuffix(".py"))
changed = 0
for f in files:
    if not f or f.startswith(("kotp2p/cli", "kotp2p/referee")):
        continue
    if f == "bench/adapters/first.py":
        continue
    path = pathlib.Path(f)
    if path.is_symlink() or (not f.endswith(exts) and not f.startswith(".ci/")):
        continue
    try:
        text = path.read_text("utf-8")
    except (UnicodeDecodeError, FileNotFoundError):
        continue
    new = text
    for top, names in mods.items():
        alt = "|".join(sorted((re.escape(n) for n in names - {"__init__"}), key=len, reverse=True))
        # statements
        if f.endswith(".py"):
            new = re.sub(
                rf"(?m)^(\s*(?:>>> )?)from {top}(\.| import )", rf"\1from kotp2p.{top}\2", new
            )
            new = re.sub(
                rf"(?m)^(\s*(?:>>> )?)import {top}\.(\S+) as ",
                rf"\1import kotp2p.{top}.\2 as ",
                new,
            )
        # dotted names of modules in strings and documents
        new = re.sub(rf"(?<![\w./`-]){top}\.({alt})(?![\w(])", rf"kotp2p.{top}.\1", new)
        new = re.sub(rf"(?<![\w./`-])python -m {top}\b", rf"python -m kotp2p.{top}", new)
    if new != text:
        path.write_text(new, "utf-8")
        changed += 1
print(changed, "files")
