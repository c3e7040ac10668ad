"""What a player is told of the router."""

from __future__ import annotations

import pytest

from cli.text.router_words import describe_router
from kotp2p.router_notices import LetsIn, RouterAsked, RouterClosed, RouterFault, RouterOpened


def test_who_can_reach_an_open_port_is_said() -> None:
    reach, who = describe_router(RouterOpened(4242, "8.8.4.4", LetsIn.INVITED))
    assert "8.8.4.4" in reach and "whole internet" in reach and "4242" in reach
    assert "have the invitation" in who
    said = {describe_router(RouterOpened(4242, "8.8.4.4", who))[1] for who in LetsIn}
    assert len(said) == len(LetsIn)
    assert "Anybody" in describe_router(RouterOpened(4242, "8.8.4.4", LetsIn.ALL))[1]
    assert "4242" in describe_router(RouterAsked(4242))[0]


@pytest.mark.parametrize(
    ("fault", "detail", "words"),
    [
        (RouterFault.NO_ANSWER, "silence", "switch UPnP on"),
        (RouterFault.REFUSED, "Action not authorized", "(Action not authorized)"),
        (RouterFault.TAKEN, "192.168.1.30", "to 192.168.1.30 already"),
        (RouterFault.TAKEN, "", "another machine already"),
        (RouterFault.NOT_PUBLIC, "", "no public address"),
        (RouterFault.NOT_PUBLIC, "100.64.0.5", "Your provider shares one public address"),
        (RouterFault.NOT_PUBLIC, "100.127.255.1", "Your provider shares one public address"),
        (RouterFault.NOT_PUBLIC, "192.168.178.20", "private address 192.168.178.20"),
    ],
)
def test_why_it_leads_nowhere_and_what_goes_on(fault: RouterFault, detail: str, words: str) -> None:
    first, still = describe_router(RouterClosed(4242, fault, detail))
    assert words in first
    assert "join all the same" in still


def test_a_port_that_was_open_is_told_as_a_loss_and_ipv6_as_a_way() -> None:
    lost, why, way = describe_router(
        RouterClosed(4242, RouterFault.NO_ANSWER, was_open=True, ipv6="2606:4700::7")
    )
    assert "no longer" in lost
    assert "UPnP" in why
    assert "2606:4700::7" in way
