// Elements of the page. All text of others goes in as text, never as markup.

function byId(id) {
  return document.getElementById(id);
}

// An element with attributes and children; a child that is no element becomes text.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

function drawing(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function fill(id, ...children) {
  byId(id).replaceChildren(...children);
}

// What this page says, in the language in which it was made; English where it has nothing.
const OWN_WORDS = JSON.parse(document.getElementById("own-words").textContent);

function inOwnDigits(number) {
  return String(number).replace(/[0-9]/g, (digit) => OWN_WORDS.digits[Number(digit)]);
}

// The sentence, with its fields filled in.
function say(message, fields = {}) {
  return filledIn(OWN_WORDS.said[message] ?? message, fields);
}

// One that counts; `{n}` is the number.
function sayCount(one, many, n, fields = {}) {
  const known = OWN_WORDS.said[one];
  const form = known?.forms[known.of[n < known.of.length ? n : 100 + n % 100]];
  return filledIn(form ?? (n === 1 ? one : many), { ...fields, n });
}

const ISOLATED = /[\u2066-\u2068][^\u2066-\u2069]*\u2069/g;

// What is filled in, kept apart from the direction of a sentence that is written from right to left. It
// has the direction of its first letter; a list of isolated parts has none, and takes that of the sentence.
function isolated(text) {
  if (document.dir !== "rtl" || text === "") return text;
  let own = text;
  for (let bare = own.replace(ISOLATED, ""); bare !== own; bare = own.replace(ISOLATED, "")) own = bare;
  return `${/\p{L}/u.test(own) ? "\u2068" : "\u2067"}${text}\u2069`;
}

function filledIn(text, fields) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = fields[name];
    if (value === undefined) return whole;
    return isolated(["number", "bigint"].includes(typeof value) ? inOwnDigits(value) : String(value));
  });
}

function withCommas(parts) {
  return parts.length === 0 ? "" : parts.reduce((list, next) => filledIn(OWN_WORDS.list, { list, next }));
}

function listed(names) {
  return names.length < 2 ? names.join("") : say("{first} and {last}", { first: withCommas(names.slice(0, -1)), last: names.at(-1) });
}
