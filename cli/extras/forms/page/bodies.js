// What is signed in a game, field by field: entries (PROTOCOL 5.2, 5.3), line-ups (9.2), LEAVEs (9.3),
// proofs (9.6), the program (10.2). Only their form: all functions throw Malformed.

const TAGS = { 2: "play", 3: "lineup", 4: "leave", 5: "share" };
const MOST_ATTEMPT = 1000000;
const MOST_HEIGHT = 1000000;
const MOST_ITEM = 999;
const MOST_DICE = 64;
const MOST_SEAT = 5;

function asSeat(value) {
  return asNumber(value, MOST_SEAT);
}

// -- entries --------------------------------------------------------------------------------------

const TYPES = ["answer", "opening", "rows", "share", "blame", "witness", "end"];

async function readEntry(kind, body) {
  const [attempt, height, prev, seat, type, payload] = asArray(decode(body), 6);
  const what = TYPES[asNumber(type) - 1];
  need(what !== undefined, "a type of entry that there is not");
  need((kind === KIND.SHARE) === (what === "share" || what === "blame"), "a type of another class");
  const named = what === "opening" || what === "witness" ? withFirstZero(body) : body;
  return {
    is: "entry", what, attempt: asNumber(attempt, MOST_ATTEMPT), height: asNumber(height, MOST_HEIGHT),
    prev: asBytes(prev, 32), seat: asSeat(seat), ...PAYLOADS[what](payload), id: await hash("play", named),
  };
}

// With 0 as the attempt: what is opened is the same whatever attempt it names.
function withFirstZero(body) {
  const size = { 0xcc: 2, 0xcd: 3, 0xce: 5 }[body[1]] ?? 1;
  return Uint8Array.of(body[0], 0, ...body.subarray(1 + size));
}

const PAYLOADS = {
  answer: readAnswer,
  opening(value) {
    const [parts, commitments, top, position] = asArray(value, 4);
    need(asArray(parts).length <= 8 && asArray(commitments).length <= 8, "too many slots");
    return {
      parts: parts.map((part) => asBytesOrNil(part, 32)), commitments: asHashes(commitments),
      top: asBytesOrNil(top, 32), position: asBytesOrNil(position, 32),
    };
  },
  rows(value) {
    const [dice, cards] = asArray(value, 2);
    return { windows: [asHashes(dice, WINDOWS[0]), asHashes(cards, WINDOWS[1])] };
  },
  share(value) {
    const [key, sealed] = asArray(value, 2);
    return { shareKey: asBytes(key, 32), sealed: asBytes(sealed, 48) };
  },
  blame(value) {
    return { secret: asBytes(asArray(value, 1)[0], 32) };
  },
  witness(value) {
    need(value === null, "a witness that says something");
    return {};
  },
  end(value) {
    const [winners, position] = asArray(value, 2);
    return { winners: asAscending(winners, MOST_SEAT), position: asBytes(position, 32) };
  },
};

const PLAIN_ANSWERS = [0, 3, 4, 7, 8, 13, 16, 19];
const NUMBERED_ANSWERS = [9, 10, 14, 15, 17];

// `code`, and for codes 11 and 12 the contribution or the key that stands in the answer.
function readAnswer(value) {
  const [code, ...fields] = asArray(value);
  asNumber(code);
  if (PLAIN_ANSWERS.includes(code)) {
    asArray(fields, 0);
  } else if (NUMBERED_ANSWERS.includes(code)) {
    asNumber(asArray(fields, 1)[0], MOST_ITEM);
  } else {
    need(ANSWERS[code] !== undefined, "an answer that there is not");
    return { code, fields, ...ANSWERS[code](fields) };
  }
  return { code, fields };
}

