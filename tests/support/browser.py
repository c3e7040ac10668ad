"""A browser without a window, driven by the DevTools protocol over a pipe.

Scope: Chromium where it is installed; one page at a time; what a test asks of it and does to it. It
is told to use no network.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions",
    "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe",
)  # fmt: skip
AS_PIPE = """\
import os, sys
command, answers = (os.dup(int(number)) for number in sys.argv[1:3])
spare = os.dup(command), os.dup(answers)
os.dup2(spare[0], 3), os.dup2(spare[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Starts the browser with its pipes at 3 and 4; the copies are numbered above both."""


def find_browser() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class PageFault(Exception):
    """A script of the page, or of the test in it, has failed."""


class Browser:
    def __init__(self, process: subprocess.Popen[bytes], commands: int, answers: int) -> None:
        self.process = process
        self._commands = os.fdopen(commands, "wb", 0)
        self._answers = os.fdopen(answers, "rb", 0)
        self._waiting = b""
        self._calls = 0
        self._session: str | None = None
        self.faults: list[str] = []
        """What the browser has logged as an error, and what no script has caught."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = str(attached["sessionId"])
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    # -- the protocol --------------------------------------------------------------------

    def call(self, method: str, **params: object) -> dict[str, Any]:
        """The answer of the browser to a command of the DevTools protocol."""
        self._calls += 1
        message: dict[str, object] = {"id": self._calls, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        self._commands.write(json.dumps(message).encode() + b"\0")
        while (answer := self._next_message()).get("id") != self._calls:
            self._note_event(answer)
        if "error" in answer:
            raise PageFault(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _next_message(self) -> dict[str, Any]:
        while b"\0" not in self._waiting:
            more = self._answers.read(1 << 20)
            if not more:
                raise PageFault("the browser has ended")
            self._waiting += more
        text, _, self._waiting = self._waiting.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def _note_event(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.faults.append(json.dumps(params["exceptionDetails"]))
        elif event.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.faults.append(params["entry"]["text"])

    # -- pages ---------------------------------------------------------------------------

    def open(self, path: Path, before: str = "") -> None:
        """Shows a file, with nothing left of the page before. `before` runs in front of it."""
        self.faults.clear()
        added = self.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.call("Page.navigate", url=path.as_uri())
        self.wait_for("document.readyState === 'complete'")
        self.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])

    def run(self, script: str, *given: object) -> Any:
        """The value of an expression, awaited; `given` are its `given[0]` and so on."""
        answer = self.call(
            "Runtime.evaluate",
            expression=f"(async (given) => ({script}))({json.dumps(given)})",
            awaitPromise=True,
            returnByValue=True,
        )
        if "exceptionDetails" in answer:
            raise PageFault(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Until this expression holds, looked at whenever the page has drawn or is idle."""
        while not self.run(condition):
            self.run("new Promise((resolve) => setTimeout(resolve, 20))")

    def press(self, key: str, code: str = "", text: str = "") -> None:
        fields = {"key": key, "code": code or key, "text": text}
        self.call("Input.dispatchKeyEvent", type="keyDown", **fields)
        self.call("Input.dispatchKeyEvent", type="keyUp", **fields)

    def resize(self, width: int, height: int, *, dark: bool = False, media: str = "") -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def picture(self, *, whole: bool = False) -> bytes:
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(shot["data"])

    def close(self) -> None:
        self._commands.close()
        self._answers.close()
        self.process.terminate()
        self.process.wait()


@contextmanager
def started_browser() -> Iterator[Browser]:
    found = find_browser()
    assert found is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for_commands, commands = os.pipe()
        answers, for_answers = os.pipe()
        process = subprocess.Popen(
            [sys.executable, "-c", AS_PIPE, str(for_commands), str(for_answers), found, *FLAGS,
             f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(for_commands, for_answers),
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(for_commands)
        os.close(for_answers)
        browser = Browser(process, commands, answers)
        try:
            yield browser
        finally:
            browser.close()
