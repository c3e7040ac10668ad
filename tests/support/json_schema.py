"""Whether a value is as a JSON Schema of docs/ says."""

from typing import Any

from jsonschema import Draft202012Validator


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> list[str]:
    """What is wrong with a value; `schema` may refer to definitions of `root`."""
    validator = Draft202012Validator({"$defs": root["$defs"], **schema})
    return [fault.message for fault in validator.iter_errors(value)]
