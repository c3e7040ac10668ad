// What a live peer would take, record by record (PROTOCOL 9.2 to 9.5 and 10.3), but for the rules.

const MOST_VOTES = 64;  // of one seat in one view (9.9)

class Judge {
  constructor(salt) {
    this.salt = salt;
    this.genesis = null;
    this.line = null;
    this.taken = new Set();  // bodies, in hexadecimal
    this.farewells = new Map();  // by each seat that leaves, that of its keeper
    this.votes = [];
    this.proofs = new Map();  // by id: {bodies}
    this.latest = null;  // the last certificate
    this.former = null;  // the line that it has ended, as it stood when the first one came
    this.closing = null;  // the latest close record: {what, signers}
    this.unchecked = [];  // {record, takes}: what only the rules, or a share that is opened, can tell
    this.count = { signatures: 0, entries: 0, openings: 0, commitments: 0 };
    this.places = new Map();  // "view height": the index of the first record of that step
  }

  // Throws Malformed: no live peer would have taken this record here.
  async add(record) {
    if (this.genesis === null) return withFault("genesis", () => this.begin(record));
    try {
      await this.take(record);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      // Votes may have dropped seats, which this page cannot know if the rules say who was asked. If
      // the record fits the view that they begin, they have.
      if (!(await this.dropByAny((matter) => this.isDue(matter)))) throw error;
      await this.take(record);
    }
    if (record.kind !== KIND.PLAY && record.kind !== KIND.SHARE) {
      while (await this.dropByAny((matter) => this.isDue(matter) && this.isCertain(matter)));
    }
    return undefined;
  }

  async take(record) {
    const name = toHex(record.body);
    need(this.closing?.what.is !== "end", "a record behind the end of the game", "behind-end");
    need(record.kind !== KIND.GENESIS, "a second genesis", "place");
    need(!this.taken.has(name) || record.kind === KIND.CLOSE, "a record that stands twice", "twice");
    if (record.kind === KIND.CLOSE) {
      await withFault("close", () => this.close(record));
      return;
    }
    if (record.kind === KIND.PROOF) {
      await withFault("proof", () => this.takeProof(record));
    } else {
      const made = await readSigned(this.genesis, record);
      made.record = record.index;
      await withFault(made.is === "vote" ? "vote" : "place", () => this[`take_${made.is}`](made));
      this.count.signatures++;
    }
    this.taken.add(name);
    this.closing = null;
  }

  async begin(record) {
    this.genesis = await readGenesis(record, this.salt);
    this.line = new Line(this.genesis);
    this.count.signatures += this.genesis.players.length;
    this.count.commitments += this.line.slots.stood.size;
  }

  // -- entries and farewells ----------------------------------------------------------------------

  async take_entry(entry) {
    need(entry.what !== "blame", "a blame stands in no log");
    const said = this.farewells.get(entry.seat);
    need(said === undefined || !isAtOrBehind(entry, said), "an entry behind a farewell");
    await this.bring(entry.view, entry.height, entry.prev);
    await this.line.check(entry);
    this.places.set(`${entry.view} ${entry.height}`,
      this.places.get(`${entry.view} ${entry.height}`) ?? entry.record);
    await this.line.take(entry);
    this.count.entries++;
    if (entry.what === "opening") this.count.openings += entry.parts.filter((part) => part !== null).length;
    this.count.commitments += (entry.commitments ?? entry.windows?.flat() ?? []).length;
  }

  async take_farewell(said) {
    need(!this.farewells.has(said.seat), "a second farewell of one keeper");
    need(!hasSignedBehind(this.line, said, this.line.height + 1), "a farewell before what its seats have signed");
    for (const { seat, keeper } of this.genesis.players) {
      if (keeper === said.seat) this.farewells.set(seat, said);
    }
  }

  // -- coming to the place that a body names ------------------------------------------------------

