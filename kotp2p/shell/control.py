"""The control that a front gets: each call puts a command into the inbox of its table."""

from __future__ import annotations

from collections.abc import Callable

from kotp2p.net.inbox import Command, Item


class TableControl:
    """`front.Control`: puts commands into the inbox."""

    def __init__(self, put: Callable[[Item], None]) -> None:
        self._put = put

    def start(self) -> None:
        self._put(Command("start"))

    def add_bot(self) -> None:
        self._put(Command("bot"))

    def remove(self, name: str) -> None:
        self._put(Command("remove", name))

    def move(self, name: str, seat: int) -> None:
        self._put(Command("move", name, seat))

    def accept(self, name: str) -> None:
        self._put(Command("accept", name))

    def vote(self, drop: bool) -> None:
        self._put(Command("drop" if drop else "wait"))

    def pause(self) -> None:
        self._put(Command("pause"))

    def go_on(self) -> None:
        self._put(Command("go"))

    def adjourn(self, wanted: bool) -> None:
        self._put(Command("adjourn" if wanted else "stay"))

    def say(self, text: str) -> None:
        self._put(Command("say", text))

    def leave(self) -> None:
        self._put(Command("leave"))

    def keep(self) -> None:
        self._put(Command("keep"))
