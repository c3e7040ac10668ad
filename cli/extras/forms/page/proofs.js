// Proofs of cheating: which seat one convicts (PROTOCOL 9.6), as far as that needs no rules.

// What a proof shows on a line: {seat, height}. `seat` is null if only the rules or a shared secret can
// tell, which `takes` says; then `seats` are those that it can be about. Throws Malformed: it convicts
// nobody.
async function convict(line, bodies) {
  const { players } = line.genesis;
  const [one, two] = bodies;
  const last = bodies.at(-1);
  if (last.is === "entry" && last.what === "blame") {
    need(bodies.length === 1 || !(one.is === "entry" && one.what === "blame"), "two blames");
    return blamed(line, last);
  }
  if (bodies.length === 1) {
    need(one.is === "entry", "one body that is no entry");
    return offence(line, one);
  }
  const isOfLeaver = one.is === "farewell" && two.is === "entry";
  const author = isOfLeaver ? players[two.seat].keeper : two.seat;
  need(one.seat === author, "bodies of two authors");
  need(contradicts(one, two), "two bodies that do not contradict each other");
  return { seat: two.seat, height: 0 };
}

function contradicts(one, two) {
  if (one.is === "entry" && two.is === "entry") {
    const isOnePlace = one.view === two.view && one.height === two.height;
    return one.what !== "blame" && isOnePlace && !sameBytes(one.id, two.id);
  }
  if (one.is === "farewell" && two.is === "farewell") return !sameBytes(one.id, two.id);
  if (one.is === "farewell" && two.is === "entry") return isAtOrBehind(two, one);
  if (one.is === "farewell" && two.is === "vote") {
    const isNamed = two.view === one.view && one.rounds.includes(two.round);
    return two.choice === DROP && two.view >= one.view && !isNamed;
  }
  if (one.is === "vote" && two.is === "vote") {
    const isOneRound = one.view === two.view && one.round === two.round;
    const differ =
      one.height !== two.height || !sameBytes(one.head, two.head) || one.accused.join() !== two.accused.join();
    return one.choice === DROP && two.choice === DROP && isOneRound && differ;
  }
  return false;
}

async function offence(line, entry) {
  const { view, height, prev, seat } = entry;
  need(height <= line.height && sameBytes(line.heads[height], prev) && line.views[height] === view,
    "an entry of another past");
  const there = height === line.height ? line : line.backTo(height);
  try {
    await there.check(entry);
  } catch (error) {
    if (error instanceof Malformed) return { seat, height };
    throw error;
  }
  return { seat: null, seats: [seat], height, takes: "rules" };
}

// 8: who is wrong about a share can only be told by opening it, which this page does not do.
function blamed(line, blame) {
  need(blame.height <= line.height && sameBytes(line.heads[blame.height], blame.prev), "a blame on another past");
  const shared = line.steps.find((step) => step.what === "share" && sameBytes(step.behind, blame.prev));
  const looker = shared && line.steps[shared.height - 1].parts[0];
  if (shared === undefined || looker?.seat !== blame.seat || looker.key === null) {
    return { seat: blame.seat, height: blame.height };
  }
  const seats = [shared.parts[0].seat, blame.seat];
  return { seat: null, seats, height: blame.height, takes: "share" };
}
