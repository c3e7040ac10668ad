"""Whether the window of the terminal is in front, as the terminal reports it.

Scope: focus reporting (DECSET 1004) is switched on and off together with bracketed paste, which
prompt_toolkit switches off whenever it gives the terminal back: at the end, after an error, and
before Ctrl-Z stops the process. What the terminal reports arrives as a key.
Not here: what is said to a player whose window is not in front (`stage`).
"""

from __future__ import annotations

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output

REPORTING_ON, REPORTING_OFF = "\x1b[?1004h", "\x1b[?1004l"
REPORTS = {"\x1b[I": True, "\x1b[O": False}
"""What the terminal sends when its window comes to the front, and when it leaves it."""


class WindowFocus:
    def __init__(self) -> None:
        self.in_front: bool | None = None
        """None until the terminal has reported anything; many never do."""

    def bind_reports(self, keys: KeyBindings) -> None:
        for report in REPORTS:
            ANSI_SEQUENCES.setdefault(report, Keys.Ignore)

        @keys.add(Keys.Ignore, eager=True)
        def _note(event: KeyPressEvent) -> None:
            self.in_front = REPORTS.get(event.data, self.in_front)


def ask_for_reports(output: Output) -> None:
    """Let `output` ask the terminal for reports as long as it asks for bracketed paste."""
    if not isinstance(output, Vt100_Output):
        return
    enable, disable = output.enable_bracketed_paste, output.disable_bracketed_paste

    def enable_both() -> None:
        enable()
        output.write_raw(REPORTING_ON)

    def disable_both() -> None:
        output.write_raw(REPORTING_OFF)
        disable()

    output.enable_bracketed_paste = enable_both  # type: ignore[method-assign]
    output.disable_bracketed_paste = disable_both  # type: ignore[method-assign]
