// Slots: what is committed to, which slot is next, which one is half-open (PROTOCOL 7).

const CARDS = 1;

class Slots {
  constructor(genesis) {
    this.genesis = genesis;
    this.next = [0, 0];
    // {slot, owner (a keeper), seat, head, parts}: a top card that somebody has looked at.
    this.half = null;
    // "stream seat slot": {commitment in hexadecimal, record}, of slots that can still be opened.
    this.committed = new Map();
    // Every commitment of the genesis and of closed gathers, with the height of the gather.
    this.stood = new Map();
    genesis.rows.forEach((windows, i) =>
      windows.forEach((window, stream) =>
        this.commit(stream, { seat: genesis.keepers[i], record: 0 }, 0, window, -1)));
  }

  // What stands in a closed gather must not stand again (7.1).
  commit(stream, { seat, record }, first, commitments, height) {
    commitments.map(toHex).forEach((commitment, i) => {
      this.committed.set(`${stream} ${seat} ${first + i}`, { commitment, record });
      if (!this.stood.has(commitment)) this.stood.set(commitment, height);
    });
  }

  // 7.1: is this what the seat has committed to?
  async opens(stream, seat, slot, part) {
    const made = await hash("commitment", this.genesis.table, stream, seat, slot, part);
    return this.committed.get(`${stream} ${seat} ${slot}`)?.commitment === toHex(made);
  }

  // Of which stream a gather opens slots. Its place says so, by the rules; here it shows in what the
  // opening opens. `known`: what another opening of this gather has shown.
  async streamOf({ parts, seat }, known) {
    if (known !== null) return known;
    if (parts.length !== 1 || parts[0] === null) return CARDS;
    return (await this.opens(1 - CARDS, seat, this.next[1 - CARDS], parts[0])) ? 1 - CARDS : CARDS;
  }

  // Throws Malformed unless an OPENING opens what its keeper has committed to (7.1, 7.2, 7.4).
  async checkOpening(opening, stream) {
    const { parts, commitments, seat, top } = opening;
    const slot = this.next[stream];
    need(parts.length === commitments.length, "as many commitments as slots");
    need(stream === CARDS || parts.length === 1, "one slot of dice");
    const isLook = parts.includes(null);
    need(!isLook || (stream === CARDS && parts.length === 1), "a part is withheld");
    for (const [i, part] of parts.entries()) {
      need(part === null || (await this.opens(stream, seat, slot + i, part)),
        "it does not open its commitment", "opening");
    }
    // Whether the top card is still that of its looker, who may have died, only the rules tell.
    const mayTop = stream === CARDS && this.half !== null && this.half.owner === seat;
    need(top === null || mayTop, "the half-open slot");
    need(top === null || (await this.opens(CARDS, seat, this.half.slot, top)),
      "it does not open its commitment to the top card", "opening");
    this.checkNew(commitments);
  }

  checkNew(commitments) {
    const names = commitments.map(toHex);
    need(new Set(names).size === names.length, "one commitment for two slots", "seal");
    need(!names.some((name) => this.stood.has(name)), "a commitment that has stood before", "seal");
  }

  // A gather closes with these openings, in seat order. `seat`: that looks, at a secret look.
  // Returns the draws that it gives, each {stream, slot, head, parts}; the parts, in seat order, are
  // {seat, part, record, sealed: {commitment, record}}: what was opened, where, and what had sealed it.
  close(openings, { head, height, stream, seat }) {
    const slot = this.next[stream];
    const results = openings[0].parts.map((_, i) => ({
      stream, slot: slot + i, head,
      parts: openings.map((o) => this.opened({ ...o, stream }, o.parts[i], slot + i)),
    }));
    for (const opening of openings) {
      this.commit(stream, opening, slot + WINDOWS[stream], opening.commitments, height);
    }
    this.next[stream] += results.length;
    const looker = openings.find((opening) => opening.parts[0] === null)?.seat;
    const shown = openings.find((opening) => opening.top !== null);
    let given = results;
    if (looker !== undefined) {
      const known = results[0].parts.filter((part) => part.seat !== looker);
      this.half = { ...results[0], owner: looker, seat, parts: known };
      given = [];
    } else if (shown !== undefined) {
      given = [this.takeTop(shown, shown.top), ...results];
    } else if (stream === CARDS) {
      this.half = null;
    }
    this.forgetOpened();
    return given;
  }

  opened({ stream, seat, record }, part, slot) {
    return { seat, part, record, sealed: this.committed.get(`${stream} ${seat} ${slot}`) };
  }

  // The draw of the half-open slot with the part that was withheld, which this entry shows (7.4).
  takeTop({ record }, part) {
    const { stream, slot, head, owner, parts } = this.half;
    const withheld = this.opened({ stream, seat: owner, record }, part, slot);
    this.half = null;
    return { stream, slot, head, parts: [...parts, withheld].sort((a, b) => a.seat - b.seat) };
  }

  forgetOpened() {
    for (const name of this.committed.keys()) {
      const [stream, , slot] = name.split(" ").map(Number);
      const isHeld = stream === CARDS && slot === this.half?.slot;
      if (slot < this.next[stream] && !isHeld) this.committed.delete(name);
    }
  }

  renew(commits, height) {
    for (const entry of commits) {
      entry.windows.forEach((window, stream) => this.commit(stream, entry, this.next[stream], window, height));
    }
  }
}

// -- results and values ---------------------------------------------------------------------------

// The result of a slot: H over the contributions in seat order (7.2).
function resultOf(game, { head, stream, slot, parts }) {
  return hash("result", game, head, stream, slot, ...parts.map(({ part }) => part));
}

// The stream of 64-bit numbers that a result gives (7.2). `take` gives the next value below `size`.
class Numbers {
  constructor(result) {
    this.result = result;
    this.block = 0;
    this.waiting = [];
    this.steps = [];  // what was done, for a reader: {number, skipped, size, value}
  }

  async number() {
    if (this.waiting.length === 0) {
      const bytes = await hash("stream", this.result, this.block++);
      for (let i = 0; i < 32; i += 8) {
        this.waiting.push(BigInt(readU32(bytes, i)) * 2n ** 32n + BigInt(readU32(bytes, i + 4)));
      }
    }
    return this.waiting.shift();
  }

  async take(size) {
    const bound = 2n ** 64n - (2n ** 64n % BigInt(size));
    for (;;) {
      const number = await this.number();
      const isSkipped = number >= bound;
      const value = Number(number % BigInt(size));
      this.steps.push({ number, size, value, isSkipped });
      if (!isSkipped) return value;
    }
  }
}
