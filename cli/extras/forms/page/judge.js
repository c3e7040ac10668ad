// What a live peer would take, record by record (PROTOCOL 9.2, 9.3 and 10.3), but for the rules.

const MOST_LONE = 16;  // line-ups to which one keeper alone has assented (9.9)
const MOST_IDLE = 64;  // to which the same keepers have

class Judge {
  constructor(salt) {
    this.salt = salt;
    this.genesis = null;
    this.program = null;
    this.line = null;  // the one that counts
    this.lines = new Map();  // by line-up, in the order in which they have begun
    this.ups = new Map();
    this.assents = new Map();  // by line-up: a Map of keeper to signature
    this.never = new Set();
    this.leaves = new Map();  // by keeper
    this.proofs = new Set();  // the keepers that one convicts
    this.taken = new Set();  // proofs, in hexadecimal
    this.unchecked = [];  // {record, takes}: what only the rules, or a share that is opened, can tell
    this.count = { signatures: 0, entries: 0, openings: 0, commitments: 0 };
    this.places = new Map();  // "attempt height": the index of the first record of that step
    this.entries = [];  // {entry, record}: all that were taken
  }

  // The lines that may count: those above the last one that has begun for sure.
  get mayCount() {
    const found = [...this.lines.values()].sort((one, two) => two.roster.attempt - one.roster.attempt);
    return [this.line, ...found.slice(0, found.findIndex(({ hasBegun }) => hasBegun) + 1)];
  }

  // The end on a line that counts unless one above it does, which only the rules tell; or null.
  get endBelow() {
    return this.genesis && (this.mayCount.find((line) => line.closing !== null)?.closing ?? null);
  }

  // May a line-up begin that has not?
  get mayBegin() {
    return this.waiting.some((up) => this.isAssented(up));
  }

  get waiting() {
    const isWaiting = (name) => !this.lines.has(name) && !this.never.has(name);
    return [...this.ups.values()].filter(({ id }) => isWaiting(toHex(id))).sort(byRank);
  }

  // {signers, winners, position} of the end, once somebody has signed it.
  get closing() {
    return this.line?.closing ?? null;
  }

  // Throws Malformed: no live peer would have taken this record here.
  //
  // Whether a line-up has begun also depends on the rules: on the position at its base, and on who
  // contributes there. So a line-up waits until a record needs it: the longer it waits, the more shows
  // of what it does not fit.
  async add(record) {
    if (this.genesis === null) return this.begin(record);
    const count = { ...this.count };
    try {
      await this.take(record);
    } catch (error) {
      if (!(error instanceof Malformed) || !(await this.beginLineUps())) throw error;
      this.count = count;
      await this.take(record);
    }
  }

  async take(record) {
    need(!this.line.isOver, "a record behind the end of the game", "behind-end");
    if (record.kind === KIND.PLAY || record.kind === KIND.SHARE) {
      await withFault("place", () => this.takeEntry(record));
    } else if (record.kind === KIND.LINE_UP) {
      await withFault("line-up", () => this.takeLineUp(record));
    } else if (record.kind === KIND.LEAVE) {
      await withFault("line-up", () => this.takeLeave(record));
    } else {
      need(record.kind === KIND.PROOF, "no record for here", "place");
      await withFault("proof", () => this.takeProof(record));
    }
  }

  async begin(record) {
    if (record.kind === KIND.PROGRAM && this.program === null) {
      this.program = await withFault("genesis", () => readProgram(record));
      return;
    }
    this.genesis = await withFault("genesis", () => readGenesis(record, this.salt));
    this.line = new Line(this.genesis);
    this.line.hasBegun = true;
    this.lines.set(toHex(this.genesis.game), this.line);
    this.count.signatures += this.genesis.keepers.length;
    this.count.commitments += this.line.slots.stood.size;
  }

  async needSigned(keeper, kind, body, signature) {
    const { keepers, players } = this.genesis;
    need(keepers.includes(keeper), "a seat that is no keeper's own", "form");
    need(await isSigned(players[keeper].key, TAGS[kind], body, signature), "a forged signature", "signature");
  }

