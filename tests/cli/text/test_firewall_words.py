"""Firewalls, and the command that opens a port in each."""

from kotp2p.cli.text.how_to_join import FirewallKind, opening_command


def test_each_firewall_has_a_command_for_the_port() -> None:
    said = {opening_command(kind, 4243, "/usr/bin/python3") for kind in FirewallKind}
    assert len(said) == len(FirewallKind)
    assert all("4243" in one or "python3" in one for one in said)
