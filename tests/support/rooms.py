"""The rooms of each package, in the order in which they may import each other."""

ROOMS = {
    "referee": ("model", "box", "table", "rules", "cards", "game"),
    "kotp2p": (
        "wire",
        "rendezvous",
        "game",
        "seams",
        "store",
        "mesh",
        "lobby",
        "net",
        "lineup",
        "peer",
        "shell",
        "extras",
        "__main__",
    ),
    "cli": (
        "text",
        "ask",
        "system",
        "ui",
        "commands",
        "command_table",
        "main",
        "start",
        "extras",
    ),
}
"""By package, the lowest room first. A room imports only rooms before it. A module that stands
beside the rooms counts as one."""
