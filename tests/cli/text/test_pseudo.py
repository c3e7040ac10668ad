"""Every sentence for people passes the door to translation: with a catalogue that puts what it
translates into brackets, nothing but names, commands, numbers and what was typed stands outside.
"""

import random
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
import trio

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue, list_answers, question_for
from kotp2p.cli.extras.replay.drawn import ReplayTable, describe_keys
from kotp2p.cli.extras.replay.player import (
    ReplayWords,
    describe_words,
    find_draws_of_turn,
    words_of_draw,
)
from kotp2p.cli.extras.replay.reel import START, Place
from kotp2p.cli.system import config
from kotp2p.cli.system.languages import list_languages
from kotp2p.cli.text import i18n, notices, queries, typed_words
from kotp2p.cli.text.endings import describe_ending, winners_line
from kotp2p.cli.text.files import describe_verdict
from kotp2p.cli.text.notices import describe_absence
from kotp2p.cli.text.player_rules import TOPICS, answer_rules, describe_topic, printed_in_english
from kotp2p.cli.text.players import describe_cheat
from kotp2p.cli.text.story import describe_refusal
from kotp2p.cli.ui import player_commands
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.cli.ui.screen.pages import list_commands
from kotp2p.cli.wing import take_default
from kotp2p.game.steps import ChangedHands
from kotp2p.referee.box.cards import Card, Tile
from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.referee.model.answers import Reason
from kotp2p.referee.model.decisions import BuyDecision, Decision, RollDecision, YieldDecision
from kotp2p.referee.model.events import TurnStarted
from kotp2p.seams import notices as told
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import WATCHER, LobbyFault, LobbyRefused, LobbySeat
from kotp2p.wire import lineups
from kotp2p.wire.genesis import LobbyOptions
from kotp2p.wire.lineups import CheatKind
from kotp2p.wire.names import MONSTERS
from tests.support.hostile_seats import genesis
from tests.support.laid_decisions import dice, item, table
from tests.support.local_game import NAMES, Orders, Table, new_view, notes, piped, said
from tests.support.pseudo import CLOSE, CODE, OPEN, Pseudo
from tests.support.recorded import golden_log, player_of

TYPED = (
    "foo", "state", "state Rex", "state nobody", "shop", "tiles", "who", "dice", "log 30", "log x",
    "card wings", "card wing", "card zzz", "card", "?", "help", "leave", "99", "0", "d", "33c",
    "33333333", "buy z", "a", "b", "p", "s", "y", "n", "1", "2", "h", "e", "bot", "wait",
    "accept Rex", "adjourn", "orders", "orders yield 3", "orders off", "say hello", "start", "use",
    "heal", "use 1", "1 3", "c 2", "%s{name}", "done", "t", "sweep", "x",
)  # fmt: skip
REPLAYED = (
    "t", "u", "b", "n Rex", "n guest 1", "p ana", "g 14", "g 99", "g r96", "g r9999", "g x", "end",
    "speed 4", "speed x", "seat none", "seat",
    "seat zz", "seat ana", "play", "stop", "where", "+", "-",
)  # fmt: skip
"""What is typed at a game that is seen again."""
OWN = (
    "lemon train ocean piano", "192.168.1.20", "monster.0.hearts", "no-such-die", "config.toml",
    "No space left on device", "default", "work", "Ana 2", "game.log",
)  # fmt: skip
"""Names, addresses and details of the tests."""
COMMANDS = re.compile(r"kotp2p( (host|join|resume|solo|verify)( [A-Z]+)?)?|--\w+")
HASH = re.compile(r"\b[0-9a-f]{64}\b")
FINGERPRINT = re.compile(r"\b[0-9a-z]{4}(-[0-9a-z]{4}){3}\b")
OTHER = {"classic", "second", "dark", "options", "true", "false", "ascii", "unicode", "emoji",
         "mono", "okabe", "ito", "auto", "light", "slow", "normal", "fast", "instant",
         "terminal", "program", "off", "en", "fa", "fr", "it", "nl", "pt", "br"}  # fmt: skip
"""Names of rule sets, of values and of languages."""


@pytest.fixture(autouse=True)
def pseudo() -> None:
    i18n.use_catalogue(Pseudo(), CODE)