  // The line stands at this place with this head, or it throws Malformed.
  async bring(view, height, head) {
    const { line } = this;
    if (view === line.view) {
      need(height >= line.height, "a body of a place that is behind");
      need(await line.reach(height, head, this.farewells), "its head is not the one that stands before it");
      return;
    }
    need(view > line.view || this.former !== null, "a body of a view that has ended");
    for (const matter of this.matters()) {
      if (await this.dropBy(matter, view, height, head)) return;
    }
    throw new Malformed("no votes have begun its view");
  }

  // -- votes and certificates ---------------------------------------------------------------------

  // Votes that count together: of one view, round, height, head and accused.
  matters() {
    const found = new Map();
    for (const vote of this.votes) {
      const name = [vote.view, vote.round, vote.height, toHex(vote.head), vote.accused].join();
      found.set(name, [...(found.get(name) ?? []), vote]);
    }
    return [...found.values()];
  }

  // 9.2 R3 and R9: the line that a vote is judged on.
  lineOf(vote) {
    if (vote.view === this.line.view) return this.line;
    need(this.latest !== null && vote.view === this.latest.view, "a vote of another view");
    need(this.line.height === this.line.since, "a vote of a view before, and this one has gone on");
    need(vote.round > this.latest.round, "a round that an earlier certificate has beaten");
    return this.former;
  }

  async take_vote(vote) {
    need(vote.choice === DROP, "an objection stands in no log");
    need(this.genesis.players[vote.seat].keeper === vote.seat, "a vote of a bot");
    const own = this.votes.filter((other) => other.seat === vote.seat && other.view === vote.view);
    need(own.length < MOST_VOTES, "too many votes of one seat");
    const matter = ({ round, height, accused }) => [round, height, ...accused].join();
    need(!own.some((other) => matter(other) === matter(vote)), "a second vote about one matter");
    const isOfFormer = this.latest !== null && vote.view === this.latest.view && vote.view !== this.line.view;
    if (vote.view > this.line.view) await this.bring(vote.view, vote.height, vote.head);
    const line = this.lineOf(vote);
    if (vote.height > line.height && !isOfFormer) {
      need(await line.reach(vote.height, vote.head, this.farewells), "a vote about another past");
    }
    need(vote.height <= line.height && sameBytes(line.heads[vote.height], vote.head), "a vote about another past");
    need(vote.height >= line.convictFloor, "a vote about a height that is settled");
    vote.guilty = await this.convictedBy(vote, line);
    const isAgainstConvicts = sameSets(vote.guilty, line.keepersOf(vote.accused));
    need(vote.height >= line.undoFloor || isAgainstConvicts, "a vote about a height that is settled");
    this.votes.push(vote);
  }

  // The keepers that the proofs of a vote convict before its height (9.2 R6).
  async convictedBy(vote, line) {
    const guilty = new Set();
    const accused = line.keepersOf(vote.accused);
    for (const id of vote.proofs) {
      const proof = this.proofs.get(id);
      need(proof !== undefined, "a vote names a proof that has not come");
      const found = await convict(line, proof.bodies);
      need(found.height <= vote.height, "a vote names a proof of a later place");
      const keepers = [...line.keepersOf(found.seat === null ? found.seats : [found.seat])];
      const keeper = keepers.find((one) => accused.has(one));
      need(keeper !== undefined, "a vote names a proof against somebody else");
      guilty.add(keeper);
    }
    return guilty;
  }

  // 9.2 R7 to R9. Begins the view of a body if these votes do, and the line comes to its place.
  async dropBy(votes, view, height, head) {
    const [vote] = votes;
    if (vote.view + vote.round !== view || vote.height >= height) return false;
    const line = this.openLineOf(vote);
    if (line === null) return false;
    const { made, certificate } = await this.lineBehind(votes, line);
    if (!(await made.reach(height, head, this.farewells))) return false;
    need(this.isMajority(certificate, line.backTo(vote.height)), "seats were dropped by votes that are no majority");
    this.goOn(line, made, certificate);
    return true;
  }

