"""Every rule of the votes has a test that fails without it: the rule is left out, and the test run.

A test that passes whatever the program does proves nothing. `tests/tools/sim/planted_votes.py` has
the bugs, one or more for each rule of PROTOCOL.md 9.2.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import pytest

from kotp2p.votes.stances import Act, Stance
from tests.tools.sim.planted_votes import VOTE_BUGS


class QuickTest(NamedTuple):
    module: str
    name: str
    given: tuple[object, ...] = ()

    def run(self) -> None:
        getattr(import_module(f"tests.kotp2p.{self.module}"), self.name)(*self.given)


def forbidden(stance: Stance, act: Act) -> QuickTest:
    name = "test_a_stance_forbids_what_the_table_says_and_nothing_else"
    return QuickTest("votes.test_stances", name, (stance, act))


def signing(stance: Stance) -> QuickTest:
    name = "test_a_peer_signs_what_it_owes_where_its_stance_does_not_forbid_it"
    return QuickTest("votes.test_stances", name, (stance,))


CAUGHT_BY = {
    "overtaken_votes_are_not_answered": QuickTest(
        "votes.test_overtaken_votes",
        "test_who_was_voted_out_tells_the_voters_of_a_later_round_that_it_votes_no_more",
    ),
    "overtaken_voter_objects": QuickTest(
        "votes.test_overtaken_votes",
        "test_who_has_voted_so_in_a_round_that_may_still_win_keeps_silent",
    ),
    "view_has_no_begin": QuickTest(
        "game.test_undoing",
        "test_no_seat_comes_back_by_votes_of_a_former_view_below_the_height_at_which_it_began",
        (True,),
    ),
    "unknown_proof_is_counted": QuickTest(
        "votes.test_vote_rounds", "test_a_vote_with_a_proof_that_proves_nothing_is_refused"
    ),
    "farewell_in_proof_is_overlooked": QuickTest(
        "game.test_undoing",
        "test_a_farewell_that_a_copy_refuses_counts_as_a_vote_there_all_the_same",
    ),
    "farewell_counts_behind_an_entry": QuickTest(
        "game.test_undoing",
        "test_a_farewell_in_a_proof_counts_for_nothing_behind_an_entry_of_its_seat",
    ),
    "farewell_from_behind_counts_for_nothing": QuickTest(
        "votes.test_leavers",
        "test_with_proofs_in_all_votes_a_leaver_from_behind_has_as_good_as_voted",
    ),
    "farewell_from_behind_counts_always": QuickTest(
        "votes.test_leavers",
        "test_with_one_vote_that_names_no_proof_a_leaver_from_behind_has_not_voted",
    ),
    "half_is_enough": QuickTest(
        "votes.test_vote_rounds", "test_half_of_the_live_keepers_put_out_nobody"
    ),
    "convicts_count": QuickTest(
        "votes.test_vote_rounds", "test_proofs_leave_one_honest_seat_enough", (3,)
    ),
    "former_view_is_closed": QuickTest(
        "votes.test_pledges", "test_a_pledge_is_kept_when_the_later_round_is_voted_for"
    ),
    "former_line_is_forgotten": QuickTest(
        "votes.test_pledges",
        "test_a_later_round_at_a_later_height_than_the_certificate_is_followed",
    ),
    "floor_is_ignored": QuickTest(
        "votes.test_targets",
        "test_a_voter_that_has_gone_on_joins_a_wider_accusation_where_it_has_voted",
        (1, 1),
    ),
    "rounds_never_meet": QuickTest(
        "votes.test_targets",
        "test_a_voter_that_has_gone_on_joins_the_same_accusation_in_a_later_round",
    ),
    "lost_rounds_are_used_again": QuickTest(
        "peer.test_returned",
        "test_a_vote_by_a_proof_contradicts_no_vote_that_older_files_have_lost",
    ),
    "rounds_are_followed_far_ahead": QuickTest(
        "votes.test_vote_rounds", "test_a_voter_that_is_far_ahead_is_followed_step_by_step"
    ),
    "rounds_of_the_fallen_are_followed": QuickTest(
        "votes.test_fallen", "test_nobody_follows_the_fallen_to_a_later_round"
    ),
    "locked_seat_waits_for_the_absent": QuickTest(
        "votes.test_absent_voters", "test_a_dead_machine_that_owes_its_vote_holds_nobody_up"
    ),
    "locked_seat_waits_for_nobody": QuickTest(
        "votes.test_absent_voters", "test_while_the_last_voter_is_there_its_answer_is_waited_for"
    ),
    "held_up_voters_are_accused": QuickTest(
        "votes.test_absent_voters", "test_a_dead_machine_that_owes_its_vote_holds_nobody_up"
    ),
    "late_votes_bind": QuickTest(
        "votes.test_changed_minds", "test_a_change_of_mind_long_after_binds_nobody_again"
    ),
    "old_rounds_bind": QuickTest(
        "votes.test_called_rounds", "test_voters_that_met_in_a_later_round_wait_in_no_earlier_one"
    ),
    "votes_are_used_up": QuickTest(
        "votes.test_targets", "test_no_seat_is_led_to_use_up_its_votes_about_one_matter"
    ),
    "proofs_are_left_out": QuickTest(
        "votes.test_objections",
        "test_an_objection_opens_no_lock_of_a_vote_whose_proof_it_does_not_answer",
    ),
    "objection_is_no_promise": forbidden(Stance.HOLDING, Act.VOTE_FOR_THE_PLAYER),
    "pledged_seat_votes": forbidden(Stance.PLEDGED, Act.SIGN_DROP),
    "votes_behind_itself": QuickTest(
        "peer.test_returned",
        "test_a_process_votes_by_a_proof_once_it_is_as_far_as_its_seat_has_been",
    ),
    "votes_before_it_hears": QuickTest(
        "votes.test_pledges",
        "test_after_a_restart_a_seat_votes_because_of_a_proof_only_when_it_has_heard_the_others",
    ),
    "words_are_not_waited_for": QuickTest(
        "wishes.test_intents", "test_a_vote_needs_the_words_of_all_others"
    ),
    "old_words_count": QuickTest(
        "wishes.test_intents", "test_a_word_from_before_the_game_has_moved_does_not_count"
    ),
    "minority_votes": QuickTest(
        "wishes.test_intents",
        "test_the_players_that_agree_must_be_more_than_half",
        ((2, 3, 4), False),
    ),
    "votes_at_once": QuickTest(
        "wishes.test_clocks",
        "test_a_seat_is_late_when_its_clock_has_run_out_and_votable_a_while_later",
    ),
    "lock_is_open": forbidden(Stance.LOCKED, Act.TAKE_ENTRY_OF_ACCUSED),
    "undoing_does_not_block": signing(Stance.BLOCKED),
    "blocked_seat_signs": QuickTest(
        "votes.test_stances",
        "test_a_reply_of_the_front_is_dropped_where_a_vote_has_blocked_its_seat_meanwhile",
    ),
    "blocked_seat_takes": forbidden(Stance.BLOCKED, Act.TAKE_ENTRY),
    "blocked_seat_takes_farewells": QuickTest(
        "game.test_undoing", "test_a_blocked_seat_closes_no_gather_by_a_farewell"
    ),
    "blocked_seat_waits_in_vain": QuickTest(
        "votes.test_vain_waits",
        "test_a_blocked_seat_that_lacks_the_vote_of_a_cheat_alone_answers_what_it_is_asked",
    ),
    "blocked_seat_waits_for_nobody": QuickTest(
        "votes.test_vain_waits",
        "test_a_blocked_seat_goes_on_when_the_last_honest_vote_has_come",
    ),
    "blocked_seat_closes_a_gather": QuickTest(
        "votes.test_vain_waits",
        "test_a_blocked_seat_closes_no_gather_though_it_lacks_the_vote_of_a_cheat_alone",
    ),
    "pledge_is_forgotten": QuickTest(
        "votes.test_pledges",
        "test_a_voter_of_a_later_round_follows_an_earlier_one_and_signs_nothing_there",
    ),
    "pledged_seat_signs": signing(Stance.PLEDGED),
    "pledged_seat_ends": forbidden(Stance.PLEDGED, Act.SIGN_END),
    "votes_behind_objections_are_overlooked": QuickTest(
        "votes.test_changed_minds",
        "test_an_objection_opens_no_lock_once_its_keeper_has_voted_there",
        (1,),
    ),
    "any_objection_releases": QuickTest(
        "votes.test_objections",
        "test_an_objection_opens_no_lock_of_a_vote_whose_proof_it_does_not_answer",
    ),
    "nothing_releases": QuickTest(
        "votes.test_objections", "test_an_objection_opens_the_lock_of_a_vote_without_a_proof"
    ),
    "votes_are_not_answered": QuickTest(
        "votes.test_objections",
        "test_a_vote_of_an_earlier_round_is_counted_and_objected_to",
    ),
    "voter_objects": QuickTest(
        "votes.test_objections",
        "test_a_voter_that_has_come_further_since_objects_for_the_others",
        (True,),
    ),
    "waiting_is_overlooked": QuickTest(
        "votes.test_waited_for",
        "test_a_seat_objects_for_none_of_the_accused_while_one_of_them_is_waited_for",
    ),
    "nothing_is_shown": QuickTest(
        "votes.test_showing", "test_a_vote_that_is_sent_again_and_again_is_shown_an_entry_once"
    ),
    "objections_name_no_proof": QuickTest(
        "votes.test_objections",
        "test_a_vote_that_cannot_be_counted_is_answered_again_on_a_new_link",
    ),
    "objections_are_not_kept": QuickTest(
        "votes.test_objections", "test_an_objection_opens_the_lock_of_a_vote_without_a_proof"
    ),
    "nothing_is_passed_over": QuickTest(
        "votes.test_objections",
        "test_after_a_vote_in_vain_at_a_fork_the_next_is_where_the_cheat_is_asked",
    ),
    "undone_line_counts": QuickTest(
        "wishes.test_open_votes",
        "test_a_proof_about_an_undone_line_convicts_nobody_in_an_open_vote",
        ((2, 3, 4),),
    ),
}


@pytest.mark.parametrize("name", VOTE_BUGS)
def test_a_bug_in_the_votes_is_caught(name: str) -> None:
    CAUGHT_BY[name].run()
    with VOTE_BUGS[name].plant(), pytest.raises((AssertionError, pytest.fail.Exception)):
        CAUGHT_BY[name].run()


def test_a_bug_is_planted_for_every_rule_of_signing_and_locks() -> None:
    rules = {rule for bug in VOTE_BUGS.values() for rule in bug.rule.split(", ")}
    assert {f"R{n}" for n in (4, 6, 7, *range(9, 23))} <= rules
