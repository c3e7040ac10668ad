"""Reading one table of a scenario file key by key, so that no key goes unread."""

from __future__ import annotations

from collections.abc import Mapping


class Fault(Exception):
    """The file is not in the format: `place` says where, `what` says what is wrong there."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__(f"{place}: {what}")
        self.place = place
        self.what = what


def show_value(value: object) -> str:
    """A value as a fault shows it, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class Fields:
    """The keys of one table, each read once; `refuse_unread_keys` refuses the rest."""

    def __init__(self, data: object, place: str) -> None:
        if not isinstance(data, Mapping):
            raise Fault(place, f"a table is needed here, not {show_value(data)}")
        self.place = place
        self._left: dict[str, object] = {str(key): value for key, value in data.items()}

    def place_of(self, key: str) -> str:
        """The place of `key` in the file, for faults."""
        return f"{self.place}.{key}"

    def has(self, key: str) -> bool:
        return key in self._left

    def take(self, key: str) -> object:
        if key not in self._left:
            raise Fault(self.place, f"'{key}' is missing")
        return self._left.pop(key)

    def text(self, key: str, default: str | None = None) -> str:
        if default is not None and key not in self._left:
            return default
        value = self.take(key)
        if not isinstance(value, str):
            raise Fault(self.place_of(key), f"a string is needed, not {show_value(value)}")
        return value

    def number(self, key: str, default: int | None = None, most: int | None = None) -> int:
        if default is not None and key not in self._left:
            return default
        value = self.take(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise Fault(self.place_of(key), f"a whole number is needed, not {show_value(value)}")
        if value < 0 or (most is not None and value > most):
            limit = "" if most is None else f" to {most}"
            raise Fault(self.place_of(key), f"{value} is out of range: 0{limit or ' or more'}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        if key not in self._left:
            return default
        value = self._left.pop(key)
        if not isinstance(value, bool):
            raise Fault(self.place_of(key), f"true or false is needed, not {show_value(value)}")
        return value

    def list_of(self, key: str) -> list[object]:
        """A list; empty if there is no such key."""
        if key not in self._left:
            return []
        value = self._left.pop(key)
        if not isinstance(value, list):
            raise Fault(self.place_of(key), f"a list is needed, not {show_value(value)}")
        return list(value)

    def list_of_texts(self, key: str) -> list[str]:
        values = self.list_of(key)
        for index, value in enumerate(values):
            if not isinstance(value, str):
                raise Fault(
                    f"{self.place_of(key)}[{index}]", f"a string is needed, not {show_value(value)}"
                )
        return [str(value) for value in values]

    def list_of_numbers(self, key: str) -> list[int]:
        values = self.list_of(key)
        found = []
        for index, value in enumerate(values):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise Fault(
                    f"{self.place_of(key)}[{index}]",
                    f"a whole number is needed, not {show_value(value)}",
                )
            found.append(value)
        return found

    def table(self, key: str) -> Fields:
        """The table under `key`; an empty one if there is no such key."""
        place = self.place_of(key)
        return Fields(self._left.pop(key, {}), place)

    def keys_left(self) -> list[str]:
        """The keys that are not read yet, in the order of the file."""
        return list(self._left)

    def refuse_unread_keys(self) -> None:
        if self._left:
            unknown = ", ".join(f"'{key}'" for key in self._left)
            raise Fault(self.place, f"unknown key {unknown}")
