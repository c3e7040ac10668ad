"""The sixty hostile inputs that this program was planned against, and where each is tried.

`in_` names files or tests (`file::test`); an empty one says why there is none. Frames are tried
by `tests.tools.fuzz` once more.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Input:
    number: int
    what: str
    in_: tuple[str, ...]
    why_not: str = ""


FRAMES, TABLE = "hostile/test_frames.py::", "hostile/test_table.py::"
FILES, SOCKETS = "hostile/test_files.py::", "hostile/test_sockets.py::"
STRANGERS, CRYPTO = "whole_tables/test_garbage.py::", "kotp2p/wire/test_crypto.py::"
LOG, RESUME, DOORS = (
    "kotp2p/game/test_verify.py::",
    "whole_tables/test_resume.py::",
    "processes/test_doors.py::",
)
TLS, LINKS = "kotp2p/net/test_tls.py::", "hostile/test_links.py::"

INPUTS = (
    Input(1, "connects and says nothing", (
        f"{STRANGERS}test_garbage_costs_its_sender_the_link",
        f"{TLS}test_a_silent_stranger_is_cut_after_the_time_of_a_handshake",
    )),
    Input(2, "sends a byte now and then", (f"{TLS}test_one_byte_now_and_then_does_not_buy_time",)),
    Input(3, "a thousand connections", (
        f"{STRANGERS}test_a_crowd_of_silent_strangers_does_not_keep_the_players_out",
        "kotp2p/net/test_connections.py::test_strangers_are_held_in_small_numbers",
        "kotp2p/net/test_connections.py::test_a_flood_costs_a_game_little",
        f"{SOCKETS}crowds",
    )),
    Input(4, "resets before it is accepted", (f"{SOCKETS}resets_before_it_is_accepted",)),
    Input(5, "resets in a frame", (f"{SOCKETS}resets_in_the_middle_of_a_frame",)),
    Input(6, "ends in a frame", (f"{SOCKETS}ends_in_the_middle_of_a_frame",)),
    Input(7, "takes all descriptors", (
        f"{SOCKETS}test_players_sit_down_after_all_descriptors_were_taken",
    )),
    Input(8, "length 0", (f"{FRAMES}test_announces_a_frame_of_no_length_or_of_4_gib",)),
    Input(9, "length 65,537", (f"{FRAMES}test_announces_a_frame_of_no_length_or_of_4_gib",)),
    Input(10, "length 2^32 - 1", (f"{FRAMES}test_announces_a_frame_of_no_length_or_of_4_gib",)),
    Input(11, "a frame byte by byte", (f"{FRAMES}test_sends_every_frame_byte_by_byte",)),
    Input(12, "a thousand frames at once", (
        f"{STRANGERS}test_a_peer_that_asks_without_end_is_not_answered_without_end",
        f"{TABLE}test_talks_without_end",
        f"{LINKS}test_sends_a_thousand_frames_at_once",
    )),
    Input(13, "64 KiB of empty arrays", (f"{FRAMES}test_sends_64_kib_that_swell",)),
    Input(14, "a tower of arrays", (f"{FRAMES}test_sends_64_kib_that_swell",)),
    Input(15, "what is not canonical", (
        "kotp2p/wire/test_encoding.py::test_bytes_that_no_peer_writes_are_refused",
        f"{FRAMES}test_puts_every_wrong_thing_into_every_place_of_every_frame",
    )),
    Input(16, "wrong types", (
        f"{FRAMES}test_puts_every_wrong_thing_into_every_place_of_every_frame",
        f"{FRAMES}test_puts_every_wrong_thing_into_every_place_of_every_body",
    )),
    Input(17, "another protocol", (
        f"{FRAMES}test_speaks_another_protocol", f"{SOCKETS}speaks_something_else",
    )),
    Input(18, "stops reading", (f"{LINKS}test_stops_reading",)),
    Input(19, "a key that is not at the table", (
        f"{STRANGERS}test_a_stranger_with_another_key_gets_no_link_to_a_game",
    )),
    Input(20, "a key without its signature", (
        f"{TLS}test_somebody_in_the_middle_cannot_pass_proofs_on",
        f"{TABLE}test_says_in_the_name_of_another",
    )),
    Input(21, "an old handshake again", (), "both nonces are new for each link, and signed"),
    Input(22, "our own hello", (
        f"{LINKS}test_sends_everything_back_that_it_is_sent",
    )),
    Input(23, "somebody in the middle", (
        f"{TLS}test_somebody_in_the_middle_cannot_pass_proofs_on",
    )),
    Input(24, "keys of small order", (f"{CRYPTO}test_a_key_that_proves_nothing_is_refused",)),
    Input(25, "signatures of other form", (
        f"{CRYPTO}test_a_signature_with_another_s_is_refused",
        f"{FRAMES}test_signs_with_too_few_or_too_many_bytes",
    )),
    Input(26, "the vectors of speccheck", (), "its keys and signatures are not among our vectors"),
    Input(27, "another game", (f"{TABLE}test_replays_what_was_signed_in_another_game",)),
    Input(28, "another version", (f"{DOORS}test_another_version_names_both",)),
    Input(29, "one key twice", ("processes/test_games.py::test_two_terminals_of_one_person",)),
    Input(30, "a link to oneself", (), "the host hangs up on its own key"),
    Input(31, "a height that no game has", (
        f"{FRAMES}test_claims_to_be_at_a_height_that_no_game_has",
    )),
    Input(32, "a good hello, then nothing", (
        f"{TLS}test_a_silent_stranger_is_cut_after_the_time_of_a_handshake",
    )),
    Input(33, "two entries for one place", ("processes/test_cheats.py::test_a_cheat_is_named",)),
    Input(34, "opens something else", ("processes/test_cheats.py::test_a_cheat_is_named",)),
    Input(35, "never opens", (
        "hostile/test_line_ups.py::test_who_refuses_a_roll_is_named_and_a_bot_plays_its_seat",
    )),
    Input(36, "copies a commitment", ("processes/test_cheats.py::test_a_cheat_is_named",)),
    Input(37, "an illegal move", ("processes/test_cheats.py::test_a_cheat_is_named",)),
    Input(38, "a bit turned on the way", (f"{TABLE}test_passes_on_an_entry_with_a_bit_turned",)),
    Input(39, "old entries, and of other games", (
        f"{TABLE}test_says_everything_twice",
        f"{TABLE}test_replays_what_was_signed_in_another_game",
    )),
    Input(40, "a longer past of its own", (f"{TABLE}test_signs_ahead_without_end",)),
    Input(41, "signs that deceive a terminal", (
        f"{TABLE}test_says_what_could_deceive_a_terminal",
        "kotp2p/wire/test_encoding.py::test_a_text_that_could_deceive_a_terminal_is_refused",
    )),
    Input(42, "asks for everything without end", (
        f"{STRANGERS}test_a_peer_that_asks_without_end_is_not_answered_without_end",
    )),
    Input(43, "a log cut anywhere", (
        f"{LOG}test_a_log_cut_anywhere_is_unfinished_and_in_the_head_unreadable",
        f"{RESUME}test_an_older_or_torn_log_is_made_whole_by_the_others",
    )),
    Input(44, "zeros behind it", (f"{LOG}test_zeros_behind_the_last_record_are_a_torn_tail",)),
    Input(45, "noise behind it", ("tools/fuzz/logs.py::bytes_changed",)),
    Input(46, "a turned bit", (f"{LOG}test_every_flipped_byte_is_found_in_its_record",)),
    Input(47, "records moved, checksums right", (
        f"{LOG}test_repeated_or_removed_records_are_found_though_all_checksums_are_right",
    )),
    Input(48, "signed by somebody else", (
        f"{FILES}test_signs_the_entry_of_another_seat_with_its_own_key",
    )),
    Input(49, "another head", (f"{FILES}test_each_kind_of_wrong_head_has_a_reason_of_its_own",)),
    Input(50, "no file, or one without end", (
        f"{FILES}test_offers_as_a_log_what_has_no_end_or_is_no_file",
        f"{FILES}test_writes_a_length_that_no_record_has_with_a_right_checksum",
    )),
    Input(51, "two processes, one game", (f"{RESUME}test_one_process_plays_a_game",)),
    Input(52, "a full disk", (
        f"{RESUME}test_a_full_disk_ends_this_seat_with_the_reason_and_it_can_come_back",
    )),
    Input(53, "an older copy", (f"{RESUME}test_an_older_or_torn_log_is_made_whole_by_the_others",)),
    Input(54, "flags that do not exist", ("cli/test_main.py::test_slips_are_named",)),
    Input(55, "a taken port", (f"{DOORS}test_a_taken_port_is_not_the_end",)),
    Input(56, "half an invitation", (
        "kotp2p/net/test_invitation.py::test_what_is_no_link",
        f"{FILES}test_hands_over_an_invitation_without_end",
    )),
    Input(57, "a key twice at a table, or not ours", (
        "tools/fuzz/lobbies.py::", "tools/fuzz/decoders.py::",
    )),
    Input(58, "a key that is none", (
        f"{FILES}test_leaves_a_key_for_the_profile_that_is_none",
        f"{FILES}test_leaves_a_key_that_is_none",
    )),
    Input(59, "signals and closed windows", (
        "processes/test_signals.py::", "processes/test_closed_windows.py::",
    )),
    Input(60, "logs of other versions", (
        f"{FILES}test_each_kind_of_wrong_head_has_a_reason_of_its_own",
        "kotp2p/game/test_golden_logs.py::",
    )),
)  # fmt: skip
