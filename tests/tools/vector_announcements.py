"""Announcements on the LAN (PROTOCOL.md 6.4)."""

from kotp2p.wire.addresses import Poster, txt_properties


def announcements() -> dict[str, object]:
    poster = Poster("Ana", "second", 6, 4, 4242, code_number=7412)
    return {"record": txt_properties(poster)}
