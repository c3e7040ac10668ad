"""A person at a terminal plays whole games by typing lines at the prompts."""

import os
import re
import signal
import termios
from itertools import pairwise
from pathlib import Path
from random import Random

import pexpect
import pytest

from kotp2p.game.verify import Result, verify_log
from tests.support.command_line import without_coach
from tests.support.forked_terminal import spawn_program
from tests.support.paths import ROOT
from tests.support.processes import QUICK, finished, guest, host, resumed, three
from tests.support.program import Program
from tests.support.settings import write_settings
from tests.support.window import Window

PROMPT = r"\n> "
PROPOSED = "Enter does it.\n> "
UNREAD_SECONDS = 0.35
"""A proposal has stood there for longer than an Enter is too early."""


class Person:
    def __init__(
        self, home: Path, *words: str, columns: int = 80, lan: str = "", coach: bool = False
    ) -> None:
        home.mkdir(parents=True, exist_ok=True)
        root = ROOT
        self.home = home
        self.child = spawn_program(
            words if coach else without_coach(words),
            home,
            {
                **os.environ, "KOTP2P_DATA": str(home / "data"), "PYTHONPATH": str(root),
                "KOTP2P_LAN_INTERFACES": lan, "KOTP2P_PLAIN": "1",
                "KOTP2P_CONFIG": write_settings(home, speed="instant"), "TERM": "xterm",
                "LOGNAME": home.name,
            },
            (24, columns),
            timeout=120,
        )  # fmt: skip
        self.said = ""

    def prompted(self) -> str | None:
        """What was said up to the next prompt; None when the program has ended."""
        found = self.child.expect([PROMPT, pexpect.EOF])
        text = (self.child.before or "").replace("\r", "").replace("\a", "")
        self.said += text + "\n> "
        return text if found == 0 else None

    def type(self, line: str) -> None:
        """Types a line. An Enter for what was proposed counts once that could be read."""
        if not line and self.said.endswith(PROPOSED):
            self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=UNREAD_SECONDS)
        self.said += line + "\n"
        self.child.sendline(line)

    def ended(self) -> int:
        self.child.close()
        assert self.child.exitstatus is not None, self.child.signalstatus
        return int(self.child.exitstatus)

    def log(self) -> Path:
        (log,) = (self.home / "data" / "logs").glob("*.kotlog")
        return log


LIMIT = 2_000
"""Prompts of one game; a game that needs more is stuck."""


def test_a_person_plays_a_whole_game_with_two_others(tmp_path: Path) -> None:
    """Answers of all sorts: dice by their faces, cards by their letters, and questions."""
    ana = Person(
        tmp_path / "ana", "host", "--players", "3", "--port", "0", "--bind", "127.0.0.1",
        "--start-when-full", "--name", "Ana",
    )  # fmt: skip
    ana.child.expect(r"kotp2p join 127\.0\.0\.1:(\d+)")
    port = int(ana.child.match.group(1))
    others = [guest(tmp_path / name, "127.0.0.1", port, bot=QUICK) for name in ("rex", "mia")]
    dice = Random(7)
    for _ in range(LIMIT):
        text = ana.prompted()
        if text is None:
            break
        ana.type(_answer(text, dice))
    assert ana.ended() == 0, ana.said[-3000:]
    assert [p.wait() for p in others] == [0, 0]
    reports = [verify_log(log.read_bytes()) for log in (ana.log(), *(p.logs()[0] for p in others))]
    assert {r.result for r in reports} == {Result.SOUND}
    assert len({r.canonical for r in reports}) == 1
    assert "Traceback" not in ana.said


def _answer(text: str, dice: Random) -> str:
    """What a person who reads the question could type."""
    question = text.rstrip().rpartition("\n")[2]
    if question.startswith("Another game"):
        return "n"
    if question.startswith("Keep which"):
        rolled = re.findall(r"Your roll \d of \d: ([^.]*)\.", text)
        faces = rolled[-1].split(", ") if rolled else []
        letters = {"heart": "h", "energy": "e", "claw": "c"}
        kept = [letters.get(face, face) for face in faces if dice.random() < 0.5]
        return "".join(kept) or dice.choice(("0", ""))
    if question.startswith("Buy which"):
        letters_offered: list[str] = re.findall(r"\b([abc]),", question)
        return dice.choice((*letters_offered, "shop", ""))
    return dice.choice(("", "state", "who", ""))


