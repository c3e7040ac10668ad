// A line of play: the steps that have closed, one behind the other (PROTOCOL 5, without the rules).
//
// The rules say which seat owes what. This page does not know them, so it takes that from the log:
// an answer or a share closes its step at once. The parts of a gather are closed by the first body
// behind it, which names the head that they make together. So a part that is left out, another one,
// or one too many shows: the heads do not fit.

class Line {
  constructor(genesis) {
    this.genesis = genesis;
    this.view = 0;
    this.steps = [];  // closed ones
    this.heads = [genesis.game];  // before each height; the last one is the present one
    this.views = [0];  // in which each step stands
    this.parts = new Map();  // of the step that is open, by seat
    // A seat that is not in here is out. One that is in here may have fallen since the last gather.
    this.living = new Set(genesis.players.map((player) => player.seat));
    this.slots = new Slots(genesis);
    this.isRenewing = false;
    this.looker = null;  // {seat, key}: has asked to look at the top card (5.3, code 12)
    this.since = 0;  // the height behind the last certificate
    this.lastGather = 0;
    this.gatherBefore = 0;
    this.voters = null;  // the keepers behind the last certificate, until a gather closes
  }

  get height() {
    return this.steps.length;
  }

  get head() {
    return this.heads.at(-1);
  }

  keepersOf(seats) {
    return new Set([...seats].map((seat) => this.genesis.players[seat].keeper));
  }

  // 9.2: the lowest heights that votes may name, without and with proofs.
  get undoFloor() {
    return Math.max(this.since, this.lastGather);
  }

  get convictFloor() {
    return Math.max(this.since, this.gatherBefore);
  }

  // -- does an entry fit? -------------------------------------------------------------------------

