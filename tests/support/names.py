"""Names that are names, strings that are none, and names that look alike (PROTOCOL.md 2.1)."""

import hashlib

from kotp2p.wire.names import is_name, looks_of
from tests.support.paths import ROOT

NAMES = [
    "Ana", "Zoë", "Łukasz", "Nguyễn Văn A", "Ẹ́niọlá", "O'Neil-Smith", "J. R. R. Tolkien",
    "Rex Jr.", "x_99", "3rd Ana", "l", "Νίκος", "Ὀδυσσεύς", "Вова", "Ѓорѓи", "Արամ", "გიორგი",
    "דנה", "سارا", "އަޙްމަދު", "अनुष्का", "অনন্যা", "ਗੁਰਪ੍ਰੀਤ", "આરતી", "தமிழ்", "తెలుగు",
    "ಕನ್ನಡ", "മലയാളം", "සිංහල", "สมชาย", "ລາວ", "བསྟན འཛིན", "မြို့", "አበበ", "សុខា", "美咲", "さくら",
    "ジェーン", "ー", "Ken田中", "ㄅㄆㄇ", "Lee李ㄅ", "지우", "金Kim지우", "𠮷野", "x" * 24,
    "美" * 12,    "地" * 11 + "ab", "rex 2", "Kid", "Mia-Lou", "Ali the Great", "Mr Nobody",
    "You-Know-Who", "Youssef", "Yoursy", "Hostess", "Game Over", "Tokyo Drift", "Seat Leon",
    "Table Tom", "Noone-Smith", "Rock and Roll",
]  # fmt: skip
"""Each is a name of its own: no two are alike."""

NO_NAMES = {
    "nothing": "",
    "a space": " ",
    "only digits": "42",
    "only a mark": "\u0301",
    "only signs": "-.-",
    "a space before it": " Ana",
    "a space behind it": "Ana ",
    "two spaces": "Ana  Maria",
    "a hyphen at the end": "Ana-",
    "two hyphens": "Ana--Maria",
    "a full stop before it": ".Ana",
    "two full stops at the end": "Ana..",
    "a comma": "Rex, Ana",
    "a bracket": "Rex (you)",
    "a colon": "Rex: I give up",
    "an exclamation mark": "Rex!",
    "a quotation mark": 'Rex "the King"',
    "a slash": "Rex/Ana",
    "an emoji": "Rex\U0001f996",
    "a heart": "Rex\u2665",
    "a curly apostrophe": "O\u2019Neil",
    "a middle dot": "Gal\u00b7la",
    "a no-break space": "A\u00a0b",
    "a newline": "Ana\nRex rolls",
    "an escape sequence": "a\x1b[2J",
    "a right-to-left override": "a\u202eb",
    "a zero-width joiner": "\u0915\u094d\u200d\u0937",
    "a zero-width space": "Re\u200bx",
    "a soft hyphen": "Re\u00adx",
    "a variation selector": "Ana\ufe0f",
    "an unassigned character": "Rex\u2d7f",
    "an unassigned character beyond": "Rex\U0001107f",
    "half of a Hangul syllable": "Rex\ud7b0",
    "a Hangul letter alone": "\u1112",
    "a Hangul filler": "\u3164",
    "a braille blank": "\u2800",
    "a Khmer vowel that nobody sees": "\u179f\u17b4",
    "a combining grapheme joiner": "Ana\u034f",
    "a stroke over a letter": "Re\u0338x",
    "three marks on a letter": "x\u0323\u032e\u0301",
    "one mark twice": "x\u032d\u032d",
    "a mark on a digit": "Ana 1\u0301",
    "a mark of another script": "\u05d0\u0301",
    "a vowel of another script": "a\u093f",
    "five Burmese marks": "\u1019\u103c\u102d\u102f\u1037\u1032",
    "decomposed": "e\u0301",
    "compatibility letters": "\uff21\uff4e\uff41",
    "a mathematical letter": "\U0001d400na",
    "a ligature": "\ufb01n",
    "a Roman numeral": "Ana \u2171",
    "Latin with a Cyrillic letter": "R\u0435x",
    "Latin with a Greek letter": "R\u03bfx",
    "Cyrillic with Greek": "\u0412\u03bf\u0432\u0430",
    "kana with Hangul": "\u3055\uc9c0",
    "Bopomofo with kana": "\u3105\u3055",
    "Cherokee": "\u13a1\u13a0",
    "Cherokee with Latin": "\u13a1ex",
    "Lisu": "\ua4ee\ua4e0\ua4ee",
    "Lisu with Latin": "\ua4eena",
    "a click that looks like l": "A\u01c0i",
    "Arabic digits": "Ana \u0661",
    "Devanagari digits": "\u0905\u0966",
    "a letter of Unicode 15": "\U00031350",
    "a word for its reader": "You",
    "with a nought": "Y0u",
    "with an accent": "Yo\u00fa",
    "with signs": "Y.o-u.",
    "with a number": "yourself 2",
    "with a number at once": "YOURS77",
    "a word for its reader, and more": "You too",
    "with a number, and more": "You 2 too",
    "a word for nobody": "Nobody",
    "a word for nobody, and more": "NOB0DY else",
    "two words for nobody": "No one",
    "two words for nobody as one": "noone",
    "a word for anybody": "Somebody 9",
    "a word for all": "Everyone here",
    "two words for all": "All players",
    "the game": "The game",
    "the game, and more": "The game is over",
    "the game in another form": "The-Garne",
    "the host": "the host 1",
    "the others": "the 0thers left",
    "a thing of the game": "Table",
    "a seat by its number": "Seat 2",
    "a place": "TOKYO",
    "another place": "Tokyo Bay",
    "25 letters": "x" * 25,
    "26 columns": "\u7f8e" * 13,
    "25 columns": "\u7f8e" * 12 + "a",
}  # fmt: skip

