"""Incidents as sentences."""

from kotp2p.cli.text import notices
from kotp2p.cli.text.players import describe_cheat
from kotp2p.seams.notices import (
    Agreement,
    Detour,
    Diverged,
    Flooded,
    GameFinished,
    GuestIdentity,
    LinkChanged,
    Missing,
    NameChanged,
    TopRevealed,
    Unsteady,
    UnsteadyMatter,
)
from kotp2p.wire.lineups import CheatKind
from tests.support.laid_decisions import item, table


def test_links_of_monsters_in_the_game() -> None:
    view = table()
    assert notices.describe_link_change(LinkChanged(1, False), view) == [
        "The connection to Rex is lost; reconnecting."
    ]
    assert notices.describe_link_change(LinkChanged(1, True), view) == [
        "The connection to Rex is back."
    ]
    view.game.state.monsters[1].alive = False
    assert notices.describe_link_change(LinkChanged(1, False), view) == []


def test_much_that_happens_about_one_player_is_one_sentence() -> None:
    view = table()
    assert notices.describe_unsteadiness(Unsteady(1, UnsteadyMatter.CONNECTION), view) == (
        "The connection to Rex is unsteady. From now on you are told only now and then how it "
        "stands."
    )
    assert notices.describe_unsteadiness(Unsteady(1, UnsteadyMatter.WISHES), view) == (
        "Rex changes their mind again and again. From now on you are told only now and then what "
        "Rex wants."
    )


def test_a_flood_is_told_with_its_number() -> None:
    assert notices.describe_flood(Flooded(20)) == (
        "Someone is flooding this table with connections: 20 were turned away within 10 seconds. "
        "The players of this table can come in all the same."
    )
    assert "kotp2p host --invite-only" in notices.describe_flood(Flooded(20, False))


def test_a_game_alone_says_nothing_about_others_that_read_the_phrase() -> None:
    assert "Everyone" in " ".join(notices.describe_start(table()))
    assert notices.describe_start(table(), alone=True) == [
        "The game begins. ? shows help at any time."
    ]


def test_every_kind_of_cheating_has_its_sentence() -> None:
    said = {describe_cheat(kind, "Rex") for kind in CheatKind}
    assert len(said) == len(CheatKind)
    assert all("Rex" in sentence for sentence in said)


def test_different_copies_accuse_nobody() -> None:
    for agreement in Agreement:
        difference = Diverged(1, "monster.0.hearts", "9", "8", agreement)
        sentence = notices.describe_divergence(difference, table())
        assert "Rex" in sentence
        assert "monster.0.hearts" in sentence
        assert "{" not in sentence


def test_different_copies_say_who_can_go_on() -> None:
    def told(agreement: Agreement) -> str:
        return notices.describe_divergence(Diverged(1, "", "", "", agreement), table())

    assert "let a bot play for Rex" in told(Agreement.OURS)
    assert "go on without you" in told(Agreement.THEIRS)
    assert "waits" in told(Agreement.OPEN)
    assert "stops" in told(Agreement.NONE)


def test_the_seats_that_signed_the_end() -> None:
    view = table()
    assert notices.describe_signed_end(GameFinished((0,), (0, 2), view)) == (
        "The end of the game is confirmed by Ana and Mia."
    )
    assert "Nobody" in notices.describe_signed_end(GameFinished((0,), (), view))


def test_names_and_profiles() -> None:
    assert "Ana 2" in notices.describe_new_name(NameChanged("Ana", "Ana 2"))
    assert "work" in notices.describe_guest_identity(GuestIdentity("work"))


def test_a_secret_card_is_shown_with_its_text() -> None:
    view = table()
    sentence = notices.describe_revealed_card(TopRevealed(item(view, "wings")), view)
    assert sentence.startswith("Only you see it: Wings, 6 energy, keep: ")


def test_who_is_not_back_yet_reads_what_to_type() -> None:
    view = table()
    assert notices.describe_missing(Missing((1, 2)), view) == (
        "Not back yet: Rex and Mia. They come back by typing: kotp2p resume"
    )
    alone = notices.describe_missing(Missing((1, 2), is_alone=True), view)
    assert alone.endswith("type: kotp2p join CODE")
    assert notices.describe_missing(Missing(()), view) == "The game goes on."


def test_a_seat_between_others_is_named_with_what_it_could_do() -> None:
    view = table()
    (first, second, *_), between = view.players, 0
    told = notices.describe_detour(Detour(between, (1,)), view)
    assert told.startswith(f"You are linked to {second.name} only through {first.name},")
