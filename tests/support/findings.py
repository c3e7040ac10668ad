"""Findings of `kotp2p doctor`: each kind, with each of its forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cli.text import network_findings as network
from cli.text import peer_findings as peer
from cli.text.finding import Finding, Part
from cli.text.firewall_words import FirewallKind, Verdict, opening_command
from cli.text.no_answer import NoAnswer

NETWORK: Sequence[Finding] = (
    network.Address("eth0", "192.168.1.20", is_bridge=False, is_private=True),
    network.Address("docker0", "172.17.0.1", is_bridge=True, is_private=True),
    network.Address("wan0", "203.0.113.5", is_bridge=False, is_private=False),
    network.NoAddress(),
    *(network.Port(4242, use) for use in network.PortUse),
    *(
        network.FirewallSeen(
            FirewallKind.UFW, verdict, 4242, opening_command(FirewallKind.UFW, 4242, "python3")
        )
        for verdict in Verdict
    ),
    network.NoFirewall(),
    network.Multicast("eth0", is_heard=True, others=2),
    network.Multicast("eth0", is_heard=True, others=0),
    network.Multicast("eth0", is_heard=False, others=0),
    network.Multicast("eth0", is_heard=False, others=0, fault="Address already in use"),
)
PEER: Sequence[Finding] = (
    peer.Route("kitchen", "eth0", "192.168.1.20"),
    peer.Route("kitchen", "", ""),
    peer.UnknownName("kitchen"),
    peer.Tcp("kitchen", 4242),
    peer.NoTcp("kitchen", 4242, None),
    *(peer.NoTcp("kitchen", 4242, why, "eth0") for why in NoAnswer if why != NoAnswer.NO_ROUTE),
    *(peer.Tls(door) for door in peer.DoorState),
    peer.Version("5.2", "5.2"),
    peer.Version("6.1", "5.2"),
    peer.Version("4.9", "5.2"),
    peer.Closed("the game has begun"),
)
"""Without a route nobody has tried to connect."""
FINDINGS: Mapping[Part, Sequence[Finding]] = {Part.NETWORK: NETWORK, Part.PEER: PEER}
