"""The plain mode in the lobby: lines from a pipe wait until there is a use for them."""

import pytest
import trio
import trio.testing

from kotp2p.cli.system.terminal import clipboard_sequence
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.seams.notices import CodeStep, LobbyChanged, LobbySeat, TableCode, TableOpened
from tests.support.local_game import Orders, at_terminal, piped, said


async def test_a_pipe_waits_in_the_lobby_for_what_is_no_order() -> None:
    front = piped()
    orders = Orders()
    front.attach(orders)
    seat = LobbySeat("Ana", "Gigazaur", b"a", False, True)
    front.show(LobbyChanged((seat, None), 0, "second"))
    await front.prompts.wait_until_wanted("start")
    front.read_line("start")
    assert orders.given == ["start"]
    with trio.move_on_after(0) as waited:
        await front.prompts.wait_until_wanted("33c")
    assert waited.cancelled_caught


HOST, GUEST = (LobbySeat(name, "Gigazaur", b"a", False, name == "Ana") for name in ("Ana", "Rex"))


def say_copy(player: LinePlayer, *, as_host: bool, step: CodeStep | None = None) -> list[str]:
    player.attach(Orders())
    if as_host:
        player.show(TableOpened(("192.168.1.20", "10.0.0.2"), 4242, False))
    if step is not None:
        player.show(TableCode(step, "7412-balloon-brook", "7412-1-2", "mailbox.test", "", False))
    player.show(LobbyChanged((HOST, GUEST), 0 if as_host else 1, "second"))
    player.read_line("copy")
    return said(player)


@pytest.mark.parametrize(
    ("step", "target"),
    [
        (None, "192.168.1.20"),
        (CodeStep.OPEN, "7412-balloon-brook"),
        (CodeStep.MOVED, "7412-balloon-brook"),
        (CodeStep.USED_UP, "192.168.1.20"),
    ],
)
def test_a_host_puts_the_line_for_friends_in_clipboard(step: CodeStep | None, target: str) -> None:
    text = "\n".join(say_copy(at_terminal(), as_host=True, step=step))
    assert clipboard_sequence(f"kotp2p join {target}") in text
    assert f"if your terminal allows it: kotp2p join {target}\n" in text


def test_a_pipe_has_no_clipboard() -> None:
    text = "\n".join(say_copy(piped(), as_host=True))
    assert "There is no terminal with a clipboard. For your friends: kotp2p join 192.168" in text
    assert "\x1b" not in text


def test_only_the_host_has_a_line_to_copy() -> None:
    text = "\n".join(say_copy(at_terminal(), as_host=False))
    assert "Only the host can do that." in text
    assert "\x1b]52" not in text