  // -- records ------------------------------------------------------------------------------------

  async takeEntry({ kind, body, signature, index }) {
    const entry = await withFault("form", () => readEntry(kind, body));
    entry.record = index;
    need(entry.what !== "blame", "a blame stands in no log");
    const lines = [this.line, ...[...this.lines.values()].filter((line) => line !== this.line)];
    need(!lines.some((line) => isTaken(line, entry)), "a record that stands twice", "twice");
    const fits = lines.filter((line) => line.fits(entry));
    need(fits.length > 0, "an entry that is owed nowhere");
    const owing = await this.owing(fits, entry, { kind, body, signature });
    const place = `${entry.attempt} ${entry.height}`;
    this.places.set(place, this.places.get(place) ?? index);
    for (const line of owing) await line.take(entry);
    this.entries.push({ entry, record: { kind, body, signature } });
    const own = owing.filter(({ roster }) => roster.attempt === entry.attempt);
    if (own.length === 1) own[0].hasBegun = true;
    this.count.signatures++;
    this.count.entries++;
    if (entry.what === "opening") this.count.openings += entry.parts.filter((part) => part !== null).length;
    this.count.commitments += (entry.commitments ?? entry.windows?.flat() ?? []).length;
  }

  // The lines on which this entry is owed as it is: one of them may not have begun. Throws Malformed, as
  // the first does, if there are none.
  async owing(fits, entry, { kind, body, signature }) {
    const found = [];
    let fault;
    for (const line of fits) {
      const { keepers } = line.stepOf(entry);
      const keeper = IN_OWN_NAME.includes(entry.what) ? entry.seat : keepers[entry.seat] ?? null;
      try {
        await this.needSigned(keeper, kind, body, signature);
        await line.check(entry);
        found.push(line);
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        fault ??= error;
      }
    }
    if (found.length === 0) throw fault;
    return found;
  }

  async takeLeave({ kind, body, signature }) {
    const made = await withFault("form", () => readLeave(body));
    need(sameBytes(made.game, this.genesis.game), "a body of another game", "other-game");
    await this.needSigned(made.seat, kind, body, signature);
    const said = this.leaves.get(made.seat) ?? [];
    need(said.every((other) => !sameBytes(other.id, made.id)), "a record that stands twice", "twice");
    need(said.length === 0 || !this.proofs.has(made.seat), "another LEAVE of a convict", "twice");
    this.count.signatures++;
    this.leaves.set(made.seat, [...said, made]);
  }

  async takeLineUp({ kind, body, signature, index }) {
    const made = await withFault("form", () => readLineUp(body));
    made.record = index;
    need(sameBytes(made.game, this.genesis.game), "a body of another game", "other-game");
    const name = toHex(made.id);
    const known = this.assents.get(name) ?? new Map();
    const fresh = (await withFault("form", () => readSeals(signature))).filter(({ seat }) => !known.has(seat));
    for (const { seat, signature: seal } of fresh) await this.needSigned(seat, kind, body, seal);
    need(fresh.length > 0, "a record that stands twice", "twice");
    this.count.signatures += fresh.length;
    this.ups.set(name, made);
    this.assents.set(name, new Map([...known, ...fresh.map(({ seat, signature: seal }) => [seat, seal])]));
    await this.forgetIdle([...this.assents.get(name).keys()]);
  }

  async forgetIdle(keepers) {
    const most = keepers.length === 1 ? MOST_LONE : MOST_IDLE;
    const isIdle = ([name, by]) =>
      by.size === keepers.length && keepers.every((keeper) => by.has(keeper)) && !this.lines.has(name);
    const found = () => [...this.assents].filter(isIdle).map(([name]) => this.ups.get(name));
    if (found().length > most) await this.beginLineUps();
    for (const { id } of found().sort(byRank).slice(0, -most)) {
      this.ups.delete(toHex(id));
      this.assents.delete(toHex(id));
    }
  }

