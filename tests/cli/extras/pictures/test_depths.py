"""The nearest of sixteen colours."""

import pytest

from kotp2p.cli.extras.pictures.portraits import SIXTEEN, colour_in
from kotp2p.cli.system.options import Depth


@pytest.mark.parametrize("name", SIXTEEN)
def test_each_of_the_sixteen_is_itself(name: str) -> None:
    colour = "#" + bytes(SIXTEEN[name]).hex()
    assert colour_in(Depth.SIXTEEN, colour) == name


def test_a_green_between_two_greys_stays_green() -> None:
    assert colour_in(Depth.SIXTEEN, "#3fa34d") == "ansigreen"


def test_with_more_colours_the_colour_stays_as_it_is() -> None:
    assert colour_in(Depth.MANY, "#3fa34d") == "#3fa34d"
