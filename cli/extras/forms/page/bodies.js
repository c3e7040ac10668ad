// What is signed in a game, field by field: entries (PROTOCOL 5.2, 5.3), votes (9.2), farewells (9.3),
// ends and breaks (9.4, 9.5), proofs (9.6). Only their form: all functions throw Malformed.

const TAGS = { 2: "play", 3: "vote", 4: "stand-in", 5: "share", 6: "close" };
const MOST_VIEW = 10000;
const MOST_HEIGHT = 1000000;
const MOST_ITEM = 999;
const MOST_DICE = 64;
const MOST_SEAT = 5;
const DROP = 1;

function asSeat(value) {
  return asNumber(value, MOST_SEAT);
}

// -- entries --------------------------------------------------------------------------------------

async function readEntry(kind, body) {
  const [version, game, view, height, prev, seat, type, payload] = asArray(decode(body), 8);
  need(asNumber(version) === 1, "version of an entry");
  const types = kind === KIND.PLAY ? ["answer", "opening", "commits"] : [null, null, null, "share", "blame"];
  const what = types[asNumber(type) - 1];
  need(Boolean(what), "a type of entry that does not belong here");
  return {
    is: "entry", what, game: asBytes(game, 32), view: asNumber(view, MOST_VIEW),
    height: asNumber(height, MOST_HEIGHT), prev: asBytes(prev, 32), seat: asSeat(seat),
    ...PAYLOADS[what](payload), id: await hash("play", body),
  };
}

const PAYLOADS = {
  answer: readAnswer,
  opening(value) {
    const [stream, slot, parts, commitments, top, position] = asArray(value, 6);
    need(asArray(parts).length <= 8 && asArray(commitments).length <= 8, "too many slots");
    return {
      stream: asNumber(stream, 1), slot: asNumber(slot), parts: parts.map((part) => asBytesOrNil(part, 32)),
      commitments: asHashes(commitments), top: asBytesOrNil(top, 32), position: asBytesOrNil(position, 32),
    };
  },
  commits(value) {
    const [diceSlot, dice, cardSlot, cards] = asArray(value, 4);
    return {
      slots: [asNumber(diceSlot), asNumber(cardSlot)],
      windows: [asHashes(dice, WINDOWS[0]), asHashes(cards, WINDOWS[1])],
    };
  },
  share(value) {
    const [slot, key, sealed] = asArray(value, 3);
    return { slot: asNumber(slot), key: asBytes(key, 32), sealed: asBytes(sealed, 48) };
  },
  blame(value) {
    const [slot, secret] = asArray(value, 2);
    return { slot: asNumber(slot), secret: asBytes(secret, 32) };
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

async function readFarewell(body) {
  const [game, seat, view, height, rounds] = asArray(decode(body), 5);
  const named = asAscending(rounds, 1000);
  need(named.length <= 64 && !named.includes(0), "rounds of a farewell");
  return {
    is: "farewell", game: asBytes(game, 32), seat: asSeat(seat), view: asNumber(view, MOST_VIEW),
    height: asNumber(height, MOST_HEIGHT), rounds: named, id: await hash("stand-in", body),
  };
}

function readVote(body) {
  const [game, view, round, height, head, seat, choice, accused, proofs] = asArray(decode(body), 9);
  need(asNumber(choice) === DROP || choice === 2, "choice of a vote");
  need(choice === DROP ? asNumber(round, 1000) > 0 : asNumber(round) === 0, "round of a vote");
  const named = asAscending(accused, MOST_SEAT);
  need(named.length > 0 && !named.includes(asSeat(seat)), "accused of a vote");
  const ids = asHashes(proofs).map(toHex);
  need(ids.length <= 5 && ids.every((id, i) => i === 0 || ids[i - 1] < id), "proofs of a vote");
  return {
    is: "vote", game: asBytes(game, 32), view: asNumber(view, MOST_VIEW), round,
    height: asNumber(height, MOST_HEIGHT), head: asBytes(head, 32), seat, choice, accused: named, proofs: ids,
  };
}

function readClosing(body) {
  const fields = asArray(decode(body));
  if (fields.length === 5) {
    const [game, height, head, winners, position] = fields;
    return {
      is: "end", game: asBytes(game, 32), height: asNumber(height, MOST_HEIGHT), head: asBytes(head, 32),
      winners: asAscending(winners, MOST_SEAT), position: asBytes(position, 32),
    };
  }
  const [game, one, view, height, head, absent] = asArray(fields, 6);
  need(asNumber(one) === 1, "form of a break");
  return {
    is: "break", game: asBytes(game, 32), view: asNumber(view, MOST_VIEW), height: asNumber(height, MOST_HEIGHT),
    head: asBytes(head, 32), absent: asAscending(absent, MOST_SEAT),
  };
}

// For each signer, ascending: one byte seat, 64 bytes signature.
function readSeals(bytes) {
  need(bytes.length > 0 && bytes.length % 65 === 0, "length of the seals");
  const seals = [];
  for (let at = 0; at < bytes.length; at += 65) {
    const seat = bytes[at];
    need(seals.length === 0 || seals.at(-1).seat < seat, "order of the seals");
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

// A body of this game, rightly signed by the seat at the table that it names (2, 9.6 R1).
async function readSigned(genesis, { kind, body, signature }) {
  const made = await withFault("form", () => {
    if (kind === KIND.VOTE) return readVote(body);
    return kind === KIND.STAND_IN ? readFarewell(body) : readEntry(kind, body);
  });
  need(sameBytes(made.game, genesis.game), "a body of another game", "other-game");
  for (const seat of [made.seat, ...(made.accused ?? [])]) {
    need(seat < genesis.players.length, "a seat that is not at the table", "form");
  }
  const { key, keeper } = genesis.players[made.seat];
  need(made.is !== "farewell" || keeper === made.seat, "a farewell of a bot", "form");
  need(await isSigned(key, TAGS[kind], body, signature), "a forged signature", "signature");
  return made;
}

// Is the place of one body at or behind that of the other? Views before heights.
function isAtOrBehind(one, other) {
  return one.view > other.view || (one.view === other.view && one.height >= other.height);
}