  // The first matter of which this holds drops its seats.
  async dropByAny(holds) {
    for (const votes of this.matters()) {
      const line = this.openLineOf(votes[0]);
      if (line !== null && holds(votes)) {
        const { made, certificate } = await this.lineBehind(votes, line);
        this.goOn(line, made, certificate);
        return true;
      }
    }
    return false;
  }

  openLineOf(vote) {
    try {
      return this.lineOf(vote);
    } catch (error) {
      if (error instanceof Malformed) return null;
      throw error;
    }
  }

  async lineBehind(votes, line) {
    const [vote] = votes;
    const id = await hash("dropped", this.genesis.game, vote.head, vote.view, vote.round, vote.height,
      Uint8Array.from(vote.accused));
    const made = line.backTo(vote.height);
    const certificate = { ...vote, id, keepers: this.agreed(votes, line, made), votes };
    delete made.known;
    made.drop(certificate);
    return { made, certificate };
  }

  goOn(line, made, certificate) {
    if (line === this.line) this.former = line;
    this.line = made;
    this.latest = certificate;
  }

  // Have all keepers voted that can be needed? One of them may have fallen since the last gather.
  isDue(votes) {
    const [vote] = votes;
    const line = this.openLineOf(vote);
    const there = line.backTo(vote.height);
    const living = there.known?.isGather ? there.known.asked : [...there.living];
    const against = there.keepersOf(vote.accused);
    const keepers = this.agreed(votes, line, there);
    const accused = living.filter((seat) => against.has(this.genesis.players[seat].keeper));
    return (
      accused.join() === vote.accused.join() && this.mayUndo(votes, line, keepers) &&
      [...there.keepersOf(living)].every((keeper) => against.has(keeper) || keepers.has(keeper)) &&
      this.isMajority({ ...vote, keepers, votes }, there)
    );
  }

  // 9.2 R7: R4 holds with the proofs of all.
  mayUndo(votes, line, keepers) {
    const [{ height, accused }] = votes;
    if (height >= line.undoFloor) return true;
    const guilty = votes.filter(({ seat }) => keepers.has(seat)).flatMap((vote) => [...vote.guilty]);
    return height >= line.convictFloor && sameSets(new Set(guilty), line.keepersOf(accused));
  }

  // Was one of the accused asked, and is it known who was alive? A gather says so.
  isCertain([vote]) {
    return this.openLineOf(vote).steps[vote.height]?.isGather === true;
  }

  // The keepers that have voted, or have left before this place, also as proofs show. If each vote names
  // proofs, they may have left behind it, too.
  agreed(votes, line, there) {
    const [{ view, height, accused }] = votes;
    const against = there.keepersOf(accused);
    const needed = votes.filter(({ seat }) => there.living.has(seat));
    const areProven = needed.every(({ proofs }) => proofs.length > 0);
    const keepers = new Set(votes.map((vote) => vote.seat));
    const shown = [...this.proofs.values()].flatMap(({ bodies }) => bodies.filter((b) => b.is === "farewell"));
    for (const said of [...this.farewells.values(), ...shown]) {
      const hasLeft = isAtOrBehind({ view, height }, said)
        ? !hasSignedBehind(line, said, height)
        : areProven && said.view === view;
      if (hasLeft && !against.has(said.seat)) keepers.add(said.seat);
    }
    return keepers;
  }

  // More than half of the live keepers that are not convicted by the votes of needed ones (9.2 R7).
  // Whether a keeper that has not voted was alive shows in the renewal behind it.
  isMajority({ accused, keepers, votes }, there) {
    if (!accused.every((seat) => there.living.has(seat))) return false;
    const live = there.keepersOf(there.living);
    const against = there.keepersOf(accused);
    const needed = [...keepers].filter((keeper) => live.has(keeper) && !against.has(keeper));
    const guilty = new Set(votes.filter(({ seat }) => needed.includes(seat)).flatMap((vote) => [...vote.guilty]));
    const counted = new Set([...needed, ...against].filter((keeper) => !guilty.has(keeper)));
    return 2 * needed.length > counted.size;
  }