PRINTED: list[Card | Tile] = [card for rules in RULE_SETS.values() for card in rules.cards]
PRINTED += [tile for rules in RULE_SETS.values() for tile in rules.tiles]
IN_ENGLISH = {f"({name})" for card in PRINTED for name in printed_in_english(card)}
"""A card that is looked up has its English name in brackets."""
DATA = sorted((*IN_ENGLISH, *NAMES, *MONSTERS, *OWN), key=len, reverse=True)


def outside(line: str) -> list[str]:
    """The words of a line that no message holds."""
    line = re.sub(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", " ", line)
    assert OPEN not in line and CLOSE not in line, line
    for text in DATA:
        line = line.replace(text, " ")
    found = re.findall(r"[^\W\d_]{2,}", COMMANDS.sub(" ", FINGERPRINT.sub(" ", line)))
    return [word for word in found if word.lower() not in OTHER]


def check(lines: Iterable[str], typed: Iterable[str] = ()) -> int:
    """All of these; the number of them, so that a test can say that there were some."""
    allowed = {word for text in typed for word in re.findall(r"[^\W\d_]{2,}", text)}
    count = 0
    for line in lines:
        count += 1
        if line.startswith("> "):  # what was typed, as a pipe shows it
            continue
        assert set(outside(line)) <= allowed, line
    return count


def test_the_check_finds_what_is_not_translated() -> None:
    assert outside("⟦Turn ⟧2⟦, yours.⟧ Roll now") == ["Roll", "now"]
    assert outside(i18n._("{hearts} for yourself", hearts="3")) == []
    assert outside(i18n._("{hearts} for yourself", hearts="three hearts")) != []


class Person:
    """Types what is right and what is wrong, and Enter until the end."""

    def __init__(self, game: Table, chooser: random.Random) -> None:
        self.game = game
        self.chooser = chooser
        self.left = list(TYPED) * 6
        chooser.shuffle(self.left)

    async def work(self) -> None:
        front = self.game.front
        assert isinstance(front, LinePlayer)
        while True:
            await front.prompts.wait_until_wanted("")
            if front.state.is_leave_asked:
                front.read_line("n")
            elif self.left and self.chooser.random() < 0.7:
                front.read_line(self.left.pop())
            else:
                front.read_line("")
            await trio.lowlevel.checkpoint()


@pytest.mark.parametrize("rules", ["classic", "second", "dark"])
async def test_whole_games_are_told_in_the_language_of_the_reader(rules: str) -> None:
    chooser = random.Random(rules)
    count = 0
    for seats in (4, 2, 6):
        front = piped()
        game = Table(new_view(seats, RULE_SETS[rules]), front, chooser)
        person = Person(game, chooser)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(person.work)
            await game.play()
            nursery.cancel_scope.cancel()
        await front.show_ending(Ending(EndKind.FINISHED, view=game.view))
        count += check(said(front), TYPED)
        count += check(notes(front), TYPED)
    assert count > 1000


def test_the_lobby() -> None:
    ana = LobbySeat("Ana", "Gigazaur", b"a", False, True)
    rex = LobbySeat("Rex", "The King", b"r", False, False)
    otto = LobbySeat("Otto", "Alienoid", b"o", True, False)
    lines: list[str] = []
    host = Audience(starts_game=True, wanted_monster="Alienoid")
    for audience in (host, Audience(can_type=False), Audience()):
        for you in (0, 1):
            news = NoticeFeed(audience)
            heard: list[told.Notice] = [
                told.TableOpened(("192.168.1.20",), 4243, you == 1),
                told.TableAnnounced(),
                told.TableAnnounced(fault="No space left on device"),
                told.LobbyChanged(
                    (ana, rex, None), you, "second", LobbyOptions(Options(two_player=True))
                ),
                told.LobbyChanged((ana, rex, otto), you, "second"),
                told.LobbyChanged((rex, ana, None), 1 - you, "second"),
                told.LobbyChanged((rex, ana, None), 1 - you, "second", has_kept_seats=True),
                told.StartFailed(("Rex",)),
                told.StartInDoubt(),
                told.StartDeclined("Rex"),
                told.StartDeclined(""),
                told.StartSigned(genesis().charter),
                told.StartSigned(genesis().charter, (1, 2)),
                told.GuestIdentity("work"),
                told.NameChanged("Ana", "Ana 2"),
                *(LobbyRefused(why, "Rex") for why in LobbyFault),
            ]
            for notice in heard:
                found = news.tell_notice(notice)
                lines += found.lines + found.hints
    here = told.LobbyChanged((ana, rex, None), 0, "second")
    for text in (
        *TYPED, "bot", "remove", "remove Sam", "move Rex", "move Rex 9", "who", "name",
        "monster", "ready", "not ready", "not",
    ):  # fmt: skip
        question = player_commands.StartQuestion()
        lines += player_commands.do_command(text, here, Orders(), question)
    assert check(lines, [*TYPED, "remove move two_player balloon brook"]) > 60


SEATED = "Ana Guest game kotlog"
"""Players of the golden games, and what their log is called."""


@pytest.mark.parametrize(("name", "sentences"), [("dark", 700), ("quarrel", 1500)])
def test_a_game_that_is_seen_again(name: str, sentences: int) -> None:
    """All sentences, what each typed word answers, and how draws came about."""
    player = player_of(golden_log(name))
    lines: list[str] = [*describe_words()]
    for seat in (WATCHER, 0):
        player.sit_at(seat)
        lines.append(player.remark)
        place: Place | None = START
        while place is not None:
            lines += [*player.reel.lines_at(place), player.reel.describe_cause(place)]
            place = player.reel.step(place, 1)
    words = ReplayWords(player)
    for typed in (*TYPED, *REPLAYED, "home", *REPLAYED):
        if typed == "e":  # explains a draw by a program, which is in no language
            continue
        lines += [*words.read_line(typed), player.remark, player.describe_place()]
    lines += [player.describe_verdict(), describe_verdict(player.name, player.report)]
    assert check(filter(None, lines), [SEATED, *TYPED, *REPLAYED]) > sentences


def test_how_dice_and_cards_came_about() -> None:
    player = player_of(golden_log("dark"))
    found = [
        line
        for turn in range(4)
        for draw in find_draws_of_turn(player.reel, turn)
        for line in words_of_draw(player.reel, draw)
    ]
    assert check([HASH.sub("", line) for line in found], [SEATED, "SHA"]) > 100


@pytest.mark.parametrize("columns", [80, 100])
def test_the_rows_of_a_recorded_game_fit_whatever_the_language(columns: int) -> None:
    player = player_of(golden_log("quarrel"))
    table = ReplayTable(player)
    assert check(describe_keys(), ["Page Home End Tab Shift Space Up Down Left Right Esc"]) == 6
    for turn in range(player.recording.turns + 1):
        player.go_to_turn(turn)
        player.step(1)
        table.refresh()
        rows = [*table.draw(columns, 22), table.draw_keys(columns)]
        texts = ["".join(part[1] for part in row) for row in rows]
        assert len(rows) == 23
        assert max(map(i18n.line_width, texts)) <= columns


def test_refusals_and_help() -> None:
    assert check(describe_refusal(describe_ending) for describe_ending in Reason) == len(Reason)
    commands = (
        "state shop cards card tiles dice who log say bot wait adjourn accept leave orders coach"
    )
    assert check(queries.help_lines(new_view(2, RULE_SETS["dark"])), [commands]) > 8


def test_rules_for_players_and_known_words() -> None:
    lines: list[str] = []
    for rules in RULE_SETS.values():
        lines += answer_rules("rules", rules) or []
        for topic in TOPICS:
            lines += describe_topic(topic, rules)
    words = [*typed_words.EXPLAINED, *queries.QUERY_WORDS, *(t.words[0] for t in TOPICS)]
    lines += [typed_words.explain_word(word) for word in words]
    lines += [typed_words.explain_early_word(word, queries.QUERY_WORDS) for word in words]
    lines.append(typed_words.suggest_word("ruels", ["rules"]))
    assert check(filter(None, lines), [*words, "rules", "ruels"]) > 80


def test_absent_players_and_cheats() -> None:
    view = table()
    kinds: list[told.AbsenceNotice] = [
        told.Gone(1), told.Quiet(1, 7), told.Returned(1), told.Offer((2,), True, True),
        told.Offer((1, 2), True, True), told.Offer((2,), False, True),
        told.Offer((2,), True, False), told.Offer((0,), True, False),
        told.Wished(1, (2,), (0,)), told.Wished(1, (2,), ()), told.Wished(1, (), ()),
        told.StopWanted(1, True, (0,)), told.StopWanted(1, True, (2,)),
        told.StopWanted(1, True, ()), told.StopWanted(1, False, ()),
        *(
            told.LineUpBegun(
                (ChangedHands(seat, reason, ((seat, 1), (1, 0)), True),), view,
                view.game.state,
            )
            for reason in lineups.Reason
            for seat in (0, 2)
        ),
        told.LineUpBegun((ChangedHands(2, lineups.Reason.ABSENT, (), False),), view),
        told.CardBurnt(2),
        told.PlayedForYou((TurnStarted(0),), view),
        *(told.ReturnAsked(2, because) for because in told.AskedBecause),
        told.ChangeStalls((1,)), told.Split(()), told.Split((2,)),
    ]  # fmt: skip
    lines = [line for kind in kinds for line in describe_absence(kind, view)]
    lines += [describe_cheat(kind, "Rex") for kind in CheatKind]
    lines += [
        notices.describe_divergence(
            told.Diverged(1, "monster.0.hearts", "9", "8", told.Agreement.OURS), view
        ),
        notices.describe_own_fault(told.ProgramFault("no-such-die")),
        notices.describe_signed_end(told.GameFinished((0,), (0, 2), view)),
        notices.describe_signed_end(told.GameFinished((), (), view)),
        notices.describe_revealed_card(told.TopRevealed(item(view, "wings")), view),
        *notices.describe_new_address(told.Reopened(("192.168.1.20",), 4243)),
        *notices.describe_resumption(view),
    ]
    assert check(lines) > 20


def test_how_it_ends() -> None:
    view = table()
    lines: list[str] = []
    for kind in EndKind:
        detail = "2 1" if kind is EndKind.VERSION else "No space left on device"
        lines += describe_ending(Ending(kind, detail, view=view), "192.168.1.20", 4242)
        lines.append(winners_line(Ending(kind, view=view, winners=(0, 1))))
    assert check(lines, ["kotp2p resume --peer ADDRESS", "watch"]) > 30


def test_what_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("KOTP2P_CONFIG", str(path))
    names = [*(key.name for key in config.CONFIG_KEYS), *list_languages()]
    keys = " ".join([*names, *(str(key.default) for key in config.CONFIG_KEYS), "tcp", "ws"])
    assert check(config.describe_config(config.load_config()), [keys]) == len(config.CONFIG_KEYS)
    examples = "yield stay shop skip Wings notify-send"
    assert check(config.default_config_text().splitlines(), [keys, examples]) > 20
    path.write_text('colour = "x"', encoding="utf-8")
    config.load_config()
    assert check([capsys.readouterr().err.strip().replace(str(path), "")], ["colour"]) == 1
    for text in ('symbols = "x"', "bell = 3", 'name = ""'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(config.ConfigFault) as fault:
            config.load_config()
        assert check([str(fault.value).replace(str(path), "")], [keys, text]) == 1


async def test_a_question_that_is_withdrawn_and_a_player_that_is_waited_for() -> None:
    front = piped()
    view = table()
    front.show(told.GameStarted(view))
    front.show(told.Waiting((1,), YieldDecision(1, 0)))
    with trio.CancelScope() as scope:
        scope.cancel()
        await front.decide(view, YieldDecision(0, 1))
    assert check([*said(front), front.state.awaited()]) > 3


def test_what_can_be_picked_on_the_screen() -> None:
    view = table(rolled="33CHB1")
    front = piped()
    front.show(told.GameStarted(view))
    offered: list[str] = []
    decisions: tuple[Decision, ...] = (
        RollDecision(0, dice("33CHB1"), 2),
        YieldDecision(0, 1),
        BuyDecision(0, (), True, True, True),
    )
    for decision in decisions:
        found = QuestionDialogue(question_for(view, decision, take_default), Explained())
        found.first_lines()
        offered += [way.label for way in list_answers(found)]
    offered += [way.label for way in list_commands(front.state.feed)]
    assert check(offered) > 12
