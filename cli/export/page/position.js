// The position as the list of numbers of PROTOCOL 5.6, its digest, and what a table shows of it.

const FACES = [
  { sign: "1", name: "1" }, { sign: "2", name: "2" }, { sign: "3", name: "3" },
  { sign: "\u2665", name: "heart" }, { sign: "\u26a1\ufe0e", name: "energy" }, { sign: "\u2726", name: "claw" },
];
const PENDING_KINDS = [
  "over", "dice", "cards", "sides", "look", "roll", "probe", "change", "order", "hearts", "response",
  "yield", "swap", "buy", "opportunist", "deposit", "copy", "tile", "sell", "again",
];

// SHA-256 over the tag and each number as a u32.
async function digestOfPosition(numbers) {
  return sha256(join(ascii("kotp2p/position/1"), Uint8Array.of(0), ...numbers.map(u32)));
}

// Throws Malformed if the numbers are no position of so many seats.
function readPosition(numbers, seats) {
  let at = 0;
  const next = () => {
    need(at < numbers.length && Number.isInteger(numbers[at]) && numbers[at] >= 0, "a position cut short");
    return numbers[at++];
  };
  const list = (read = next) => {
    const length = next();
    need(length <= numbers.length, "a list in a position that is too long");
    return Array.from({ length }, read);
  };
  const seat = () => (next() || 0) - 1;  // absent: -1
  const position = { turn: next(), active: next() };
  for (let i = 0; i < 5; i++) next();  // home, frozen, freeze, final push, frenzy
  list();  // others' frenzies
  next();  // roar
  position.monsters = Array.from({ length: seats }, () => ({
    isAlive: next() === 1, hearts: next(), points: next(), energy: next(), place: next(), poison: next(),
    shrink: next(), wickedness: next(), steps: list(), isZombie: next() === 1, isSheltered: next() === 1,
    holdings: list(() => ({ item: next(), acquired: next(), counters: next(), copies: seat(), used: next() })),
  }));
  position.market = [seat(), seat(), seat()];
  position.undrawn = list();
  position.discard = list();
  position.resolving = list();
  position.lookers = list();
  position.tiles = list();
  next();  // acquisitions so far
  position.dice = list();
  position.rolls = next();
  for (let i = 0; i < 3; i++) next();  // extra rolls, drew blood, triple ones
  position.winners = next() === 1 ? list() : null;
  position.pending = { kind: PENDING_KINDS[next()], seat: seat(), draws: next() };
  need(at === numbers.length, "a position that is too long");
  return position;
}