  // -- proofs -------------------------------------------------------------------------------------

  async takeProof(record) {
    need(record.signature.length === 0, "a proof with a signature");
    const bodies = [];
    for (const part of readProof(record.body)) bodies.push(await readSigned(this.genesis, part));
    this.count.signatures += bodies.length;
    const last = bodies.at(-1);
    // An offence may be of a place that the line comes to by it.
    const isOfLine = last.is === "entry" && (bodies.length === 1 || last.what === "blame");
    if (isOfLine && last.view === this.line.view && last.height > this.line.height) {
      await this.line.reach(last.height, last.prev, this.farewells);
    }
    let found;
    try {
      found = await convict(this.line, bodies);
    } catch (error) {
      const mayBeOfFormer = this.former !== null && this.line.height === this.line.since;
      if (!(error instanceof Malformed) || !mayBeOfFormer) throw error;
      found = await convict(this.former, bodies);
    }
    if (found.seat === null) this.unchecked.push({ record: record.index, takes: found.takes });
    this.proofs.set(toHex(await hash("proof", record.body)), { bodies });
  }

  // -- ends and breaks ----------------------------------------------------------------------------

  async close({ body, signature }) {
    const what = readClosing(body);
    const { players } = this.genesis;
    need(sameBytes(what.game, this.genesis.game), "an end of another game", "other-game");
    if (what.is === "end") {
      await this.bringToEnd(what);
      // Votes may have left nobody to renew anything; whether they have, only the rules tell.
      need(this.line.parts.size === 0, "an end before the end");
      this.line.isRenewing = false;
      need(what.winners.every((seat) => seat < players.length), "a winner that is not at the table");
    } else {
      await this.bring(what.view, what.height, what.head);
    }
    const seals = readSeals(signature);
    need(seals.every(({ seat }) => seat < players.length), "a seal of a seat that is not at the table");
    const signers = seals.map(({ seat }) => seat);
    if (what.is === "break") this.checkAbsent(what.absent, signers);
    for (const { seat, signature: seal } of seals) {
      need(await isSigned(players[seat].key, "close", body, seal), "a forged seal", "signature");
      this.count.signatures++;
    }
    this.closing = { what, signers };
  }

  // An end names no view: it may stand behind votes that have left nobody to go on.
  async bringToEnd({ height, head }) {
    if (await this.line.reach(height, head, this.farewells)) return;
    for (const votes of this.matters()) {
      if (await this.dropBy(votes, votes[0].view + votes[0].round, height, head)) {
        this.line.isRenewing = false;
        return;
      }
    }
    throw new Malformed("an end at another place, or of another past");
  }

  // Behind the last record: closes what has closed if this is the head there, or leaves all as it is.
  async reachBehind(height, head) {
    const { isRenewing } = this.line;
    try {
      await this.bringToEnd({ height, head });
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.line.isRenewing = isRenewing;
    }
  }

  checkAbsent(absent, signers) {
    const { players } = this.genesis;
    for (const seat of absent) {
      need(seat < players.length, "an absent seat that is not at the table");
      need(this.line.living.has(seat) && !this.farewells.has(seat), "an absent seat that is out");
      need(!signers.includes(seat) && !signers.includes(players[seat].keeper), "an absent seat has signed");
    }
  }
}

// Has a seat that leaves by this farewell signed an entry at its place or behind it, before a height?
function hasSignedBehind(line, said, height) {
  const { players } = line.genesis;
  const isBehind = (part) => players[part.seat].keeper === said.seat && isAtOrBehind(part, said);
  const closed = line.steps.slice(0, height).flatMap((step) => step.parts);
  const open = height > line.height ? [...line.parts.values()] : [];
  return [...closed, ...open].some(isBehind);
}

function sameSets(one, other) {
  return one.size === other.size && [...one].every((item) => other.has(item));
}
