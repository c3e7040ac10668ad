"""An evening of three friends, played with the installed program in tmux panes of 80x24.

`python -m tests.tools.friday_night PROGRAM [--asleep 900] [--keep FOLDER]`: PROGRAM is the `kotp2p`
of an installation. It needs root, tmux and network namespaces, one for each machine. What happens:

* Ana opens a table. Rex and Mia type the `join` that her screen shows, and Rex once more in another
  window of the same machine. Kid comes too late. Eve watches.
* Rex's machine sleeps for `--asleep` seconds and wakes up with another address. Mia's program is
  killed, and she types the same `join` again. Ana's window is closed for good.
* The others go on, and all logs that they have are verified.

All that was seen is kept in the folder, for a person to read. Exit code 0: everything went so.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

NETWORK = "10.78.0"
MACHINES = {"ana": 1, "rex": 2, "mia": 3, "kid": 4, "eve": 5}
"""The last number of each address."""
NEW_ADDRESS = 99
PATIENCE_SECONDS = 120.0
OPEN_OFFER = "b lets a bot play for"
ASKED = "\u2500\u2500 YOU"
"""How the question to a player begins."""
TURN = re.compile(r"^ kotp2p \| turn (\d+)")
OVER = ("Another game", "Winner", "Enter Close", "You are out of", "no longer part of")


def run(*words: str, check: bool = True) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def make_machines() -> None:
    remove_machines()
    run("ip", "netns", "add", "fn-lan")
    run("ip", "-n", "fn-lan", "link", "add", "bridge", "type", "bridge")
    run("ip", "-n", "fn-lan", "link", "set", "bridge", "up")
    for name, number in MACHINES.items():
        space = f"fn-{name}"
        run("ip", "netns", "add", space)
        run("ip", "-n", space, "link", "add", "eth0", "type", "veth", "peer", "name", f"v{number}",
            "netns", "fn-lan")  # fmt: skip
        run("ip", "-n", "fn-lan", "link", "set", f"v{number}", "master", "bridge", "up")
        run("ip", "-n", space, "addr", "add", f"{NETWORK}.{number}/24", "dev", "eth0")
        run("ip", "-n", space, "link", "set", "eth0", "up")
        run("ip", "-n", space, "link", "set", "lo", "up")
        run("ip", "-n", space, "route", "add", "default", "dev", "eth0")


def remove_machines() -> None:
    for name in ("lan", *MACHINES):
        run("ip", "netns", "del", f"fn-{name}", check=False)


@dataclass(slots=True)
class Pane:
    """A window in which somebody types; on the machine of that name."""

    socket: Path
    window: str
    machine: str
    home: Path
    seen: list[str] = field(default_factory=list)
    """All pictures that differ, for a person to read."""

    def tmux(self, *words: str) -> str:
        return run("tmux", "-S", str(self.socket), *words)

    def open(self, program: Path) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        shell = (
            f"cd {self.home}; HOME={self.home} LOGNAME={self.home.name} PATH={program.parent}:$PATH"
            f" LC_ALL=C.UTF-8 TERM=xterm-256color PS1='$ ' KOTP2P_DATA={self.home}/data"
            f" exec ip netns exec fn-{self.machine} bash --norc"
        )
        words = ("-x", "80", "-y", "24", "-s", self.window, shell)
        run("tmux", "-S", str(self.socket), "-f", os.devnull, "new-session", "-d", *words)

    def type(self, line: str) -> None:
        self.tmux("send-keys", "-t", self.window, "-l", line)
        self.tmux("send-keys", "-t", self.window, "Enter")

    def press(self, key: str) -> None:
        self.tmux("send-keys", "-t", self.window, key)

    def look(self) -> str:
        text = self.tmux("capture-pane", "-p", "-t", self.window)
        if not self.seen or self.seen[-1] != text:
            self.seen.append(text)
        return text

    def wait_for(self, *texts: str, seconds: float = PATIENCE_SECONDS) -> str:
        end = time.monotonic() + seconds
        while True:
            picture = self.look()
            if any(text in picture for text in texts):
                return picture
            if time.monotonic() > end:
                raise SystemExit(f"{self.window} never saw {texts}:\n{picture}")
            time.sleep(0.2)

    def program(self) -> int:
        """The process id of the game in this window."""
        shell = self.tmux("display-message", "-p", "-t", self.window, "#{pane_pid}").strip()
        found = run("pgrep", "-P", shell, check=False).split()
        if not found:
            raise SystemExit(f"no program runs in the window of {self.window}:\n{self.look()}")
        return int(found[0])

    def is_drawn(self) -> bool:
        words = ("display-message", "-p", "-t", self.window, "#{alternate_on}")
        return self.tmux(*words).strip() == "1"

    def turn(self) -> int:
        found = TURN.match(self.look())
        return int(found[1]) if found else 0


class Evening:
    """The windows, and what their people do."""

    def __init__(self, folder: Path, program: Path) -> None:
        self.folder = folder
        self.program = program
        self.windows: dict[str, Pane] = {}
        self.playing: list[str] = []
        """The windows in which somebody presses Enter when asked."""
        self.join = ""

    def sit_down(self, window: str, machine: str, line: str) -> Pane:
        pane = Pane(self.folder / "tmux", window, machine, self.folder / machine)
        self.windows[window] = pane
        pane.open(self.program)
        pane.wait_for("$")
        pane.type(
            "set +m"
        )  # else the shell takes the terminal back from a program that stands still
        pane.type(line)
        return pane

    def note(self, text: str) -> None:
        print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)

    def gather(self) -> None:
        """Ana opens a table, three come by what her screen shows, Eve watches."""
        picture = self.sit_down("ana", "ana", "kotp2p host --name Ana --players 4").wait_for(
            "kotp2p join"
        )
        found = re.search(r"kotp2p join [0-9.]+", picture)
        assert found is not None, picture
        self.join = found[0]
        watched = re.search(r"kotp2p watch [0-9.]+", picture)
        assert watched is not None, picture
        for window, machine, words in (
            ("rex", "rex", " --name Rex"), ("mia", "mia", " --name Mia"), ("rexb", "rex", ""),
        ):  # fmt: skip
            self.sit_down(window, machine, self.join + words).wait_for("(you)")
        self.sit_down("eve", "eve", watched[0]).wait_for("watches this table")
        ana = self.windows["ana"]
        ana.wait_for("1 watches")
        ana.type("start")
        ana.wait_for("begin all the same")
        ana.type("start")
        self.playing = ["ana", "rex", "mia", "rexb"]
        for window in (*self.playing, "eve"):
            self.windows[window].wait_for("kotp2p | turn")
        self.note("the game has begun at all windows")

    def play(self, until: Callable[[], bool], seconds: float, what: str) -> None:
        """Everybody presses Enter when asked, and waits for everybody."""
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                raise SystemExit(f"{what} never came: {self.pictures()}")
            for window in self.playing:
                pane = self.windows[window]
                if ASKED in pane.look():
                    pane.press("Enter")
            self.windows["eve"].look()
            time.sleep(0.3)

    def pictures(self) -> str:
        return "\n".join(f"== {name}\n{pane.look()}" for name, pane in self.windows.items())

    def reach_turn(self, number: int, window: str) -> None:
        pane = self.windows[window]
        self.play(lambda: pane.turn() >= number or self.is_over(window), 600, f"turn {number}")

    def is_over(self, window: str) -> bool:
        picture = self.windows[window].look()
        return any(text in picture for text in OVER)

    # -- what goes wrong on a Friday -----------------------------------------------------

    def come_too_late(self) -> None:
        kid = self.sit_down("kid", "kid", self.join + " --name Kid")
        kid.wait_for("has begun")
        self.note("Kid came too late, and is told so")

    def kill(self) -> None:
        """Mia's program dies, and she types the same line again."""
        mia = self.windows["mia"]
        os.kill(mia.program(), signal.SIGKILL)
        time.sleep(2)
        mia.press("C-l")
        mia.type(self.join + " --name Mia")
        self.play(lambda: mia.is_drawn() and "kotp2p | turn" in mia.look(), 60, "Mia again")
        self.note("Mia is back by the same join")

    def sleep_and_move(self, seconds: float) -> None:
        """Rex's machine sleeps, and wakes up with another address."""
        turn, rex = self.windows["mia"].turn(), self.windows["rex"]
        asleep = [self.windows[name].program() for name in ("rex", "rexb")]
        for program in asleep:
            os.kill(program, signal.SIGSTOP)
        wakes = time.monotonic() + seconds
        self.playing = ["ana", "mia"]
        self.play(lambda: time.monotonic() > wakes, seconds + 60, "the end of the night")
        self.note(f"Rex has slept for {seconds:.0f} s; the others wait in turn {turn}")
        run("ip", "-n", "fn-rex", "addr", "flush", "dev", "eth0")
        run("ip", "-n", "fn-rex", "addr", "add", f"{NETWORK}.{NEW_ADDRESS}/24", "dev", "eth0")
        run("ip", "-n", "fn-rex", "route", "add", "default", "dev", "eth0")
        for program in asleep:
            os.kill(program, signal.SIGCONT)
        began, before = time.monotonic(), self.windows["mia"].turn()
        self.playing = ["ana", "mia", "rex", "rexb"]
        self.play(
            lambda: rex.turn() > before or self.is_over("rex") or self.is_over("mia"),
            300, "a turn with Rex",
        )  # fmt: skip
        self.note(f"Rex plays on from another address, {time.monotonic() - began:.0f} s later")

    def close_the_host(self) -> None:
        """The window of the host is closed for good; the others let a bot play, and finish."""
        turn = self.windows["mia"].turn()
        self.windows.pop("ana").tmux("kill-session", "-t", "ana")
        self.playing = ["mia", "rex", "rexb"]
        self.play(
            lambda: any(OPEN_OFFER in self.windows[name].look() for name in self.playing),
            300, "an offer about Ana",
        )  # fmt: skip
        time.sleep(3)
        for name in self.playing:
            self.windows[name].type("b")
        self.play(
            lambda: all(self.windows[n].turn() != turn or self.is_over(n) for n in self.playing),
            120, "the turn after Ana",
        )  # fmt: skip
        self.note("Ana's window was closed, and the others go on without her")

    def finish(self) -> None:
        self.play(lambda: all(map(self.is_over, self.playing)), 1800, "the end")
        self.note("the game has ended at all windows")
        for name in self.playing:
            self.windows[name].wait_for("Another game", "$ ")
            time.sleep(2)  # a key that is pressed as a question appears is not taken for its answer
            self.windows[name].type("n")
        for name in (*self.playing, "eve"):
            pane = self.windows[name]
            end = time.monotonic() + PATIENCE_SECONDS
            while pane.is_drawn() and time.monotonic() < end:
                pane.press("Enter")
                time.sleep(1)

    def verify(self) -> bool:
        """What the program says of all logs. Ana's ends where her window was closed."""
        logs = sorted(self.folder.glob("*/data/**/*.kotlog"))
        good = len(logs) == 4
        for log in logs:
            unfinished = log.is_relative_to(self.folder / "ana")
            done = subprocess.run([self.program, "verify", log], capture_output=True, text=True)
            self.note(f"{log.relative_to(self.folder)}: exit code {done.returncode}\n{done.stdout}")
            good &= done.returncode == (7 if unfinished else 0)
        return good

    def keep(self) -> None:
        for name, pane in self.windows.items():
            text = "\n\n".join(pane.seen)
            (self.folder / f"{name}.txt").write_text(text, encoding="utf-8")

    def end(self) -> None:
        run("tmux", "-S", str(self.folder / "tmux"), "kill-server", check=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path, help="the kotp2p of an installation")
    parser.add_argument("--asleep", type=float, default=900.0, help="seconds (900)")
    parser.add_argument("--keep", type=Path, help="an empty folder for what was seen")
    given = parser.parse_args()
    folder = given.keep or Path(tempfile.mkdtemp(prefix="friday-"))
    folder.mkdir(parents=True, exist_ok=True)
    evening = Evening(folder, given.program.absolute())
    make_machines()
    try:
        evening.gather()
        evening.reach_turn(2, "ana")
        evening.come_too_late()
        evening.kill()
        evening.reach_turn(evening.windows["mia"].turn() + 1, "mia")
        evening.sleep_and_move(given.asleep)
        evening.close_the_host()
        evening.finish()
        return 0 if evening.verify() else 1
    finally:
        evening.keep()
        evening.note(f"what was seen: {folder}")
        evening.end()
        remove_machines()


if __name__ == "__main__":
    sys.exit(main())
