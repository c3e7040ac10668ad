// A line of play: the steps that have closed, and the line-ups on it (PROTOCOL 5 and 9.2, without the
// rules).
//
// Who has to sign at a gather are all members, whom the line-ups name. Which seat owes an answer, who
// still has a living monster, and what is drawn, only the rules say: that is taken from the log. A part
// that is left out or another one shows all the same, as the heads do not fit.

const OUT = 3;  // reasons up to this one put a keeper out (9.2)
const REASON = { CHEATED: 1, LEFT: 2, ABSENT: 3, AGAIN: 4, BACK: 5 };
const IN_OWN_NAME = ["opening", "rows", "witness", "end"];

// Who plays in one line-up.
class Roster {
  constructor(fields) {
    Object.assign(this, fields);  // id, attempt, keepers (by seat), members, out, instances (by keeper)
  }

  static first({ game, players, keepers }) {
    return new Roster({
      id: game, attempt: 0, keepers: players.map(({ keeper }) => keeper), members: new Set(keepers),
      out: new Map(), instances: new Map(),
    });
  }

  // 9.2 B4, but for what lives.
  check(plan) {
    for (const { keeper, reason, instance } of plan) {
      need(this.members.has(keeper) === (reason !== REASON.BACK), "a plan for no member");
      need(reason !== REASON.BACK || this.out.get(keeper) === REASON.ABSENT, "nobody who can come back");
      const named = this.instances.get(keeper) ?? "";
      need(instance === null || toHex(instance) > named, "an earlier process");
    }
  }

  membersAfter(plan) {
    const gone = new Set(plan.filter(({ reason }) => reason <= OUT).map(({ keeper }) => keeper));
    const come = plan.filter(({ reason }) => reason === REASON.BACK).map(({ keeper }) => keeper);
    return new Set([...[...this.members].filter((keeper) => !gone.has(keeper)), ...come]);
  }

  // More than half of the members here, less those that these plans name so?
  hasMost(members, plan) {
    const gone = new Set(plan.filter(({ reason }) => reason <= REASON.LEFT).map(({ keeper }) => keeper));
    const counted = [...this.members].filter((keeper) => !gone.has(keeper));
    return 2 * counted.filter((keeper) => members.has(keeper)).length > counted.length;
  }

  after({ id, attempt, plan }, players) {
    const members = this.membersAfter(plan);
    const out = new Map(this.out);
    const instances = new Map(this.instances);
    for (const { keeper, reason, instance } of plan) {
      if (reason <= OUT) out.set(keeper, reason);
      else {
        out.delete(keeper);
        instances.set(keeper, toHex(instance));
      }
    }
    const reasonOf = new Map(plan.map(({ keeper, reason }) => [keeper, reason]));
    const keepers = this.keepers.map((keeper, seat) => {
      const reason = reasonOf.get(seat);
      if (reason <= REASON.LEFT) return null;
      if (reason === REASON.BACK) return seat;
      return keeper === null || members.has(keeper) ? keeper : nextKeeper(seat, members, players);
    });
    return new Roster({ id, attempt, keepers, members, out, instances });
  }
}

function nextKeeper(seat, members, players) {
  const clockwise = players.map((_, i) => (seat + i + 1) % players.length);
  const there = clockwise.filter((other) => members.has(other));
  return there.find((other) => !players[other].isAutomatic) ?? there[0] ?? null;
}

class Line {
  constructor(genesis) {
    this.genesis = genesis;
    this.roster = Roster.first(genesis);
    this.closed = [];
    this.begun = [];  // {height, up, before}
    this.heads = [genesis.game];  // before each height; the last one is the present one
    this.slots = new Slots(genesis);
    this.looker = null;  // {seat, key}: has asked to look at the top card (5.3, code 12)
    this.mayRows = false;  // a line-up asks for rows, now or behind a gather that is kept
    this.mustRows = false;
    this.hasBegun = false;  // for sure: an entry has named it
    this.open = this.fresh();
  }