ALIKE = [
    ("ʀex", "Rex"), ("ƦEX", "Rex"), ("آدم", "ادم"), ("ɲam", "Nam"),
    ("Ana", "ANA"), ("Ana", "A na"), ("Ana", "A.n-a"), ("Rex", "Rex."), ("Ana", "Aná"),
    ("Zoë", "ZOE"), ("Bob", "B0b"), ("BOB", "ВОВ"), ("Rex", "R3x"), ("Oli", "0l1"),
    ("Lili", "1iIl"), ("Kim", "Kirn"), ("Tim", "Tım"), ("Øyvind", "Oyvind"), ("Łukasz", "lukasz"),
    ("sOS", "5o5"), ("Вова", "вова"), ("cap", "сар"), ("TOM", "ТОМ"), ("HAHA", "НАНА"),
    ("ZOE", "ΖΟΕ"), ("ΥΠΑΤΙΑ", "υπατια"), ("Νίκος", "νικοσ"), ("Aon", "Αοη"), ("エロ", "工口"),
    ("タカ", "夕力"), ("Mina", "rnina"), ("Wim", "vvim"), ("ß", "ss"), ("Ӏ", "l"), ("Оо", "Օօ"),
    ("地二", "地ニ"),
]  # fmt: skip
"""Pairs that people could take for one another."""


def names() -> dict[str, object]:
    """The vectors of names, as strings."""
    assert all(is_name(name) for name in NAMES)
    assert not any(is_name(text) for text in NO_NAMES.values())
    assert all(is_name(one) and is_name(other) for one, other in ALIKE)
    table = (ROOT / "kotp2p" / "names.txt").read_bytes()
    return {
        "SHA-256 of kotp2p/names.txt": hashlib.sha256(table).hexdigest(),
        "names": {name: list(looks_of(name)) for name in NAMES},
        "refused": NO_NAMES,
        "alike": [[*pair, *(list(looks_of(name)) for name in pair)] for pair in ALIKE],
    }
