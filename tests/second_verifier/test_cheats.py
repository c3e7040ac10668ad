"""Both verifiers say the same about logs of cheats; `tests.tools.both_verifiers` tries more."""

from __future__ import annotations

import pytest

from tests.tools.both_verifiers import of_a_game, of_a_strife


@pytest.mark.parametrize("seed", (7700000,))
def test_both_say_the_same_of_the_logs_of_a_game_with_cheats(seed: int) -> None:
    assert list(of_a_game(seed)) == []


@pytest.mark.parametrize("seed", (1001, 1020, 1047, 1078))
def test_both_say_the_same_of_line_ups_leaves_and_proofs_at_random(seed: int) -> None:
    assert list(of_a_strife(seed, tries=40)) == []


@pytest.mark.parametrize("seed", (1225, 1263))
def test_both_say_the_same_of_offences_at_a_kept_gather_and_at_the_end(seed: int) -> None:
    assert list(of_a_strife(seed)) == []
