"""The command line of a tool: its docstring is its help."""

import argparse


def tool_parser(name: str, about: str | None) -> argparse.ArgumentParser:
    """Return a parser for `python -m NAME`."""
    return argparse.ArgumentParser(
        prog=f"python -m {name}",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