  // Throws Malformed unless the entry, which names this place and head, is of a form that can be owed
  // here, opens what was committed to, and commits to what is new.
  async check(entry) {
    need(this.living.has(entry.seat), "an entry of a seat that is out");
    need(!this.parts.has(entry.seat), "a second entry of one seat for one place");
    const known = this.known;
    if (known !== undefined) {
      const isOwed = known.what === "stand-in" || known.what === entry.what;
      need(isOwed && known.asked.includes(entry.seat), "another entry is owed");
    }
    const first = this.parts.values().next().value ?? known?.parts[0];
    need(first === undefined || first.what === entry.what, "another kind of entry is owed");
    need(this.isRenewing === (entry.what === "commits"), "another kind of entry is owed");
    await this[`check_${entry.what}`](entry, first);
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

  async check_share({ seat, slot }) {
    const { half } = this.slots;
    need(half !== null && half.slot === slot && half.owner === seat, "a share of no top card of its seat");
    need(this.looker !== null && this.looker.key !== null, "a share that nobody has asked for");
  }

  async check_opening(entry, first) {
    if (first !== undefined) {
      const shape = ({ stream, slot, parts, position }) =>
        [stream, slot, parts.length, position === null ? "" : toHex(position)].join();
      need(shape(first) === shape(entry), "openings of one gather that do not fit each other");
    }
    const withholds = entry.parts.includes(null);
    need(!withholds || this.looker?.seat === entry.seat, "a part is withheld");
    const isLook = this.looker !== null && this.slots.half === null && entry.seat === this.looker.seat;
    need(withholds || !isLook || entry.stream !== CARDS, "a part that the looker would withhold is shown");
    await this.slots.checkOpening(entry);
  }

  async check_commits(entry) {
    const { keeper } = this.genesis.players[entry.seat];
    need(this.voters === null || this.voters.has(keeper),
      "seats were dropped without the vote of a keeper that is still in the game");
    this.slots.checkCommits(entry);
  }

  // -- closing a step -----------------------------------------------------------------------------

  // Takes an entry that `check` has let through.
  async take(entry) {
    this.parts.set(entry.seat, entry);
    if (entry.what === "answer" || entry.what === "share") this.close([], entry.id);
    // When all have signed that can be in the game, nothing else can come to this gather.
    else if (this.parts.size === this.living.size) this.close([], await this.headBehind([], false));
  }

  // The head behind the open step if stand-ins take these places (5.4, 9.3).
  // `isSolo`: a step that asks one seat alone, whose place is taken.
  async headBehind(gone, isSolo, head = this.head, height = this.height, parts = this.parts) {
    const { game } = this.genesis;
    const ids = new Map([...parts].map(([seat, part]) => [seat, part.id]));
    for (const said of gone) {
      ids.set(said.as, await hash("absent", game, head, height, said.as, said.id));
    }
    if (isSolo) return ids.get(gone[0].as);
    const order = [...ids.keys()].sort(upwards);
    return hash("gather", game, head, height, ...order.map((seat) => ids.get(seat)));
  }

  // The open step closes: with its parts, and with the stand-ins of the seats that are gone.
  close(gone, head, isSolo = false) {
    const bySeat = [...this.parts.values()].sort((a, b) => a.seat - b.seat);
    const what = bySeat[0]?.what ?? "stand-in";
    const isGather = what === "opening" || what === "commits" || (gone.length > 0 && !isSolo);
    const asked = [...bySeat.map((part) => part.seat), ...gone.map((said) => said.as)].sort(upwards);
    const { height } = this;
    const step = {
      what, height, view: this.view, head: this.head, parts: bySeat, gone, asked, results: [], isSolo,
      isGather,
    };
    if (isGather) {
      [this.gatherBefore, this.lastGather] = [this.lastGather, height];
      this.living = new Set(bySeat.map((part) => part.seat));
      this.voters = null;
      this.isRenewing = false;
    }
    gone.forEach((said) => this.living.delete(said.as));
    this.closeParts(step, { height, isBurnt: gone.length > 0 });
    this.move(step, head);
  }

  closeParts(step, how) {
    const { what, parts } = step;
    if (what === "opening") {
      step.results = this.slots.close(parts, { head: step.head, ...how });
      const wasLook = parts.some((part) => part.parts.includes(null));
      if (wasLook && !how.isBurnt) this.looker = null;
    } else if (what === "commits") {
      this.slots.renew(parts, how.height);
    } else if (what === "answer") {
      const { seat, code, key, part } = parts[0];
      if (code === 11) step.results = [this.slots.takeTop(parts[0], part)];
      // A look without a key says that nobody holds the top card: its looker is out.
      if (code === 12 && key === null) this.slots.half = null;
      this.looker = code === 12 ? { seat, key } : null;
    } else if (what === "share") {
      this.looker = null;
    }
  }

  // 9.2 R8: a certificate closes the step there.
  drop(certificate) {
    const { accused, id } = certificate;
    const step = {
      what: "certificate", height: this.height, view: this.view, head: this.head, parts: [],
      gone: [], asked: accused, results: [], certificate,
    };
    accused.forEach((seat) => this.living.delete(seat));
    this.view = certificate.view + certificate.round;
    this.isRenewing = true;
    this.voters = certificate.keepers;
    this.move(step, id);
    this.since = this.height;
  }

  move(step, head) {
    // 7.4: when the looker is out, the slot is burnt.
    if (this.slots.half !== null && !this.living.has(this.slots.half.owner)) this.slots.half = null;
    if (this.looker !== null && !this.living.has(this.looker.seat)) this.looker = null;
    step.behind = head;
    this.steps.push(step);
    this.heads.push(head);
    this.views.push(this.view);
    this.parts = new Map();
  }

  // -- coming to a place that a body names --------------------------------------------------------

  // Closes what must have closed if the line is to stand at this place with this head, in its view.
  // False, and nothing has changed: no parts and stand-ins make such a head.
  async reach(height, head, farewells) {
    if (height === this.height) return sameBytes(this.head, head);
    if (height < this.height) return false;
    const start = { head: this.head, height: this.height, living: this.living, parts: this.parts };
    const plan = await this.search(start, height, head, farewells);
    plan?.forEach(({ gone, isSolo, behind }) => this.close(gone, behind, isSolo));
    return plan !== null;
  }

  // The closings that lead there, or null. Only the open step has parts; steps behind it that nobody
  // has signed are those of seats that have left, one or more of which each of them puts out.
  async search(from, height, head, farewells) {
    const left = [...from.living].filter(
      (seat) => !from.parts.has(seat) && this.hasLeft(seat, from.height, farewells));
    for (const gone of subsets(left)) {
      if (gone.length + from.parts.size === 0) continue;
      const said = gone.map((seat) => ({ ...farewells.get(seat), as: seat }));
      const forms = from.parts.size === 0 && gone.length === 1 ? [true, false] : [false];
      for (const isSolo of forms) {
        const behind = await this.headBehind(said, isSolo, from.head, from.height, from.parts);
        const step = { gone: said, isSolo, behind };
        if (from.height + 1 === height) {
          if (sameBytes(behind, head)) return [step];
          continue;
        }
        const living = new Set([...from.living].filter((seat) => !gone.includes(seat)));
        const next = { head: behind, height: from.height + 1, living, parts: new Map() };
        const more = await this.search(next, height, head, farewells);
        if (more !== null) return [step, ...more];
      }
    }
    return null;
  }

  hasLeft(seat, height, farewells) {
    const said = farewells.get(seat);
    return said !== undefined && isAtOrBehind({ view: this.view, height }, said);
  }

  // -- an earlier place ---------------------------------------------------------------------------

  // A line of its own that stands before this height, with nothing of that step; `known` is what
  // this line has there.
  backTo(height) {
    const line = new Line(this.genesis);
    for (const step of this.steps.slice(0, height)) {
      if (step.certificate !== undefined) {
        line.drop(step.certificate);
      } else {
        step.parts.forEach((part) => line.parts.set(part.seat, part));
        line.close(step.gone, step.behind, step.isSolo);
      }
    }
    const known = this.steps[height];
    if (known !== undefined && known.certificate === undefined) line.known = known;
    return line;
  }
}

function upwards(one, other) {
  return one - other;
}

// All subsets, the largest first: whoever has left is missing in every gather that asks for them.
function subsets(items) {
  const all = [];
  for (let bits = 0; bits < 2 ** items.length; bits++) all.push(items.filter((_, i) => (bits >> i) & 1));
  return all.sort((a, b) => b.length - a.length);
}