  get height() {
    return this.closed.length;
  }

  get head() {
    return this.heads.at(-1);
  }

  get base() {
    return this.begun.at(-1)?.height ?? 0;
  }

  // Closed steps and line-ups, in order.
  get steps() {
    const found = [];
    for (let height = 0; height <= this.height; height++) {
      for (const { height: base, up, before } of this.begun) {
        if (base !== height) continue;
        const { keepers } = before.after(up, this.genesis.players);
        found.push({ what: "line-up", up, keepers, parts: [], results: [], behind: up.head });
      }
      if (height < this.height) found.push(this.closed[height]);
    }
    return found;
  }

  // {signers, winners, position} of the end, once somebody has signed it.
  get closing() {
    const ends = [...this.open.parts.values()].filter(({ what }) => what === "end");
    if (ends.length === 0) return null;
    const { winners, position } = ends[0];
    return { signers: ends.map(({ seat }) => seat).sort(upwards), winners, position };
  }

  get isOver() {
    return this.closing !== null && this.open.parts.size === this.open.asked.size;
  }

  // A step in which nobody has signed anything.
  fresh() {
    const { attempt, members, keepers } = this.roster;
    return { attempt, keepers, asked: new Set(members), parts: new Map(), what: null, stream: null, isKept: false };
  }

  // May an entry of this height name this attempt? At a gather that was kept also that of a later line-up.
  names(attempt, height) {
    const open = this.open.ifKept ?? this.open;
    const step = height < this.height ? this.closed[height] : height === this.height ? open : this.roster;
    const isLater = ({ height: base, up }) => base === height && up.attempt === attempt && attempt > step.attempt;
    return attempt === step.attempt || this.begun.some(isLater);
  }

  // -- does an entry fit? -------------------------------------------------------------------------

  // Is this the place that the entry names, and has its seat not signed there?
  fits({ attempt, height, prev, seat }) {
    const isHere = height === this.height && sameBytes(prev, this.head);
    return isHere && this.names(attempt, height) && !this.open.parts.has(seat);
  }

  // The open step as this entry has it, which fits. Behind a line-up only the entries tell whether a
  // gather at its base goes on: as soon as one names an attempt from before.
  stepOf({ attempt, what: kind }) {
    const { open } = this;
    if (kind === "end") return { ...open.ifKept ?? open, parts: open.parts, what: open.what, asked: new Set(this.roster.members) };
    if (open.isKept && open.parts.size === 0 && attempt !== open.attempt && attempt === this.roster.attempt) {
      return { ...this.fresh(), ifKept: open };
    }
    const { parts, what, stream, ifKept } = open;
    return ifKept === undefined || attempt === open.attempt ? open : { ...ifKept, parts, what, stream };
  }

  // Throws Malformed unless the entry, which fits this place, can be owed here.
  async check(entry) {
    const open = this.stepOf(entry);
    const { what, seat } = entry;
    if (IN_OWN_NAME.includes(what)) {
      need(open.asked.has(seat), "an entry of a keeper that does not play");
    } else {
      need(open.parts.size === 0 && !open.isKept, "another kind of entry is owed");
      need(open.keepers[seat] !== null && seat < open.keepers.length, "an entry of a seat that is out");
    }
    const isOther = open.what !== null && open.what !== what && what !== "witness";
    need(!isOther, "another kind of entry is owed");
    need(what !== "witness" || open.what !== "end", "another kind of entry is owed");
    need(what !== "end" || open.parts.size === 0 || open.what === "end", "another kind of entry is owed");
    const isNew = this.mustRows && !open.isKept;
    need(!isNew || ["rows", "witness", "end"].includes(what), "rows are owed");
    need(what !== "rows" || (this.mayRows && !open.isKept), "another kind of entry is owed");
    await this[`check_${what}`](entry, open);
  }

