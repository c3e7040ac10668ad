// Names, and which of them are alike: PROTOCOL 2.1, with the list that the page carries.

const TWO_COLUMNS = ["Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"];
const SCRIPTS_TOGETHER = [
  ["Latin", "Han", "Hiragana", "Katakana"], ["Latin", "Han", "Hangul"], ["Latin", "Han", "Bopomofo"],
];
const NAME_SIGNS = " -'._\u200c";
const EUROPEAN = "Latin,Greek,Cyrillic";
const RESERVED = [
  "game", "host", "none", "nothing", "others", "players", "seat", "table", "tokyo", "tokyo bay",
  "tokyo city",
];
const RESERVED_IN_FRONT = [
  "all players", "anybody", "anyone", "everybody", "everyone", "no one", "nobody", "somebody",
  "someone", "the game", "the host", "the others", "the players", "the table", "you", "your", "yours",
  "yourself",
];

// `letters` and `marks`: rows of [scripts, ranges]. `looks`: by sign, both looks.
const nameList = once(() => {
  const found = { letters: [], marks: [], looks: new Map() };
  for (const line of listText("names").split("\n")) {
    const [what, ...words] = line.split(" ");
    if (what === "letters" || what === "marks") {
      found[what].push([words[0], readRanges(words.slice(1))]);
    } else if (what === "look") {
      const [sign, first, second] = words.map((points) =>
        points.split(".").map((point) => String.fromCodePoint(parseInt(point, 16))).join(""));
      found.looks.set(sign, [first, second ?? first]);
    }
  }
  return found;
});

// The scripts of a sign, with commas, or undefined.
function scriptsOf(sign, rows) {
  return rows.find(([, ranges]) => isInRanges(sign.codePointAt(0), ranges))?.[0];
}

function isName(text) {
  const signs = [...text];
  let form = "";  // a sign for each: l letter, e European mark, m other mark, d digit, or as it stands
  const scripts = [];
  for (const [i, sign] of signs.entries()) {
    const letter = scriptsOf(sign, nameList().letters);
    const mark = scriptsOf(sign, nameList().marks);
    if (letter !== undefined) {
      scripts.push(letter.split(","));
      form += "l";
    } else if (mark !== undefined) {
      const below = scripts.at(-1) ?? [];
      if (!mark.split(",").some((script) => below.includes(script)) || signs[i - 1] === sign) return false;
      form += mark === EUROPEAN ? "e" : "m";
    } else if (/[0-9]/.test(sign)) {
      form += "d";
    } else if (NAME_SIGNS.includes(sign)) {
      form += sign;
    } else {
      return false;
    }
  }
  const wide = scripts.filter((letter) => letter.some((script) => TWO_COLUMNS.includes(script)));
  return (
    isPrintable(text) &&
    signs.length + wide.length <= 24 &&
    /^(?:d|l(?:e{0,2}|m{0,4}))(?:(?:\. |[ '._\u200c-])?(?:d|l(?:e{0,2}|m{0,4})))*\.?$/.test(form) &&
    form.includes("l") &&
    areOfOneGroup(scripts) &&
    !isReserved(text)
  );
}

function areOfOneGroup(letters) {
  const common = letters[0].some((script) => letters.every((letter) => letter.includes(script)));
  const isWithin = (group) => letters.every((letter) => letter.some((script) => group.includes(script)));
  return common || SCRIPTS_TOGETHER.some(isWithin);
}

function isReserved(text) {
  const words = text.split(" ");
  const fronts = words.map((_, n) => words.slice(0, n + 1).join(" "));
  return isLike(text, RESERVED) || fronts.some((front) => isLike(front, RESERVED_IN_FRONT));
}

function isLike(text, words) {
  const bare = text.replace(/[0-9 '._\u200c-]+$/, "");
  return words.some((word) => areAlike(text, word) || areAlike(bare, word));
}

function looksOf(name) {
  const bare = [...name.normalize("NFD")].filter(
    (sign) => !/[\u0300-\u036f\u0653-\u0655]/.test(sign) && !NAME_SIGNS.includes(sign));
  const both = bare.map((sign) => nameList().looks.get(sign) ?? [sign, sign]);
  return [both.map(([first]) => first).join(""), both.map(([, second]) => second).join("")];
}

function areAlike(one, other) {
  return looksOf(one).some((look) => looksOf(other).includes(look));
}
