"""Every kind of mistake on a command line, each answered by one sentence of this program."""

import pytest

from tests.support.command_line import run

SENTENCES = [
    # a flag that is not there
    ("host --prot 1", "kotp2p host has no flag --prot; near to it: --port"),
    ("host --playrs=3", "kotp2p host has no flag --playrs; near to it: --players"),
    ("verify --jsn", "kotp2p verify has no flag --jsn; near to it: --json"),
    ("host -x", "kotp2p host has no flag -x; to list all: kotp2p help host"),
    ("host -p3", "kotp2p host has no flag -p; to list all: kotp2p help host"),
    ("--xyz", "kotp2p has no flag --xyz; to list all: kotp2p help"),
    ("config --xyz", "kotp2p config has no flag --xyz; to list all: kotp2p help config"),
    ("--xyz host", "kotp2p has no flag --xyz; to list all: kotp2p help"),
    # a command that is not there
    ("hots", "There is no command kotp2p hots; near to it: kotp2p host"),
    ("-- hots", "There is no command kotp2p hots; near to it: kotp2p host"),
    ("zzz --players 3", "There is no command kotp2p zzz; to list all: kotp2p help"),
    # a value out of range, or of another kind
    ("host --players 9", "--players: 9 is not a number from 2 to 6."),
    ("host --bots x", "--bots: x is not a number from 0 to 5."),
    ("resume --port 65536", "--port: 65536 is not a number from 0 to 65535."),
    ("host --turn-time 0", "--turn-time: 0 is not a number of seconds from 1 to 86400, nor none."),
    ("cards --rules third", "--rules: third is not classic, second or dark."),
    ("--speed warp host", "--speed: warp is not slow, normal, fast or instant."),
    ("solo --bot 3", "--bot: 3 is not easy, normal or hard."),
    # words that are too much
    ("solo 3 bots", "kotp2p solo has no use for 3 bots; what it takes: kotp2p help solo"),
    ("host -- x", "kotp2p host has no use for x; what it takes: kotp2p help host"),
    # a flag without its value, and a value without a use
    ("host --players", "--players needs a value after it: --players N"),
    ("host --name", "--name needs a value after it: --name NAME"),
    ("solo --rules", "--rules needs a value after it: --rules classic|second|dark"),
    ("--speed", "--speed needs a value after it: --speed slow|normal|fast|instant"),
    ("host --no-lan=1", "--no-lan takes no value."),
    ("--plain=yes solo", "--plain takes no value."),
]  # fmt: skip


@pytest.mark.parametrize(("line", "sentence"), SENTENCES, ids=[line for line, _ in SENTENCES])
def test_a_mistake_is_one_sentence(line: str, sentence: str) -> None:
    assert run(*line.split()).refused().splitlines() == [f"kotp2p: {sentence}"]


@pytest.mark.parametrize(
    "line",
    [
        "verify --plain --plain --no-color --no-color -h",
        "host --option two-player --option bay-for-beginners -h",
        "--speed slow host --speed fast -h",
        "cards one two three -h",
    ],
)
def test_what_may_stand_there_twice(line: str) -> None:
    code, _out, err = run(*line.split())
    assert (code, err) == (0, "")


def test_of_one_flag_given_twice_the_last_holds() -> None:
    """An alias sets the first, and the person who uses it means the second."""
    assert (
        run("cards", "--rules", "classic", "--rules", "dark", "wings")[:2]
        == run("cards", "--rules", "dark", "wings")[:2]
    )
    assert run("host", "--players", "3", "--players", "x")[0] == 2


def test_what_was_typed_does_not_steer_the_terminal() -> None:
    for words in (["a\x1b[2Jb"], ["solo", "\x1b]0;x\x07"], ["host", "--a\x1b[2J"], ["\udcff"]):
        err = run(*words).refused()
        assert "\x1b" not in err
        assert "\x07" not in err
        assert err.startswith("kotp2p: ")
