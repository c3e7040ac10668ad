"""Puts changed code into the functions of a running process.

Scope: finding the live function for a qualified name, through properties, wrappers and class
methods, and giving it other code.
"""

import functools
import importlib
from collections.abc import Iterator
from types import CodeType, FunctionType


def swap_code(module: str, function: str, code: CodeType) -> bool:
    """Gives a function of `module` the code that it has in `code`, the code of a whole module.
    False if there is no such function, or none that could take it."""
    done = False
    new = {found.co_qualname: found for found in _codes(code)}.get(function)
    for live in live_functions(module, function):
        if new is not None and len(new.co_freevars) == len(live.__code__.co_freevars):
            live.__code__ = new
            done = True
    return done


def live_functions(module: str, name: str) -> list[FunctionType]:
    holder: object = importlib.import_module(module)
    *classes, last = name.split(".")
    for part in classes:
        holder = getattr(holder, part, None)
    return list(_unwrapped(vars(holder).get(last))) if hasattr(holder, "__dict__") else []


def _unwrapped(value: object) -> Iterator[FunctionType]:
    match value:
        case FunctionType():
            # A decorator's wrapper has the name of what it wraps; the code is the wrapped one's.
            inner = getattr(value, "__wrapped__", None)
            yield from _unwrapped(inner) if inner is not None else (value,)
        case staticmethod() | classmethod():
            yield from _unwrapped(value.__func__)
        case property(fget=getter):
            yield from _unwrapped(getter)
        case functools.cached_property(func=function):
            yield from _unwrapped(function)
        case _:  # a cache around a function, or no function at all
            if hasattr(value, "__wrapped__"):
                yield from _unwrapped(value.__wrapped__)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
