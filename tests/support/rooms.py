"""The rooms of each package, in the order in which they may import each other."""

from __future__ import annotations

ROOMS = {
    "referee": ("model", "box", "table", "rules", "cards", "game", "reading"),
    "kotp2p": (
        "state_table",
        "budgets",
        "wire",
        "game",
        "recording",
        "seat_view",
        "absence_notices",
        "start_notices",
        "lobby_refusals",
        "watch_notices",
        "notices",
        "own_faults",
        "front",
        "watch_offer",
        "file_fault",
        "world",
        "endings",
        "bots",
        "store",
        "mesh",
        "lobby",
        "watching",
        "net",
        "lineup",
        "peer",
        "shell",
        "extras",
        "__main__",
    ),
    "cli": (
        "pictures",
        "text",
        "ask",
        "system",
        "ui",
        "commands",
        "flags",
        "command_table",
        "main",
        "start",
        "extras",
    ),
}
"""By package, the lowest room first. A room imports only rooms before it. A module that stands
beside the rooms counts as one."""