  async check_answer({ code, part, key }) {
    const { half } = this.slots;
    if (code === 11) {
      need(half !== null, "nobody has looked at the top card");
      need(await this.slots.opens(CARDS, half.owner, half.slot, part),
        "it does not open the commitment to the top card", "opening");
    }
    need(code !== 12 || key === null || half !== null, "a key for a share of no card");
  }

  async check_share({ seat }) {
    const { half } = this.slots;
    need(half !== null && half.seat === seat, "a share of no top card of its seat");
    need(this.looker !== null && this.looker.key !== null, "a share that nobody has asked for");
  }

  async check_witness() {}

  async check_end({ attempt, winners, position }, open) {
    need(winners.every((seat) => seat < this.genesis.players.length), "a winner that is not at the table");
    const first = [...open.parts.values()][0];
    const isSame = first === undefined || first.what !== "end" || (first.attempt === attempt &&
      first.winners.join() === winners.join() && sameBytes(first.position, position));
    need(isSame, "ends that do not fit each other");
  }

  async check_opening(entry, open) {
    const withholds = entry.parts.includes(null);
    need(!withholds || this.roster.keepers[this.looker?.seat] === entry.seat, "a part is withheld");
    const stream = await this.slots.streamOf(entry, open.stream);
    for (const other of open.parts.values()) {
      if (other.what !== "opening") continue;
      const shape = ({ parts, position }) => [parts.length, position === null ? "" : toHex(position)].join();
      need(shape(other) === shape(entry), "openings of one gather that do not fit each other");
    }
    await this.slots.checkOpening(entry, stream);
    entry.stream = stream;
  }

  async check_rows(entry) {
    this.slots.checkNew(entry.windows.flat());
  }

  // -- closing a step -----------------------------------------------------------------------------

  // Takes an entry that `check` has let through.
  async take(entry) {
    const open = this.open = this.stepOf(entry);
    open.parts.set(entry.seat, entry);
    if (entry.what !== "witness") open.what = entry.what;
    if (entry.what === "opening" && open.stream === null) open.stream = entry.stream;
    await this.settle();
  }

  async settle() {
    const { open } = this;
    if (open.what === "answer" || open.what === "share") {
      this.close([...open.parts.values()][0].id);
    } else if (open.what !== null && open.what !== "end" && open.parts.size === open.asked.size) {
      const ids = inOrder(open).filter(({ what }) => what !== "witness").map(({ id }) => id);
      this.close(await hash("gather", this.genesis.game, this.head, this.height, ...ids));
    }
  }

  // The open step closes with its parts.
  close(behind) {
    const { open, height } = this;
    const parts = inOrder(open);
    const step = {
      what: open.what, height, attempt: open.attempt, keepers: open.keepers, asked: open.asked, head: this.head,
      parts, stream: open.stream, results: [], behind,
    };
    this.closeParts(step);
    this.closed.push(step);
    this.heads.push(behind);
    this.open = this.fresh();
  }

  closeParts(step) {
    const { what, parts, height } = step;
    const made = parts.filter((part) => part.what !== "witness");
    if (what === "opening") {
      step.results = this.slots.close(made, { head: step.head, height, stream: step.stream, seat: this.looker?.seat });
      if (made.some((part) => part.parts.includes(null))) this.looker = null;
    } else if (what === "rows") {
      this.slots.renew(made, height);
      this.mayRows = this.mustRows = false;
    } else if (what === "answer") {
      const { seat, code, key, part } = made[0];
      const isOwn = this.slots.half?.owner === step.keepers[seat];
      if (code === 11) step.results = [this.slots.takeTop(made[0], part)];
      // A look without a key says that nobody holds the top card, or that its keeper does.
      if (code === 12 && key === null && !isOwn) this.slots.half = null;
      this.looker = code === 12 && !(key === null && isOwn) ? { seat, key } : null;
    } else if (what === "share") {
      this.looker = null;
    }
  }

  // -- line-ups -----------------------------------------------------------------------------------

