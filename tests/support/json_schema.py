"""Whether a value is as a JSON Schema says, for the words that the schemas in docs/ use.

A schema with another word is refused, so that no part of it goes unread.
"""

import re
from collections.abc import Iterator
from typing import Any

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
    "boolean": bool,
    "null": type(None),
}  # fmt: skip
WORDS = {
    "$schema", "$defs", "$ref", "title", "type", "const", "enum", "pattern", "minimum", "maximum",
    "items", "properties", "required", "additionalProperties", "oneOf",
}  # fmt: skip


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "") -> list[str]:
    """What is wrong with a value, each with its place; empty if it is as the schema says."""
    assert set(schema) <= WORDS, set(schema) - WORDS
    return list(_faults(value, schema, root, at))


def _faults(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str) -> Iterator[str]:
    if "$ref" in schema:
        yield from faults(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, at)
    if "type" in schema and not _has_type(value, schema["type"]):
        yield f"{at}: {value!r} is no {schema['type']}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{at}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{at}: {value!r} does not fit {schema['pattern']}"
    if not _is_within(value, schema):
        yield f"{at}: {value!r} is out of bounds"
    if "oneOf" in schema:
        found = [faults(value, one, root, at) for one in schema["oneOf"]]
        if sum(not one for one in found) != 1:
            yield f"{at}: fits not just one: {found}"
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            yield from faults(item, schema["items"], root, f"{at}[{i}]")
    if isinstance(value, dict):
        yield from _faults_of_object(value, schema, root, at)


def _faults_of_object(
    value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], at: str
) -> Iterator[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{at}: {name} is missing"
    for name, item in value.items():
        if name in known:
            yield from faults(item, known[name], root, f"{at}.{name}")
        elif others is False:
            yield f"{at}: {name} has no place there"
        elif others is not True:
            yield from faults(item, others, root, f"{at}.{name}")


def _has_type(value: Any, wanted: str | list[str]) -> bool:
    names = [wanted] if isinstance(wanted, str) else wanted
    is_truth = isinstance(value, bool)
    return any(isinstance(value, TYPES[name]) and (name == "boolean") == is_truth for name in names)


def _is_within(value: Any, schema: dict[str, Any]) -> bool:
    is_low = "minimum" in schema and value < schema["minimum"]
    is_high = "maximum" in schema and value > schema["maximum"]
    return not is_low and not is_high
