"""The shape of the source in figures: `python -m tests.tools.measure [--root FOLDER] [NAME...]`.

Scope: sizes, complexity, docstrings and imports of packages below a folder, one column for each
package. Files have one column together. The folder may be another checkout, so that two
commits can be compared. `--paths` counts the modules that a roll, a key and a change of line-up of
this checkout run through (`tests.tools.tracer`).

Definitions:

* A module's size counts all its lines. `__init__.py` files count as modules if they hold code.
* A function's length counts its lines from `def` on, less its docstring.
* Complexity is branches + 1: if, elif, for, while, except, with a guard, boolean operators,
  conditional expressions, comprehension conditions, match cases.
* A module has one importer if one module of the three packages imports it, and no other; the
  share of imports is that of their lines in the lines of code.
* A docstring of a function begins with a verb if its first word is one of verbs.txt, also in the
  third person.
"""

import ast
import io
import statistics
import sys
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from tests.support.tool_line import tool_parser

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

PACKAGES = ("referee", "kotp2p", "cli")
LINKED_FROM = "kotp2p"
WING = "extras"
"""A folder of this name in a package is what the core does without (`tests/cli/test_wing.py`)."""
VERBS = frozenset(Path(__file__).with_name("verbs.txt").read_text("utf-8").split())

BRANCHES = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case,
)  # fmt: skip


@dataclass(slots=True)
class Module:
    name: str
    source: str
    tree: ast.Module
    functions: list[Function] = field(init=False)

    def __post_init__(self) -> None:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        self.functions = [node for node in ast.walk(self.tree) if isinstance(node, kinds)]

    @property
    def docstrings(self) -> list[str]:
        """Those of functions."""
        found = map(ast.get_docstring, self.functions)
        return [docstring for docstring in found if docstring]

    @property
    def lines(self) -> int:
        return self.source.count("\n")


def read_modules(root: Path, package: str) -> list[Module]:
    return read_files(root, sorted((root / package).rglob("*.py")))


def read_files(root: Path, paths: Iterable[Path]) -> list[Module]:
    found = []
    for path in paths:
        source = path.read_text("utf-8")
        tree = ast.parse(source)
        if path.name != "__init__.py" or len(tree.body) > 1:
            found.append(Module(import_name(root, path), source, tree))
    return found


def import_name(root: Path, path: Path) -> str:
    """As other modules import it: some packages are parts of kotp2p, by a link."""
    parts = path.relative_to(root).with_suffix("").parts
    if (root / LINKED_FROM / parts[0]).is_symlink():
        parts = (LINKED_FROM, *parts)
    return ".".join(parts).removesuffix(".__init__")


def docstring_lines(node: ast.Module | ast.ClassDef | Function) -> int:
    return text_lines(node.body[0]) if node.body else 0


