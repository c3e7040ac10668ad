"""Names that an open table can have on the LAN, and strings that are none (PROTOCOL.md 6.4)."""

from __future__ import annotations

TABLE_NAMES = ["kangaroo umbrella", "alligator anteater", "workshop wristwatch"]

NO_TABLE_NAMES = {
    "one word": "kangaroo",
    "three words": "kangaroo teaspoon umbrella",
    "descending": "umbrella kangaroo",
    "one word twice": "kangaroo kangaroo",
    "a capital letter": "Kangaroo umbrella",
    "two spaces": "kangaroo  umbrella",
    "a space before it": " kangaroo umbrella",
    "a space behind it": "kangaroo umbrella ",
    "a hyphen": "kangaroo-umbrella",
    "words of the table phrase": "lemon train",
    "an escape sequence": "kangaroo\x1b[2J umbrella",
    "a newline": "kangaroo\numbrella",
    "a right-to-left override": "kangaroo \u202eumbrella",
    "a letter that looks like another": "kangaroo umbrell\u0430",
}
