// The one encoding: PROTOCOL 2. A decoder reads the shortest form only, so nothing has to be encoded
// again to be checked.
// Values: number, Uint8Array, string, boolean, null, and arrays of these.

const MOST_BYTES = 65536;
const MOST_ITEMS = 4096;
const MOST_DEEP = 6;

function decode(bytes) {
  need(bytes.length > 0 && bytes.length <= MOST_BYTES, "too long, or empty");
  const reader = { bytes, at: 0 };
  const value = readValue(reader, 0);
  need(reader.at === bytes.length, "something behind the value");
  return value;
}

function take(reader, size) {
  need(reader.at + size <= reader.bytes.length, "cut short");
  reader.at += size;
  return reader.bytes.slice(reader.at - size, reader.at);
}

// A number of `size` bytes, which must not fit in fewer.
function readNumber(reader, size, least) {
  let number = 0;
  for (const byte of take(reader, size)) number = number * 256 + byte;
  need(Number.isSafeInteger(number), "too great a number");
  need(number >= least, "not the shortest form");
  return number;
}

function readValue(reader, depth) {
  const first = take(reader, 1)[0];
  if (first < 0x80) return first;
  if (first >= 0x90 && first <= 0x9f) return readArray(reader, first & 15, depth);
  if (first >= 0xa0 && first <= 0xbf) return readText(reader, first & 31);
  switch (first) {
    case 0xc0: return null;
    case 0xc2: return false;
    case 0xc3: return true;
    case 0xc4: return take(reader, readNumber(reader, 1, 0));
    case 0xc5: return take(reader, readNumber(reader, 2, 0x100));
    case 0xc6: return take(reader, readNumber(reader, 4, 0x10000));
    case 0xcc: return readNumber(reader, 1, 0x80);
    case 0xcd: return readNumber(reader, 2, 0x100);
    case 0xce: return readNumber(reader, 4, 0x10000);
    case 0xcf: return readNumber(reader, 8, 0x100000000);
    case 0xd9: return readText(reader, readNumber(reader, 1, 32));
    case 0xda: return readText(reader, readNumber(reader, 2, 0x100));
    case 0xdb: return readText(reader, readNumber(reader, 4, 0x10000));
    case 0xdc: return readArray(reader, readNumber(reader, 2, 16), depth);
    case 0xdd: return readArray(reader, readNumber(reader, 4, 0x10000), depth);
    default: throw new Malformed("a type that is not used");
  }
}

function readArray(reader, length, depth) {
  need(depth < MOST_DEEP && length <= MOST_ITEMS, "too deep or too long");
  const items = [];
  for (let i = 0; i < length; i++) items.push(readValue(reader, depth + 1));
  return items;
}

function readText(reader, size) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(take(reader, size));
  } catch (error) {
    if (error instanceof Malformed) throw error;
    throw new Malformed("not UTF-8");
  }
  need(isPrintable(text), "a text that is not printable");
  return text;
}

// -- printable texts ------------------------------------------------------------------------------

// The code points of the list of PROTOCOL 2, as pairs of a first and a last one, ascending.
function readRanges(words) {
  return words.map((word) => {
    const [first, last] = word.split("-");
    return [parseInt(first, 16), parseInt(last ?? first, 16)];
  });
}

function isInRanges(point, ranges) {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle][1] < point) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low][0] <= point;
}

// A sign between two letters that would join without it.
const PARTED = /([\u0620-\u064a\u0671-\u06d3])\u200c(?=[\u0620-\u064a\u0671-\u06d3])/g;

const printableRanges = once(() =>
  readRanges(
    listText("printable").split("\n").filter((line) => !line.startsWith("#")).join(" ")
      .split(" ").filter((word) => word),
  ),
);

function isPrintable(text) {
  const points = [...text.replace(PARTED, "$1")].map((sign) => sign.codePointAt(0));
  return points.every((point) => isInRanges(point, printableRanges())) && text.normalize("NFC") === text;
}

// The text of a list that the page carries (`printable`, `names`, `words`).
function listText(name) {
  return document.getElementById(`list-${name}`).textContent;
}

function once(make) {
  let made;
  return () => (made ??= make());
}

// -- shapes ---------------------------------------------------------------------------------------

function asNumber(value, most = Number.MAX_SAFE_INTEGER) {
  need(typeof value === "number" && value <= most, "not such a number");
  return value;
}

function asBytes(value, size) {
  need(value instanceof Uint8Array && (size === undefined || value.length === size), "not these bytes");
  return value;
}

function asBytesOrNil(value, size) {
  return value === null ? null : asBytes(value, size);
}

function asText(value) {
  need(typeof value === "string", "not a text");
  return value;
}

function asTruth(value) {
  need(typeof value === "boolean", "not a boolean");
  return value;
}

function asArray(value, length) {
  need(Array.isArray(value) && (length === undefined || value.length === length), "not such an array");
  return value;
}

function asHashes(value, length) {
  return asArray(value, length).map((item) => asBytes(item, 32));
}

// Numbers that ascend, none of them twice.
function asAscending(value, most) {
  const numbers = asArray(value).map((item) => asNumber(item, most));
  need(numbers.every((number, i) => i === 0 || numbers[i - 1] < number), "numbers that do not ascend");
  return numbers;
}

// -- writing --------------------------------------------------------------------------------------

// Only what the payload of a record has: small numbers, bytes, and short arrays of them.
function encodeBytes(bytes) {
  const size = bytes.length;
  if (size < 0x100) return join(Uint8Array.of(0xc4, size), bytes);
  if (size < 0x10000) return join(Uint8Array.of(0xc5, size >> 8, size & 255), bytes);
  return join(Uint8Array.of(0xc6), u32(size), bytes);
}
