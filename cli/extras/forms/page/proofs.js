// Proofs of cheating: which keeper one convicts (PROTOCOL 9.6), as far as that needs no rules.

// A body of a proof with the keepers whose signature it has.
async function readPart(genesis, { kind, body, signature }) {
  const made = await withFault("form", () => {
    if (kind === KIND.LINE_UP) return readLineUp(body);
    return kind === KIND.LEAVE ? readLeave(body) : readEntry(kind, body);
  });
  need(made.game === undefined || sameBytes(made.game, genesis.game), "a body of another game", "other-game");
  const signers = [];
  for (const keeper of genesis.keepers) {
    if (await isSigned(genesis.players[keeper].key, TAGS[kind], body, signature)) signers.push(keeper);
  }
  need(signers.length > 0, "a body that no keeper has signed", "signature");
  return { made, signers };
}

// What a proof shows: {keepers}, and what it `takes` to know that if only the rules or a shared secret
// can tell. Throws Malformed: it convicts nobody.
// `mayCount`: the lines that may count; others may begin unless it `isSettled`.
async function convict(lines, mayCount, isSettled, parts) {
  const last = parts.at(-1);
  const { made } = last;
  if (made.is === "entry" && made.what === "blame") {
    need(parts.length === 1 || parts[0].made.what !== "blame", "two blames");
    return blamed(mayCount, isSettled, made, last.signers);
  }
  if (parts.length === 1) {
    need(made.is === "entry", "one body that is no entry");
    return offence([mayCount[0], ...lines.values()], made, last.signers);
  }
  const [one, two] = parts;
  const author = one.signers.find((keeper) => two.signers.includes(keeper));
  need(author !== undefined, "bodies of two authors");
  need(contradicts(lines, one.made, two.made, author), "two bodies that do not contradict each other");
  return { keepers: [author] };
}

function contradicts(lines, one, two, author) {
  if (one.is === "entry" && two.is === "entry") {
    return one.what !== "blame" && isOnePlace(lines, one, two) && !sameBytes(one.id, two.id);
  }
  if (one.is === "line-up" && two.is === "line-up") return one.attempt === two.attempt && !sameBytes(one.id, two.id);
  if (one.is === "entry" && two.is === "line-up") {
    return !["blame", "end"].includes(one.what) && passesBy(lines, two, one.attempt, author);
  }
  if (one.is !== "leave" || one.seat !== author) return false;
  if (two.is === "leave") return two.seat === author && !sameBytes(one.id, two.id);
  return two.attempt > one.attempt;
}

// Two entries of one seat, height and head, and of one line-up or kept gather?
function isOnePlace(lines, one, two) {
  const { height, seat, prev } = one;
  if (height !== two.height || seat !== two.seat || !sameBytes(prev, two.prev)) return false;
  if (one.attempt === two.attempt) return true;
  if (one.what !== "opening" || two.what !== "opening") return false;
  return [...lines.values()].some((line) => height <= line.height && sameBytes(line.heads[height], prev) &&
    line.names(one.attempt, height) && line.names(two.attempt, height));
}

// Does an assent to this line-up go past an entry of that attempt?
function passesBy(lines, up, attempt, keeper) {
  if (attempt >= up.attempt) return false;
  for (let line = lines.get(toHex(up.predecessor)); line !== undefined;) {
    if (line.roster.attempt <= attempt) return line.roster.attempt < attempt;
    if (!line.roster.members.has(keeper)) return false;
    line = lines.get(toHex(line.begun.at(-1).up.predecessor));
  }
  return false;
}

async function offence(lines, entry, signers) {
  const { attempt, height, prev } = entry;
  const named = lines.filter((one) => one.base <= height && one.heads[height] !== undefined &&
    sameBytes(one.heads[height], prev) && one.names(attempt, height));
  need(named.length > 0, "an entry of another past");
  need(entry.seat < named[0].genesis.players.length, "a seat that is not at the table");
  const mustSign = (one) => signersThere(one, entry).filter((keeper) => signers.includes(keeper));
  const line = named.find((one) => mustSign(one).length > 0);
  need(line !== undefined, "not signed by whoever must");
  need(!isTaken(line, entry), "an entry that is right");
  const there = line.backTo(height);
  const keepers = mustSign(line);
  try {
    await there.check(entry);
  } catch (error) {
    if (error instanceof Malformed) return { keepers };
    throw error;
  }
  return { keepers, takes: "rules" };
}

// The members whose signature an entry of this seat may need at its height: until something has come
// there, only the rules tell whether a decision is owed.
function signersThere(line, { seat, height }) {
  const { keepers, members } = line.backTo(height).roster;
  const { what } = height < line.height ? line.closed[height] : line.open;
  const isOfSeat = what === "answer" || what === "share";
  const found = isOfSeat ? [keepers[seat]] : what === null ? [seat, keepers[seat]] : [seat];
  return found.filter((keeper) => members.has(keeper));
}

// 8: who is wrong about a share can only be told by opening it, which this page does not do. `lines`: those
// that may count. Where another keeper may have that seat, only the rules tell whose blame it is.
function blamed(lines, isSettled, { height, seat, prev }, signers) {
  const named = lines.filter(({ base, heads }) => base <= height && sameBytes(heads[height] ?? [], prev));
  need(named.length > 0, "a blame on another past");
  const before = (line) => line.closed[Math.max(height - 1, 0)] ?? line.open;
  const isOwn = (line) => signers.includes(before(line).keepers[seat]);
  const line = named.find(isOwn);
  need(line !== undefined, "a blame that its keeper has not signed", "signature");
  const { what, keepers, parts } = before(line);
  const looker = what === "share" ? line.closed[height - 2]?.parts[0] : undefined;
  if (looker?.seat === seat && looker.key !== null) {
    return { keepers: [keepers[parts[0].seat], keepers[seat]], takes: "share" };
  }
  const isSure = isSettled && named.length === lines.length && named.every(isOwn);
  return { keepers: [keepers[seat]], ...(isSure ? {} : { takes: "rules" }) };
}