def test_a_game_piped_from_a_file_is_lines_only_and_ends_well(tmp_path: Path) -> None:
    """UX check 20: nothing moves a cursor, no sentence comes twice in a row, a hint comes once."""
    ana = Program(tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana", stdin="\n" * 3000)
    assert ana.wait() == 0, ana.lines[-20:]
    told = [line for line in ana.out if not line.startswith("> ")]
    assert len(told) > 20
    assert not any(sign in line for line in ana.lines for sign in "\x1b\a\b\r")
    repeated = [a for a, b in pairwise(told) if a == b]
    assert not [line for line in repeated if "roll" not in line]  # dice may fall alike twice
    assert sum(line.startswith("h is a heart, e is energy") for line in told) == 1
    assert verify_log(ana.logs()[0].read_bytes()).result is Result.SOUND


# -- identity --------------------------------------------------------------------------------------

# An identity goes to another machine, by hand: what is typed is not seen.


WORDS = "correct horse battery"


def play_once(home: Path) -> None:
    """A first game makes the identity."""
    assert Program(home, "solo", "--bots", "1", "--bot", "easy").wait() == 0


def type_passphrase(person: Person, sentence: str) -> None:
    person.child.expect_exact(sentence)
    person.child.waitnoecho()
    person.child.sendline(WORDS)


def test_the_passphrase_is_typed_twice_unseen_and_opens_the_file_elsewhere(tmp_path: Path) -> None:
    play_once(tmp_path / "ana")
    Person(tmp_path / "ana", "identity", "rename", "Ana").prompted()
    file = tmp_path / "ana.kotid"
    ana = Person(tmp_path / "ana", "identity", "export", str(file))
    type_passphrase(ana, "A passphrase for the file:")
    type_passphrase(ana, "The same once more:")
    assert ana.prompted() is None
    assert WORDS not in ana.said
    assert ana.ended() == 0
    play_once(tmp_path / "bob")
    bob = Person(tmp_path / "bob", "identity", "import", str(file))
    type_passphrase(bob, "The passphrase of the file:")
    question = bob.prompted()
    assert question is not None
    assert "y goes on, anything else changes nothing." in question
    bob.type("y")
    assert bob.prompted() is None
    assert "This machine plays as Ana now" in bob.said
    assert bob.ended() == 0
    own = "data/profiles/default/key"
    keys = [(tmp_path / name / own).read_bytes() for name in ("ana", "bob")]
    assert keys[0] == keys[1]


# -- signals ---------------------------------------------------------------------------------------

# Signals and terminals that are gone: the seat is kept, and the game goes on afterwards.


KEPT = "The game is saved. To go on: kotp2p resume"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_host_that_is_told_to_end_keeps_its_seat_and_comes_back(
    number: signal.Signals, tmp_path: Path
) -> None:
    homes, table, _ = three(tmp_path)
    os.kill(table[0].pid, number)
    assert table[0].wait() == 128 + number
    assert table[0].out[-1] == KEPT
    assert verify_log(table[0].logs()[0].read_bytes()).result is Result.UNFINISHED
    table[1].wait_for("connection to ana is lost")
    table[0] = resumed(homes[0])
    table[0].wait_for("You are back at the table")
    finished(table)
    assert not any("has left" in line for program in table for line in program.lines)


def test_a_second_ctrl_c_keeps_the_seat_and_the_same_is_asked_again(tmp_path: Path) -> None:
    ana = Person(tmp_path / "ana", "solo", "--name", "Ana", "--plain")
    first = ana.prompted()
    assert first is not None
    ana.child.sendintr()
    asked = ana.prompted()
    assert asked is not None
    assert "Ctrl-C" in asked
    ana.child.sendintr()
    while ana.prompted() is not None:
        pass
    assert KEPT in ana.said
    assert ana.ended() == 130
    again = Person(tmp_path / "ana", "resume", "--plain")
    second = again.prompted()
    assert second is not None
    assert _question(second) == _question(first)
    again.child.sendeof()
    again.prompted()
    again.type("y")
    while again.prompted() is not None:
        pass
    assert again.ended() == 0


def _question(text: str) -> str:
    return text.rstrip().rpartition("\n")[2]


def test_a_player_whose_process_stands_still_is_told_as_quiet(tmp_path: Path) -> None:
    table = [host(tmp_path / "ana", 2, "--bind", "127.0.0.1")]
    table.append(guest(tmp_path / "rex", "127.0.0.1", table[0].port()))
    table[0].wait_for("^Turn 2,")
    table[1].stop(signal.SIGSTOP)
    table[0].wait_for(r"For [5-9] seconds nothing has come from rex\.")
    table[1].stop(signal.SIGCONT)
    finished(table)


# -- window ----------------------------------------------------------------------------------------

# The drawn table end to end: the real program, a terminal, keys; how it is given back.


ENTER, F10, DOWN = "\r", "\x1b[21~", "\x1b[B"
END = "| The end"
EARLY = "Too early: the question is new. Press the key again."


def asked(window: Window) -> str:
    """The rows of the prompt and of the dice, without the seconds; empty if nothing is asked."""
    if not window.rows[18].startswith("-- YOU"):
        return ""
    rows = [window.rows[4], *window.rows[18:22]]
    text = "\n".join(rows).replace(EARLY, "")
    return re.sub(r"-+ \d+ s --", "", text)


def dice(window: Window) -> str:
    """The row of the dice, once they lie still, and small dice below it where cards need room."""
    found = re.compile(r"Your dice, roll \d(: |.* \w.* --$)")
    window.until(lambda: any(found.search(row) for row in window.rows), "dice that lie still")
    at = next(n for n, row in enumerate(window.rows) if found.search(row))
    return window.rows[at] if ": " in window.rows[at] else "".join(window.rows[at : at + 2])


def test_a_whole_game_ends_on_the_screen_with_the_winner(tmp_path: Path) -> None:
    ana = Window(tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana", "--bot", "normal")
    ana.see("Winner", END)
    ana.until(lambda: ana.rows[23].startswith("Enter Close  Esc Table"), "the keys of the page")
    ana.insist(ENTER, ana.is_over)
    assert ana.ended() == 0
    assert ana.restored
    assert verify_log(ana.log().read_bytes()).result is Result.SOUND


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_gives_the_terminal_back_and_keeps_the_seat(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    """UX check 12."""
    ana = Window(tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana")
    ana.see("Keep which?")
    before = dice(ana)
    ana.child.kill(number)
    if number == signal.SIGINT:
        ana.see("Leave the game for good?")
        ana.child.kill(number)
    assert ana.ended() == code
    assert ana.restored
    again = Window(tmp_path / "ana", "resume")
    again.see("Keep which?")
    assert dice(again) == before
    again.child.close(force=True)


def test_the_line_settings_are_given_back(tmp_path: Path) -> None:
    """As `stty -g` has them before and after."""
    ana = Window(tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana")
    ana.see("Keep which?")
    assert termios.tcgetattr(ana.child.child_fd) != ana.settings
    ana.child.kill(signal.SIGTERM)
    ana.until(lambda: termios.tcgetattr(ana.child.child_fd) == ana.settings, "the line")
    assert ana.ended() == 143


def test_a_crash_gives_the_terminal_back_and_says_where_the_report_is(tmp_path: Path) -> None:
    """UX check 12."""
    ana = Window(
        tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana", broken=True,
        environment={"TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert ana.ended() == 1
    assert ana.restored
    shown = ana.raw[ana.raw.rfind("\x1b[?1049l") :]
    assert "an error in this program" in shown


@pytest.mark.parametrize(
    ("environment", "flags"),
    [({"TERM": "dumb"}, ()), ({"KOTP2P_PLAIN": "1"}, ()), ({}, ("--plain",))],
)
def test_a_terminal_that_cannot_draw_and_a_player_that_wants_lines_get_lines(
    tmp_path: Path, environment: dict[str, str], flags: tuple[str, ...]
) -> None:
    """UX check 20."""
    ana = Window(
        tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana", *flags, environment=environment
    )
    ana.see("Keep which?")
    ana.child.kill(signal.SIGTERM)
    ana.ended()
    assert "\x1b" not in ana.raw


def test_the_start_screen_leads_to_the_rules_and_to_a_first_game(tmp_path: Path) -> None:
    ana = Window(tmp_path / "ana")
    ana.see("1  play", "Your choice, Enter plays:")
    ana.press("rules\r")
    ana.see("The aim: 20 points", "Your choice, Enter plays:")
    ana.press("play\r")
    ana.see("What are you called?")
    ana.press("Ana\r")
    ana.see("8 Space Penguin", "Which monster are you?")
    ana.press("kraken\r")
    ana.see("Before your first game", "Press Enter: the game begins.")
    ana.insist(ENTER, lambda: "Keep which?" in ana.text)
    ana.see("Coach: ", "Kraken")
    ana.child.kill(signal.SIGTERM)
    assert ana.ended() == 143
    assert ana.restored


@pytest.mark.parametrize("words", [(), ("join", "-")])
def test_tab_completes_the_words_of_a_code(tmp_path: Path, words: tuple[str, ...]) -> None:
    ana = Window(tmp_path / "ana", *words)
    if not words:
        ana.press("join\r")
    ana.see("Code, address or link" if not words else "The code or the address")
    for begun, whole in (("7412-ballo", "7412-balloon"), (" CARPE", "7412-balloon carpet")):
        ana.press(begun + "\t")
        ana.see(whole)
    ana.press("-brook\r")
    ana.see("A code is a number of four digits and two words")
    assert ana.ended() == 2


def test_a_terminal_that_goes_away_in_the_middle_is_no_program_error(tmp_path: Path) -> None:
    reports = tmp_path / "reports"
    reports.mkdir()
    ana = Window(
        tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana",
        environment={"TMPDIR": str(reports)},
    )  # fmt: skip
    ana.see("Keep which?")
    ana.child.ptyproc.fileobj.close()  # `close` of the child itself would send it signals as well
    ana.child.wait()
    assert list(reports.iterdir()) == []
    assert (ana.child.exitstatus, ana.child.signalstatus) in ((129, None), (None, signal.SIGHUP))
    again = Window(tmp_path / "ana", "resume")
    again.see("Keep which?")
    again.insist("\x1b[21~", lambda: "Leave?" in again.text)
    again.insist("y\r", again.is_over)
