"""Lines from a pipe and from a terminal's bytes."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self, cast

import pytest
import trio
import trio.testing

from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.plain import read_lines, read_one_line


@dataclass
class Listener:
    prompt_number: int = 7
    is_leave_asked: bool = False
    is_over: bool = False
    heard: list[tuple[str, int | None]] = field(default_factory=list)
    ends: int = 0
    gate: trio.Event = field(default_factory=trio.Event)

    @property
    def prompts(self) -> Self:
        return self

    @property
    def leaving(self) -> Self:
        return self

    def read_line(self, text: str, prompt_number: int | None = None) -> None:
        self.heard.append((text, prompt_number))

    async def wait_until_wanted(self, line: str) -> None:
        await self.gate.wait()

    def end_input(self, *, terminal: bool) -> None:
        self.ends += 1
        self.is_leave_asked = True

    def keep_seat(self) -> bool:
        raise AssertionError


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    yield read, write
    os.close(read)


async def hear_all(pipe: tuple[int, int], data: bytes, terminal: bool = False) -> Listener:
    """Say what is heard of a pipe that ends with these bytes."""
    listener = Listener()
    listener.gate.set()
    os.write(pipe[1], data)
    os.close(pipe[1])
    await hear(pipe[0], listener, terminal)
    return listener


async def hear(read: int, listener: Listener, terminal: bool) -> None:
    with trio.fail_after(5):
        await read_lines(read, cast(LinePlayer, listener), terminal)


async def test_lines_of_a_pipe_come_one_by_one(pipe: tuple[int, int]) -> None:
    listener = await hear_all(pipe, "33cc\r\n\n ۳ \nlast".encode())
    assert [text for text, _number in listener.heard] == ["33cc", "", " ۳ ", "last"]
    assert listener.ends == 1


async def test_a_pipe_waits_until_a_line_is_wanted(pipe: tuple[int, int]) -> None:
    listener = Listener()
    os.write(pipe[1], b"33\n")
    os.close(pipe[1])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hear, pipe[0], listener, False)
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert listener.heard == []
        listener.gate.set()
    assert [text for text, _number in listener.heard] == ["33"]


async def test_lines_of_a_terminal_carry_the_number_of_their_prompt(pipe: tuple[int, int]) -> None:
    listener = await hear_all(pipe, b"33\ny\n", terminal=True)
    assert listener.heard == [("33", 7), ("y", 7)]
    assert listener.ends == 2  # the first end asks, the second one leaves


async def test_bytes_that_are_no_text_and_lines_without_end(pipe: tuple[int, int]) -> None:
    listener = await hear_all(pipe, b"\xff\xfe\n" + b"x" * 20_000 + b"\nq\n")
    texts = [text for text, _number in listener.heard]
    assert texts[0] == "\ufffd\ufffd"
    assert "".join(texts[1:-1]) == "x" * 20_000
    assert texts[-1] == "q"


async def test_what_follows_the_last_answer_is_left_for_a_next_game(pipe: tuple[int, int]) -> None:
    listener = Listener()

    async def answer(_line: str) -> None:
        listener.is_over = True
        os.write(pipe[1], b"of the next game\n")

    listener.wait_until_wanted = answer  # type: ignore[method-assign, assignment]
    os.write(pipe[1], b"y\n")
    await hear(pipe[0], listener, terminal=False)
    assert [text for text, _number in listener.heard] == ["y"]
    assert os.read(pipe[0], 99) == b"of the next game\n"


async def test_no_input_at_all(pipe: tuple[int, int]) -> None:
    listener = Listener()
    await hear(pipe[1], listener, terminal=False)
    os.close(pipe[1])
    assert (listener.heard, listener.ends) == ([], 1)


def test_one_line_is_read_and_the_rest_is_left_for_the_game() -> None:
    here, there = os.pipe()
    os.write(there, b"kotp2p://x/y\nstart\n")
    os.close(there)
    assert read_one_line(here) == "kotp2p://x/y"
    assert os.read(here, 99) == b"start\n"
    assert read_one_line(here) == ""
    os.close(here)
