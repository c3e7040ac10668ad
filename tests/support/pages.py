"""The page of a game in a browser: what it says of logs, and what it shows."""

import base64
from dataclasses import dataclass
from pathlib import Path

from tests.support.browser import Browser

BYTES = "Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))"
IS_CHECKED = "document.getElementById('verdict').dataset.result !== 'none'"


@dataclass(frozen=True, slots=True)
class PageVerdict:
    result: str
    record: int | None
    offset: int | None
    why: str
    unchecked: frozenset[int] = frozenset()
    """Records with proofs of which the page says that only the rules, or a share, can tell."""


class GamePage:
    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def show(self, path: Path, before: str = "") -> None:
        """Opens a page and waits until it has checked what it carries."""
        self.browser.open(path, before)
        if self.browser.run("document.getElementById('game').textContent.trim() !== ''"):
            self.browser.wait_for(IS_CHECKED)

    def verdict_on(self, data: bytes) -> PageVerdict:
        """What the verifier of the page says of a log."""
        return self.verdicts_on([data])[0]

    def verdicts_on(self, logs: list[bytes]) -> list[PageVerdict]:
        found = self.browser.run(
            "await (async () => { const all = []; for (const text of given[0]) "
            f"all.push(await kotp2p.verify({BYTES})); return all; }})()",
            [base64.b64encode(data).decode() for data in logs],
        )
        return [
            PageVerdict(
                one["result"],
                one.get("record"),
                one.get("offset"),
                one.get("why", ""),
                frozenset(proof["record"] for proof in one.get("unchecked", ())),
            )
            for one in found
        ]

    def drop(self, name: str, data: bytes, *, junk: int = 0) -> None:
        """Opens a file there, as if it were dropped, and waits until it was checked. So many random
        bytes follow, which the browser makes."""
        self.browser.run(
            "await (async (text) => { const files = new DataTransfer(); "
            "const junk = crypto.getRandomValues(new Uint8Array(65536)); "
            "const parts = Array.from({length: Math.ceil(given[2] / 65536)}, () => junk); "
            f"files.items.add(new File([{BYTES}, ...parts], given[0])); "
            "document.dispatchEvent(new DragEvent('drop', "
            "{dataTransfer: files, cancelable: true})); })(given[1])",
            name, base64.b64encode(data).decode(), junk,
        )  # fmt: skip
        self.browser.wait_for(IS_CHECKED)

    @property
    def result(self) -> str:
        return str(self.browser.run("document.getElementById('verdict').dataset.result"))

    def text_of(self, name: str) -> str:
        """What can be read in the element of this id; empty if it is hidden."""
        script = (
            "((e) => e.closest('[hidden]') ? '' : e.textContent)(document.getElementById(given[0]))"
        )
        return str(self.browser.run(script, name)).strip()

    @property
    def moment(self) -> int:
        return int(self.browser.run("Number(document.getElementById('moment').value)"))

    def go(self, moment: int) -> None:
        self.browser.run(
            "((e) => { e.value = given[0]; e.dispatchEvent(new Event('input')); })"
            "(document.getElementById('moment'))",
            moment,
        )

    def is_wider_than_screen(self) -> bool:
        widths = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        scrolled, shown = self.browser.run(widths)
        return bool(scrolled > shown)