const ANSWERS = {
  1: (fields) => void asNumbers(asArray(fields, 1)[0]),
  2(fields) {
    const [item, die, face] = asArray(fields, 3);
    asNumber(item, MOST_ITEM);
    if (die !== null) asNumber(die, MOST_DICE);
    if (face !== null) asNumber(face, 5);
  },
  5(fields) {
    need(asArray(asArray(fields, 1)[0]).length <= 6, "too many groups");
    fields[0].forEach((group) => asNumber(group, 5));
  },
  6(fields) {
    const [heal, poison, shrink, given] = asArray(fields, 4);
    [heal, poison, shrink].forEach((many) => asNumber(many, MOST_DICE));
    need(asArray(given).length <= 6, "too many gifts");
    for (const [seat, many] of given.map((pair) => asArray(pair, 2))) {
      asSeat(seat);
      asNumber(many, MOST_DICE);
    }
  },
  11(fields) {
    const [item, part] = asArray(fields, 2);
    return { item: asNumber(item, MOST_ITEM), part: asBytes(part, 32) };
  },
  12(fields) {
    const key = asBytesOrNil(asArray(fields, 1)[0], 32);
    need(key === null || !isOfSmallOrder(key), "a key of small order");
    return { key };
  },
  18: (fields) => void asNumbers(asArray(fields, 1)[0]),
};

function asNumbers(value) {
  need(asArray(value).length <= 200, "too many");
  return value.map((item) => asNumber(item, MOST_ITEM));
}

// X25519 keys with which every shared secret is zeros (RFC 7748, section 7).
const SMALL_ORDER = new Set([
  0n, 1n, PRIME - 1n,
  325606250916557431795983626356110631294008115727848805560023387927233504n % PRIME,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
]);

function isOfSmallOrder(key) {
  return SMALL_ORDER.has((littleEndian(key) & (2n ** 255n - 1n)) % PRIME);
}

// -- the others -----------------------------------------------------------------------------------

async function readLineUp(body) {
  const [game, attempt, predecessor, height, head, digest, plan, openings] = asArray(decode(body), 8);
  need(asNumber(attempt, MOST_ATTEMPT) > 0, "attempt of a line-up");
  const changes = asArray(plan).map(readChange);
  need(changes.length <= 6 && changes.every(({ keeper }, i) => i === 0 || changes[i - 1].keeper < keeper), "order of a plan");
  const listed = openings === null ? null : asHashes(openings);
  need(listed === null || listed.length <= 6, "too many openings");
  return {
    is: "line-up", game: asBytes(game, 32), attempt, predecessor: asBytes(predecessor, 32),
    height: asNumber(height, MOST_HEIGHT), head: asBytes(head, 32), digest: asBytes(digest, 32), plan: changes,
    openings: listed, id: await hash("lineup", body),
  };
}

// [keeper, reason, instance]
function readChange(value) {
  const [keeper, reason, instance] = asArray(value, 3);
  need(asNumber(reason, 5) >= 1, "reason of a plan");
  need((instance === null) === (reason <= 3), "the process of a keeper");
  return { keeper: asSeat(keeper), reason, instance: instance === null ? null : asBytes(instance, 8) };
}

async function readLeave(body) {
  const [game, seat, lineUp, attempt] = asArray(decode(body), 4);
  need(asNumber(lineUp, MOST_ATTEMPT) <= asNumber(attempt, MOST_ATTEMPT), "attempts of a LEAVE");
  return { is: "leave", game: asBytes(game, 32), seat: asSeat(seat), attempt, id: await sha256(body) };
}

function readProgram({ body, signature }) {
  need(signature.length === 0, "a program that signs");
  const words = asArray(decode(body), 2).map(asText);
  need(words.every((text) => [...text].length <= 64), "too long a text");
  return words;
}

// For each signer, ascending: one byte seat, 64 bytes signature.
function readSeals(bytes) {
  need(bytes.length > 0 && bytes.length % 65 === 0, "length of the seals");
  const seals = [];
  for (let at = 0; at < bytes.length; at += 65) {
    const seat = bytes[at];
    need(seat <= MOST_SEAT && (seals.length === 0 || seals.at(-1).seat < seat), "order of the seals");
    seals.push({ seat, signature: bytes.slice(at + 1, at + 65) });
  }
  return seals;
}

// The one or two bodies of a proof.
function readProof(body) {
  need(body.length <= 4096, "too long a proof");
  const fields = asArray(decode(body));
  need(fields.length === 3 || fields.length === 6, "form of a proof");
  const parts = [];
  for (let i = 0; i < fields.length; i += 3) {
    const [kind, inner, signature] = fields.slice(i, i + 3);
    need(asNumber(kind) >= KIND.PLAY && kind <= KIND.SHARE, "a body that proves nothing");
    parts.push({ kind, body: asBytes(inner), signature: asBytes(signature, 64) });
  }
  return parts;
}
