"""A peer: makes several referees agree on one game, without a server."""
