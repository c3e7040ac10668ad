"""The faults that are put into a module, one change of its syntax tree each."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change. `number` tells it from the others of its module."""

    module: str
    function: str
    """The qualified name of the outermost function that holds it."""
    line: int
    before: str
    after: str
    number: int
    copy: int
    """Of those that read the same in one function, the how many-eth; from 1."""

    @property
    def name(self) -> str:
        """What stays the same when lines move."""
        words = f"{self.module}:{self.function}: {self.before} -> {self.after}"
        return words if self.copy == 1 else f"{words} ({self.copy})"


def find_mutations(module: str, source: str) -> list[Mutation]:
    found = []
    copies: Counter[tuple[str, str, str]] = Counter()
    tree = ast.parse(source)
    for number, (function, line, _, _, before, after) in enumerate(_changes(tree)):
        words = function, before, after
        copies[words] += 1
        found.append(Mutation(module, function, line, before, after, number, copies[words]))
    return found


def compile_mutant(mutation: Mutation, source: str, path: str) -> CodeType:
    tree = ast.parse(source)
    for number, (_, _, holder, spot, _, _) in enumerate(_changes(tree)):
        if number == mutation.number:
            spot.put(holder)
            break
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a node stands in the one that holds it, and what takes its place."""

    field: str
    index: int | None
    new: ast.AST

    def put(self, holder: ast.AST) -> None:
        if self.index is None:
            setattr(holder, self.field, self.new)
        else:
            getattr(holder, self.field)[self.index] = self.new


_Change = tuple[str, int, ast.AST, Spot, str, str]


def _changes(tree: ast.Module) -> Iterator[_Change]:
    for name, function in _functions(tree, ""):
        for at, part in enumerate(function.body):
            for holder, field, index, node in _nodes(function, part, "body", at):
                for new in _variants(node):
                    spot = Spot(field, index, ast.copy_location(new, node))
                    yield (
                        name, getattr(node, "lineno", function.lineno), holder, spot,
                        _words(node), _words(new),
                    )  # fmt: skip


def _functions(
    tree: ast.AST, prefix: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If | ast.Try):
            yield from _functions(node, prefix)


def _nodes(
    holder: ast.AST, node: ast.AST, field: str, index: int | None
) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """`node` and all below it, each with where it stands. Not what is only told, typed or asserted:
    the texts of exceptions, docstrings, annotations, `assert_never`, the `strict` of a zip."""
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.AnnAssign | ast.Assert):
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from _nodes(node, node.value, "value", None)
        return
    match node:
        case ast.Expr(value=ast.Constant() | ast.Call(func=ast.Name(id="assert_never"))):
            return
        case ast.keyword(arg="strict"):
            return
        case _:
            pass
    yield holder, field, index, node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_params", "decorator_list"):
            continue
        if isinstance(value, list):
            for at, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from _nodes(node, item, name, at)
        elif isinstance(value, ast.AST):
            yield from _nodes(node, value, name, None)


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.stmt):
        yield from _of_statement(node)
    elif isinstance(node, ast.expr):
        yield from _of_expression(node)


def _of_statement(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            yield ast.If(ast.Constant(False), body, orelse)
            if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
                yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case (
            ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Delete()
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
        ):  # fmt: skip
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()
        case _:  # nothing that could be done wrong in a small way
            return


def _of_expression(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=comparators) if type(op) in COMPARISONS:
            yield ast.Compare(left, [COMPARISONS[type(op)]()], comparators)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for at in range(len(values)):
                rest = values[:at] + values[at + 1 :]
                yield ast.BoolOp(op, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(left=one, op=operator, right=other) if type(operator) in ARITHMETIC:
            yield ast.BinOp(one, ARITHMETIC[type(operator)](), other)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Call(func=func, args=args, keywords=keywords) if _are_named(args):
            yield from (ast.Call(func, swapped, keywords) for swapped in _swapped(func, args))
        case ast.IfExp(body=body, orelse=orelse):
            yield body
            yield orelse
        case _:  # likewise
            return


def _are_named(args: list[ast.expr]) -> bool:
    """Whether a tired hand could swap two of these without a glance at what they are."""
    return len(args) > 1 and all(isinstance(one, ast.Name | ast.Attribute) for one in args)


def _swapped(function: ast.expr, args: list[ast.expr]) -> Iterator[list[ast.expr]]:
    if isinstance(function, ast.Name) and function.id in ("max", "min", "suppress"):
        return  # in any order the same
    for at in range(len(args) - 1):
        if ast.dump(args[at]) != ast.dump(args[at + 1]):
            yield [*args[:at], args[at + 1], args[at], *args[at + 2 :]]


def _words(node: ast.AST) -> str:
    """On one line; of a statement with a body the first line."""
    return ast.unparse(node).split("\n")[0][:120]
