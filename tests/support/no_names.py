"""No test looks a name up: it could reach a server of others, such as those of a code."""

import ipaddress
import socket
from typing import Any

_look_up = socket.getaddrinfo


def forbid_names() -> None:
    """From now on this process, and those that it forks, know no name but that of loopback."""
    socket.getaddrinfo = _only_literals


def _only_literals(host: Any, *args: Any, **kwargs: Any) -> Any:
    if not _is_literal(host):
        raise socket.gaierror(socket.EAI_NONAME, f"a test looks {host!r} up")
    return _look_up(host, *args, **kwargs)


def _is_literal(host: object) -> bool:
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host in (None, "", "localhost"):
        return True
    try:
        ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return False
    return True