def text_lines(node: ast.AST) -> int:
    """Lines of a statement that is nothing but a text; 0 for others."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return (node.end_lineno or node.lineno) - node.lineno + 1
        case _:  # any other node of the grammar
            return 0


def function_length(function: Function) -> int:
    return (function.end_lineno or 0) - function.lineno + 1 - docstring_lines(function)


def complexity(function: Function) -> int:
    count = 1
    for node in ast.walk(function):
        if isinstance(node, BRANCHES):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += len(node.ifs)
    return count


def comment_lines(source: str) -> int:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return len({token.start[0] for token in tokens if token.type == tokenize.COMMENT})


def all_docstring_lines(module: Module) -> int:
    """Docstrings of modules, classes and functions, and the notes behind attributes."""
    return sum(map(text_lines, ast.walk(module.tree)))


def code_lines(module: Module) -> int:
    blank = sum(not line.strip() for line in module.source.splitlines())
    return max(1, module.lines - blank - all_docstring_lines(module) - comment_lines(module.source))


def lines_of_source(root: Path) -> tuple[int, int]:
    """Return the lines of all packages, and of the core, which is all but the wing."""
    whole = core = 0
    for path in (path for package in PACKAGES for path in (root / package).rglob("*.py")):
        lines = path.read_text("utf-8").count("\n")
        whole += lines
        core += 0 if WING in path.relative_to(root).parts else lines
    return whole, core


# -- imports -------------------------------------------------------------------------------


def importers(modules: Sequence[Module]) -> dict[str, int]:
    found = dict.fromkeys((module.name for module in modules), 0)
    for module in modules:
        targets: set[str] = set()
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                below = [f"{node.module}.{alias.name}" for alias in node.names]
                targets |= {name if name in found else node.module for name in below}
            elif isinstance(node, ast.Import):
                targets |= {alias.name for alias in node.names}
        for target in targets & found.keys() - {module.name}:
            found[target] += 1
    return found


def import_lines(module: Module) -> int:
    nodes = (n for n in ast.walk(module.tree) if isinstance(n, ast.Import | ast.ImportFrom))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def begins_with_verb(docstring: str) -> bool:
    word = docstring.split()[0].strip(".,:;`'\"()").lower()
    return bool({word, word.removesuffix("s"), word.removesuffix("es")} & VERBS)


# -- the table -----------------------------------------------------------------------------


def quantiles(values: Sequence[float]) -> str:
    """Median, 90th percentile and maximum."""
    ordered = sorted(values) or [0]
    at = min(len(ordered) - 1, int(len(ordered) * 0.9))
    return f"{statistics.median(ordered):.0f} / {ordered[at]:.0f} / {ordered[-1]:.0f}"


def measure(modules: Sequence[Module], imported: Mapping[str, int]) -> dict[str, str]:
    """`imported`: how many modules of all packages import each of these."""
    functions = [function for module in modules for function in module.functions]
    lengths = [function_length(function) for function in functions]
    branches = [complexity(function) for function in functions]
    code = sum(code_lines(module) for module in modules)
    documented = sum(map(all_docstring_lines, modules))
    imports = sum(map(import_lines, modules))
    docstrings = [docstring for module in modules for docstring in module.docstrings]
    verbs = sum(map(begins_with_verb, docstrings))
    return {
        "lines / modules": f"{sum(m.lines for m in modules):,} / {len(modules)}",
        "module p50 / p90 / max": quantiles([module.lines for module in modules]),
        "functions": str(len(functions)),
        "function p50 / p90 / max": quantiles(lengths),
        "functions over 50": str(sum(length > 50 for length in lengths)),
        "complexity p50 / p90 / max": quantiles(branches),
        "complexity, mean": f"{statistics.mean(branches or [0]):.1f}",
        "docstring lines per 100": f"{100 * documented / code:.0f}",
        "with one importer": str(sum(imported.get(m.name) == 1 for m in modules)),
        "imports, share of code": f"{100 * imports / code:.1f} %",
        "docstrings with a verb": f"{100 * verbs / max(1, len(docstrings)):.0f} %",
    }


def main() -> int:
    parser = tool_parser("tests.tools.measure", __doc__)
    parser.add_argument("--root", type=Path, default=Path(), help="the checkout (this folder)")
    parser.add_argument("--paths", action="store_true", help="trace a roll, a key, a line-up, too")
    parser.add_argument("packages", nargs="*", default=[*PACKAGES, "tests"])
    given = parser.parse_args()
    root: Path = given.root.resolve()
    files = [Path(name).resolve() for name in given.packages if name.endswith(".py")]
    imported = importers([m for package in PACKAGES for m in read_modules(root, package)])
    columns = {
        package: measure(read_modules(root, package), imported)
        for package in given.packages
        if not package.endswith(".py")
    }
    if files:
        columns["files"] = measure(read_files(root, files), imported)
    print_table(columns)
    whole, core = lines_of_source(root)
    print(f"{'lines of the packages':<28}{whole:,}")
    print(f"{'core without wings':<28}{core:,}")
    if given.paths:
        from tests.tools.tracer import TRACES

        for what, trace in TRACES.items():
            print(f"{'modules of a ' + what:<28}{len(trace().calls)}")
    return 0


def print_table(columns: Mapping[str, Mapping[str, str]]) -> None:
    rows = list(next(iter(columns.values())))
    widths = {name: max(len(name), *(len(c) for c in f.values())) for name, f in columns.items()}
    print(" " * 28 + "  ".join(name.rjust(widths[name]) for name in columns))
    for row in rows:
        cells = "  ".join(found[row].rjust(widths[name]) for name, found in columns.items())
        print(f"{row:<28}{cells}")


if __name__ == "__main__":
    sys.exit(main())
