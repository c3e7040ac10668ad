"""Vectors of what must be refused: keys that prove nothing, signatures with a second form, texts
that steer a terminal or that nobody sees. What another client takes here would divide a table.
"""

from kotp2p.wire.crypto import Signer, Tag, check_key, is_valid_signature
from kotp2p.wire.encoding import BadBytes, pack, text, unpack
from kotp2p.wire.names import MAX_NAME_LENGTH

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the base point: S of a signature is below it."""
ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022
HONEST = Signer(bytes((1,)) * 32)


def point(y: int, sign: int = 0) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


WEAK = {
    "order 1": point(1),
    "order 1, sign bit set": point(1, 1),
    "order 2": point(P - 1),
    "order 2, sign bit set": point(P - 1, 1),
    "order 4": point(0),
    "order 4, sign bit set": point(0, 1),
    "order 8": point(ORDER_8),
    "order 8, sign bit set": point(ORDER_8, 1),
    "order 8, the other": point(P - ORDER_8),
    "order 8, the other, sign bit set": point(P - ORDER_8, 1),
    "y = p": point(P),
    "y = p, sign bit set": point(P, 1),
    "y = p + 1, order 1 once more": point(P + 1),
    "y = p + 1, sign bit set": point(P + 1, 1),
    "the greatest number": point(2**255 - 1, 1),
    "31 bytes": point(3)[:31],
    "33 bytes": point(3) + b"\0",
}


def bad_signatures() -> dict[str, bytes]:
    """Of HONEST, over 'body' as kotp2p/play/1: each is refused."""
    good = HONEST.sign(Tag.PLAY, b"body")
    s = int.from_bytes(good[32:], "little")
    return {
        "S + L": good[:32] + (s + ORDER).to_bytes(32, "little"),
        "S + 2L": good[:32] + (s + 2 * ORDER).to_bytes(32, "little"),
        "S with a top bit": good[:-1] + bytes((good[-1] | 0x80,)),
        "R of order 1, S = 0": point(1) + bytes(32),
        "R turned round": good[:31] + bytes((good[31] ^ 0x80,)) + good[32:],
        "63 bytes": good[:63],
        "65 bytes": good + b"\0",
        "of another tag": HONEST.sign(Tag.LINE_UP, b"body"),
        "of another body": HONEST.sign(Tag.PLAY, b"bodY"),
    }


def keys() -> dict[str, object]:
    good = HONEST.sign(Tag.PLAY, b"body")
    assert is_valid_signature(check_key(HONEST.key), Tag.PLAY, b"body", good)
    bad = bad_signatures()
    for name, signature in bad.items():
        assert not is_valid_signature(HONEST.key, Tag.PLAY, b"body", signature), name
    for name, key in WEAK.items():
        try:
            check_key(key)
        except BadBytes:
            continue
        raise AssertionError(name)
    return {
        "key": HONEST.key.hex(),
        "signature of 'body' as kotp2p/play/1": good.hex(),
        "refused signatures": {name: signature.hex() for name, signature in bad.items()},
        "refused keys": {name: key.hex() for name, key in WEAK.items()},
    }


DECEIVING = {
    "erase the screen": "a\x1b[2J",
    "write the clipboard (OSC 52)": "\x1b]52;c;aGk=\x07",
    "a link (OSC 8)": "\x1b]8;;http://x\x1b\\a",
    "an OSC without end": "\x1b]0;title",
    "a question to the terminal": "\x1b[6n",
    "CSI in 8 bits": "a\x9b2J",
    "OSC in 8 bits": "\x9d0;title\x9c",
    "DCS in 8 bits": "\x90q",
    "NUL": "a\0",
    "BEL": "a\x07",
    "backspace": "ab\x08",
    "carriage return": "Rex\rAna",
    "newline": "Ana\nRex rolls",
    "tab": "a\tb",
    "DEL": "a\x7f",
    "NEL": "a\x85b",
    "line separator": "a\u2028b",
    "paragraph separator": "a\u2029b",
    "no-break space": "a\u00a0b",
    "ideographic space": "a\u3000b",
    "a character of Unicode 15": "a\U0001fae8",
    "a character of Unicode 16": "a\U0001fae9",
    "right-to-left override": "a\u202eb",
    "left-to-right isolate": "a\u2066b",
    "right-to-left mark": "a\u200f",
    "Arabic letter mark": "a\u061c",
    "zero-width space": "a\u200bb",
    "zero-width joiner": "a\u200db",
    "word joiner": "a\u2060b",
    "byte order mark": "\ufeffa",
    "soft hyphen": "a\u00adb",
    "tag letter": "a\U000e0041",
    "combining grapheme joiner": "Ana\u034f",
    "variation selector": "Ana\ufe0f",
    "variation selector beyond": "Ana\U000e0100",
    "Mongolian variation selector": "Ana\u180b",
    "Hangul filler": "\u3164",
    "Hangul filler, halfwidth": "\uffa0",
    "Hangul jamo filler": "\u115f",
    "Khmer vowel that is not seen": "Ana\u17b5",
    "empty braille": "\u2800",
    "private use": "\ue000",
    "no character": "\uffff",
    "decomposed": "e\u0301",
    "25 characters": "x" * 25,
}
BROKEN = {
    "half of a surrogate pair": "a3eda080",
    "an overlong slash": "a2c0af",
    "beyond Unicode": "a4f4908080",
    "an unfinished letter": "a1c3",
    "as bytes": "c403416e61",
    "as str8": "d903416e61",
}


def texts() -> dict[str, object]:
    """As names: msgpack strings of at most 24 characters."""
    good = ["", "Ana", "Zoë", "Łukasz", "Νίκος", "Вова", "سارا", "דנה", "美咲", "지우", "👾", "a b"]
    bad = {name: pack(words).hex() for name, words in DECEIVING.items()} | BROKEN
    for words in good:
        assert text(unpack(pack(words)), MAX_NAME_LENGTH) == words
    for name, data in bad.items():
        try:
            text(unpack(bytes.fromhex(data)), MAX_NAME_LENGTH)
        except BadBytes:
            continue
        raise AssertionError(name)
    return {"accepted": [pack(words).hex() for words in good], "refused": bad}
