"""The last row names the keys that count now; the page behind F1 names all of them."""

import re

import pytest
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.keys import Keys

from kotp2p.cli.system.languages import speak
from kotp2p.cli.ui.screen.controls import DrawnTable, bind_keys, seat_screen_player
from kotp2p.cli.ui.screen.draw import draw_key_row, list_hints
from kotp2p.cli.ui.screen.pages import help_page
from kotp2p.cli.ui.screen.theme import row_width
from kotp2p.extras import bots
from kotp2p.referee.model.decisions import Decision, RollDecision
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import GameStarted, SeatView
from tests.support.laid_decisions import one_of_each_decision, table
from tests.support.screen_table import Asked, played, roll
from tests.support.screen_terminal import RIGHT, Terminal

CASES = one_of_each_decision()
NAMES = {
    Keys.Escape: "Esc", Keys.PageUp: "Page Up", Keys.PageDown: "Page Down", Keys.Up: "Up",
    Keys.Down: "Down", Keys.Left: "Left", Keys.Right: "Right", Keys.ControlM: "Enter",
    Keys.ControlC: "Ctrl-C", Keys.ControlZ: "Ctrl-Z", Keys.ControlL: "Ctrl-L", " ": "Space",
}  # fmt: skip
NO_KEY_OF_ITS_OWN = {Keys.Any, Keys.BracketedPaste, Keys.ControlD}
"""Letters, a paste, and a key that does what Ctrl-C does."""
FULL = "F1 Help  F2 Cards  F3 Log  F10 Leave"


def text_of(asked: DrawnTable, columns: int = 80) -> str:
    return "".join(part for _style, part in draw_key_row(asked.screen, columns)).rstrip()


def seated(view: SeatView | None = None) -> DrawnTable:
    found = seat_screen_player(bots.advise)
    found.player.show(GameStarted(view or table(rolled="33CHB1")))
    return found


def names_of_all_keys() -> set[str]:
    """Of those that do something of their own while nothing is being shown."""
    found = seated()
    bindings = bind_keys(found, Buffer()).bindings
    keys = {binding.keys[0] for binding in bindings if binding.filter()} - NO_KEY_OF_ITS_OWN
    return {NAMES[key] if key in NAMES else str(getattr(key, "value", key)).upper() for key in keys}


def test_the_page_behind_f1_names_every_key() -> None:
    told = " ".join(help_page(seated().player.state.feed, None).lines)
    keys = names_of_all_keys()
    assert {"F1", "F6", "F10", "Esc", "Space", "Enter"} <= keys
    assert not {key for key in keys if not re.search(rf"\b{key}\b", told)}


@pytest.mark.parametrize(("view", "decision"), CASES, ids=[case[1].kind for case in CASES])
def test_at_80_columns_each_question_has_its_whole_row(view: SeatView, decision: Decision) -> None:
    asked = Asked(decision, view=view)

    async def script(terminal: Terminal) -> None:
        await terminal.see(f"{FULL}  Arrows Pick")
        terminal.press("x")
        await terminal.see(f"{FULL}  Esc Clear")
        terminal.press("\x1b")
        await terminal.see(f"{FULL}  Arrows Pick")
        if isinstance(decision, RollDecision) and decision.rolls_left:
            terminal.press(RIGHT)
            await terminal.see(f"{FULL}  Space Keep")
        assert not terminal.rows[-1].endswith("..")

    asked.by(script)


@played(lambda: Asked(roll()))
async def test_a_page_says_its_keys_and_what_closes_it(asked: Asked, terminal: Terminal) -> None:
    terminal.press("\x1bOP")
    rows = await terminal.see("Esc Close")
    assert rows[-1] == "Esc Close  F1 Help  F2 Cards  F3 Log  Page Up Back  Page Down On"


def test_other_moments_have_their_own_key() -> None:
    found = seated()
    assert text_of(found) == f"{FULL}  Arrows Pick"
    found.player.state.is_leave_asked = True
    assert text_of(found) == f"{FULL}  Esc Stay"
    found.screen.open_end(Ending(EndKind.STOPPED))
    assert text_of(found).startswith("Enter Close  Esc Table  F1 Help")
    found.screen.page = None
    assert text_of(found).startswith("Enter Close  Esc The end  F1 Help")
    found.screen.open_end(Ending(EndKind.FINISHED, view=found.player.state.view))
    assert text_of(found).startswith("Esc Table  F1 Help"), "Enter alone does nothing there"


def test_where_the_terminal_may_take_function_keys_their_words_stand() -> None:
    found = seat_screen_player(bots.advise, keys_are_words=True)
    found.player.show(GameStarted(table(rolled="33CHB1")))
    assert text_of(found) == "?  cards  log  orders  look  leave  Arrows Pick"
    told = " ".join(help_page(found.player.state.feed, None).lines)
    assert "F1 ?, F2 cards, F3 log, F4 orders, F5 look, F10 leave" in told
    found.screen.show_log()
    assert text_of(found) == "Esc Close  ? Help  F2 Cards  F3 Log"
    found.screen.open_end(Ending(EndKind.STOPPED))
    assert text_of(found).startswith("Enter Close  Esc Table  F2 Cards")


@pytest.mark.parametrize(
    ("keys_are_words", "help_key", "leave"), [(False, "F1", "F10 Leave"), (True, "?", "leave")]
)
def test_before_a_game_no_idle_key_is_said(keys_are_words: bool, help_key: str, leave: str) -> None:
    found = seat_screen_player(bots.advise, keys_are_words=keys_are_words)
    assert text_of(found) == f"{help_key} Help  F3 Log  F6 More  {leave}  Arrows Pick"
    found.player.state.open_page()
    found.screen.put_first_page(["The aim."])
    assert text_of(found).startswith(f"Enter Begin  {help_key} Help  ")
    assert text_of(found).endswith(f"  {leave}")


@pytest.mark.parametrize("columns", [8, 20, 40, 60, 79, 80, 120])
def test_what_does_not_fit_is_left_out_whole_and_help_is_kept(columns: int) -> None:
    found = seated()
    found.screen.input.text = "33"
    row = draw_key_row(found.screen, columns)
    assert row_width(row) == columns
    assert text_of(found, columns).startswith("F1 Help")
    hints = {f"{hint.key} {hint.does}" for hint in list_hints(found.screen)}
    assert set(text_of(found, columns).split("  ")) <= hints


@pytest.mark.parametrize(("code", "shown"), [("fr", "Entrée Fermer  Échap "), ("it", "Invio ")])
def test_keys_are_called_as_on_a_keyboard_of_the_reader(code: str, shown: str) -> None:
    speak(code)
    found = seated()
    found.screen.open_end(Ending(EndKind.STOPPED))
    assert text_of(found).startswith(shown)