  async takeProof(record) {
    need(record.signature.length === 0, "a proof with a signature", "form");
    const name = toHex(record.body);
    need(!this.taken.has(name), "a record that stands twice", "twice");
    const parts = [];
    for (const part of readProof(record.body)) parts.push(await readPart(this.genesis, part));
    this.count.signatures += parts.length;
    const found = await convict(this.lines, this.mayCount, !this.mayBegin, parts);
    if (found.takes !== undefined) this.unchecked.push({ record: record.index, takes: found.takes });
    for (const keeper of found.keepers) this.proofs.add(keeper);
    this.taken.add(name);
  }

  // -- line-ups -----------------------------------------------------------------------------------

  // Begins all that can begin, in order. Have any?
  async beginLineUps() {
    const many = this.lines.size;
    for (const up of this.waiting) {
      const name = toHex(up.id);
      if (!this.isAssented(up)) continue;
      let line;
      try {
        line = await begunLine(this.lines.get(toHex(up.predecessor)), up);
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        this.never.add(name);
        continue;
      }
      if (line === null) continue;
      keepEnds(line, this.lines.values());
      await this.takeAgain(line, up);
      this.lines.set(name, line);
      const top = this.line.begun.at(-1)?.up;
      if (top === undefined || byRank(top, up) < 0) this.line = line;
    }
    return this.lines.size > many;
  }

  // Takes what has come behind its assents on another line of this attempt, which was needed before.
  async takeAgain(line, up) {
    for (const { entry, record } of this.entries) {
      if (entry.attempt !== up.attempt || entry.record < up.record || !line.fits(entry)) continue;
      try {
        await this.owing([line], entry, record);
      } catch (error) {
        if (error instanceof Malformed) continue;
        throw error;
      }
      await line.take(entry);
    }
  }

  // 9.2 B1 to B3, but for the base.
  isAssented(up) {
    const before = this.lines.get(toHex(up.predecessor));
    if (before === undefined || before.roster.attempt >= up.attempt) return false;
    const members = before.roster.membersAfter(up.plan);
    const by = this.assents.get(toHex(up.id));
    if (members.size === 0 || ![...members].every((keeper) => by.has(keeper))) return false;
    return up.plan.every(({ keeper, reason }) => {
      if (reason === REASON.CHEATED) return this.proofs.has(keeper);
      if (reason !== REASON.LEFT) return true;
      const said = this.leaves.get(keeper) ?? [];
      return said.some((one) => one.attempt < up.attempt || this.proofs.has(keeper));
    });
  }
}

// Null: its base, or an opening that it lists, has not come.
async function begunLine(before, up) {
  if (up.height > before.height) return null;
  need(before.base <= up.height && sameBytes(before.heads[up.height], up.head), "a base on another past");
  const line = before.backTo(up.height);
  const here = up.height === before.height ? before.open : before.closed[up.height];
  if (!["answer", "share"].includes(here.what)) {
    const { attempt, asked, what, stream, ifKept, isKept = false } = here;
    const parts = new Map([...here.parts.values()].map((part) => [part.seat, part]));
    line.open = { ...line.open, attempt, asked, what, stream, parts, ifKept, isKept };
  }
  return (await line.follow(up)) ? line : null;
}

// At the end what a member has signed of it counts, in whatever line-up that came.
function keepEnds(line, others) {
  for (const { height, head, open } of others) {
    if (open.what !== "end" || height !== line.height || !sameBytes(head, line.head)) continue;
    for (const [seat, part] of open.parts) {
      if (!line.roster.members.has(seat) || !line.fits(part)) continue;
      line.open = line.stepOf(part);
      line.open.parts.set(seat, part);
      line.open.what = "end";
    }
  }
}

function isTaken(line, { id, height, seat }) {
  const parts = height < line.height ? line.closed[height].parts : inOrder(line.open);
  return height <= line.height && parts.some((part) => part.seat === seat && sameBytes(part.id, id));
}

function byRank(one, other) {
  if (one.attempt !== other.attempt) return one.attempt - other.attempt;
  return toHex(one.id) < toHex(other.id) ? -1 : 1;
}
