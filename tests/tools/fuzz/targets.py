"""What is fuzzed, and how much of a run goes to each."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.tools.fuzz import decoders, evidence, exports, lobbies, logs, peers, table, watching


@dataclass(frozen=True, slots=True)
class Target:
    run: Callable[[random.Random, int], int]
    """So many inputs; how many of them were taken. An error is what is looked for."""
    share: float
    """Of the inputs that are asked for."""
    chunk: int
    """Inputs of one chunk."""


TARGETS = {
    "frames": Target(decoders.frames, 0.5, 100_000),
    "bodies": Target(decoders.bodies, 0.4, 100_000),
    "pieces": Target(decoders.pieces, 0.1, 50_000),
    "reader": Target(logs.readers, 0.1, 20_000),
    "verifier": Target(logs.verified, 0.001, 250),
    "evidence": Target(evidence.examined, 0.002, 1_000),
    "ledger": Target(table.lies, 0.1, 10_000),
    "peer": Target(peers.lies, 0.01, 2_000),
    "export": Target(exports.changed_logs, 0.001, 250),
    "watching": Target(watching.watched, 0.001, 250),
    "lobby": Target(lobbies.changed, 0.01, 2_000),
}
