"""The code of a table as sentences: what to type, which servers it asks, and what is wrong.

Scope: what host and guest read about a code, and the faults of a typed one.
"""

from __future__ import annotations

from typing import assert_never

from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.own_command import typeable
from kotp2p.rendezvous.words import BadCode, CodeFault
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import AskingByCode, CodeStep, TableCode

KINDS = (
    EndKind.NO_MAILBOX, EndKind.NOBODY_AT_NUMBER, EndKind.WRONG_WORDS, EndKind.RELAY_GONE,
    EndKind.RELAY_SILENT, EndKind.RELAY_REFUSES,
)  # fmt: skip
"""How a run ends that a code has not led to a table."""


def code_command(code: str, word: str = "join") -> str:
    return f"kotp2p {word} {code}"


def describe_code(notice: TableCode) -> list[str]:
    """What the player of the table reads; the command of a code that works stands apart."""
    match notice.step:
        case CodeStep.OPEN:
            return describe_servers(notice)
        case CodeStep.MOVED:
            return [
                _("Your code was disturbed, so it has another number now. Tell it to those who "
                  "are still to come; the words are the same."),
            ]  # fmt: skip
        case CodeStep.NO_MAILBOX:
            return [
                _("{server} does not answer, so nobody can come by your code now. It is asked "
                  "again. Others can still come by the address.", server=notice.mailbox),
            ]  # fmt: skip
        case CodeStep.NO_RELAY:
            return [
                _("{server} does not answer. Who has no direct way to this machine cannot come by "
                  "your code now.", server=notice.relay),
            ]  # fmt: skip
        case CodeStep.USED_UP:
            return [
                _("A hundred wrong words were tried at your code. It leads nowhere now. To make "
                  "another one, type: code"),
            ]  # fmt: skip
        case _:
            assert_never(notice.step)


def describe_servers(notice: TableCode) -> list[str]:
    """Which servers a code asks, and for what."""
    if not notice.relay:
        return [
            _("The others type the code wherever they are. {mailbox} introduces them; the game "
              "goes directly to this machine.", mailbox=notice.mailbox),
        ]  # fmt: skip
    return [
        _("The others type the code wherever they are. {mailbox} introduces them; where no direct "
          "way is found, {relay} carries sealed bytes.",
          mailbox=notice.mailbox, relay=notice.relay),
    ]  # fmt: skip


def describe_code_help(notice: TableCode) -> str:
    return _("code: make another code. In digits, yours is {code}.", code=notice.in_numbers)


def describe_asking(notice: AskingByCode) -> str:
    if notice.is_again:
        return _("Nobody answers at {number} yet; asking again …", number=notice.number)
    return _("Asking {mailbox} for the table at {number} …",
             mailbox=notice.mailbox, number=notice.number)  # fmt: skip


def describe_bad_code(fault: BadCode) -> str:
    match fault.fault:
        case CodeFault.FORM:
            return _("A code is a number of four digits and two words, such as "
                     "7412-kangaroo-umbrella.")  # fmt: skip
        case CodeFault.UNKNOWN if fault.nearest:
            return _("{word} is not a word of a code. The nearest one is {nearest}.",
                     word=fault.word, nearest=fault.nearest)  # fmt: skip
        case CodeFault.UNKNOWN:
            return _("{word} is not a word of a code; their numbers go from 1 to 2048.",
                     word=fault.word)  # fmt: skip
        case CodeFault.SHORT:
            return _("Several words begin with {word}, such as {nearest}. Type more of it.",
                     word=fault.word, nearest=fault.nearest)  # fmt: skip
        case _:
            assert_never(fault.fault)


def describe_code_ending(ending: Ending) -> list[str]:
    """Why a code has not led to a table, and what to try; for the kinds in `KINDS`."""
    match ending.kind:
        case EndKind.NO_MAILBOX if not ending.detail:
            return [
                _("A code needs a server that introduces you, and your settings name none."),
                _("Set one, or join by the address: {command}",
                  command=typeable("kotp2p config set mailbox URL")),
            ]  # fmt: skip
        case EndKind.NO_MAILBOX:
            server, _colon, detail = ending.detail.partition(": ")
            return [
                _("The server that introduces you does not answer: {server} ({detail}).",
                  server=server, detail=detail),
                _("Check your connection to the internet and try again, or ask the host for the "
                  "address."),
            ]  # fmt: skip
        case EndKind.NOBODY_AT_NUMBER:
            return [
                _("Nobody answers at {number}.", number=ending.detail),
                _("Ask the host whether the number has changed, or the table is closed."),
            ]
        case EndKind.WRONG_WORDS:
            return [
                _("The words are not those of the table at {number}.", number=ending.detail),
                _("Compare both words with the host's screen, and their order."),
            ]
        case EndKind.RELAY_GONE:
            return [
                _("You were introduced to the table, but no direct way leads there, and the relay "
                  "does not answer: {detail}.", detail=ending.detail),
                _try_again(),
            ]  # fmt: skip
        case EndKind.RELAY_SILENT:
            return [
                _(
                    "You were introduced to the table, but no direct way leads there, and the host "
                    "did not come to the relay."
                ),
                _try_again(),
            ]
        case _:  # RELAY_REFUSES, the last of `KINDS`
            return [
                _("You were introduced to the table, but no direct way leads there, and the relay "
                  "carries nothing for you: {detail}.", detail=ending.detail),
                _("It may be full. Try again in a minute, or ask the host for the address."),
            ]  # fmt: skip


def _try_again() -> str:
    return _("Try again in a minute, or ask the host for the address.")