  // 9.2 B5.
  isEnough(plan) {
    const members = this.roster.membersAfter(plan);
    const named = [...plan];
    if (!this.roster.hasMost(members, named)) return false;
    let until = this.height;
    for (const { height, up, before } of [...this.begun].reverse()) {
      const isOwn = ({ what, attempt }) => ["opening", "rows"].includes(what) && attempt === up.attempt;
      if (this.closed.slice(height, until).some(isOwn)) return true;
      named.push(...up.plan);
      until = height;
      if (!before.hasMost(members, named)) return false;
    }
    return true;
  }

  // Begins a line-up whose base is this place. Throws Malformed if it cannot be; returns false if
  // openings that it lists have not come. Whoever is out and has opened is a contributor, and listed.
  async follow(up) {
    this.roster.check(up.plan);
    need(this.isEnough(up.plan), "not enough members");
    const { open, roster: before } = this;
    need(up.openings === null || open.what !== "rows", "rows that are not asked again");
    const putsOutNone = ({ reason, keeper }) => reason === REASON.AGAIN ||
      (reason === REASON.ABSENT && open.parts.get(keeper)?.what === "witness");
    const isSameDraw = open.what === "opening" && up.plan.every(putsOutNone);
    need(up.openings !== null || !isSameDraw, "a draw made anew without a reason");
    const after = before.after(up, this.genesis.players);
    const out = inOrder(open).filter(({ what, seat }) => what === "opening" && !after.members.has(seat));
    if (up.openings !== null) {
      const listed = up.openings.map(toHex);
      const there = new Set(inOrder(open).map(({ id }) => toHex(id)));
      if (listed.some((id) => !there.has(id))) return false;
      need(listed.join() === out.map(({ id }) => toHex(id)).join(), "openings of others");
    }
    this.begin(up, after);
    await this.settle();
    return true;
  }

  begin(up, after) {
    const { open, roster: before } = this;
    const isKept = up.openings !== null;
    const { half } = this.slots;
    const drawsTop = isKept && (open.stream === CARDS || open.what === null);
    if (half !== null && after.keepers[half.seat] !== half.owner && !drawsTop) this.slots.half = null;
    this.begun.push({ height: this.height, up, before });
    this.roster = after;
    const looked = this.looker === null ? null : this.genesis.players[this.looker.seat];
    if (looked !== null && after.keepers[looked.seat] === null) this.looker = null;
    this.mayRows = true;
    this.mustRows = !isKept;
    this.open = this.fresh();
    if (!isKept) return;
    const goesOn = (seat) => after.members.has(seat) || up.openings.some((id) => sameBytes(id, open.parts.get(seat)?.id ?? []));
    const parts = new Map([...open.parts].filter(([seat]) => goesOn(seat)));
    const asked = new Set(open.what === "end" ? after.members : [...open.asked].filter(goesOn));
    this.open = { ...open, keepers: after.keepers, parts, asked, isKept: true };
  }

  // -- an earlier place ---------------------------------------------------------------------------

  // A line of its own that stands before this height, with its line-ups there.
  backTo(height) {
    const line = new Line(this.genesis);
    for (let at = 0; at <= height; at++) {
      const step = at < this.height ? this.closed[at] : { ...this.open, parts: inOrder(this.open) };
      for (const { height: base, up } of this.begun) {
        if (base !== at) continue;
        const listed = (up.openings ?? []).map(toHex);
        for (const part of step.parts) {
          if (!listed.includes(toHex(part.id))) continue;
          line.open.parts.set(part.seat, part);
          line.open.what = "opening";
          line.open.stream = step.stream;
        }
        line.begin(up, line.roster.after(up, this.genesis.players));
      }
      if (at === height) break;
      const { attempt, keepers, asked, what, stream } = step;
      const parts = new Map(step.parts.map((part) => [part.seat, part]));
      line.open = { attempt, keepers, asked, what, stream, parts, isKept: false };
      line.close(step.behind);
    }
    return line;
  }
}

function inOrder({ parts }) {
  return [...parts.values()].sort((a, b) => a.seat - b.seat);
}

function upwards(one, other) {
  return one - other;
}
