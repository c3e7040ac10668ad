// The position as the list of numbers of PROTOCOL 5.6, its digest, and what a table shows of it.

const FACES = [
  { sign: "1", name: "1" }, { sign: "2", name: "2" }, { sign: "3", name: "3" },
  { sign: "\u2665", name: "heart" }, { sign: "\u26a1\ufe0e", name: "energy" }, { sign: "\u2726", name: "claw" },
];
const PENDING_KINDS = [
  "over", "dice", "cards", "sides", "look", "roll", "probe", "change", "order", "hearts", "response",
  "yield", "swap", "buy", "opportunist", "deposit", "copy", "tile", "sell", "again",
];

// SHA-256 over the tag and each number in LEB128.
async function digestOfPosition(numbers) {
  return sha256(join(ascii("kotp2p/position/2"), Uint8Array.of(0), ...numbers.map(leb128)));
}

// Seven bits a byte, the lowest first; the highest bit of a byte says that another one follows.
function leb128(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
  return Uint8Array.of(...bytes, number);
}

// Throws Malformed if the numbers are no position of so many seats.
function readPosition(numbers, seats) {
  let at = 0;
  const next = () => {
    need(at < numbers.length && Number.isInteger(numbers[at]) && numbers[at] >= 0, "a position cut short");
    return numbers[at++];
  };
  const several = (length, read = next) => {
    need(length <= numbers.length, "a list in a position that is too long");
    return Array.from({ length }, read);
  };
  const list = () => several(next());
  const seat = () => (next() || 0) - 1;  // absent: -1
  const skip = (count) => { for (let i = 0; i < count; i++) next(); };
  const position = { turn: next(), active: next() };
  skip(5);  // home, frozen, freeze, final push, frenzy
  position.rolls = next();
  skip(5);  // extra rolls, drew blood, triple ones, acquisitions so far, roar
  position.undrawn = next();
  list();  // others' frenzies
  position.discard = list();
  position.resolving = list();
  position.lookers = list();
  position.tiles = list();
  position.dice = list();
  position.market = [seat(), seat(), seat()];
  const monster = () => {
    const found = {
      isAlive: next() === 1, hearts: next(), points: next(), energy: next(), place: next(),
      poison: next(), shrink: next(), wickedness: next(), isZombie: next() === 1,
      isSheltered: next() === 1,
    };
    const steps = next();
    const holdings = next();
    found.steps = several(steps);
    found.holdings = several(holdings, () => ({
      item: next(), acquired: next(), counters: next(), copies: seat(), used: next(),
    }));
    return found;
  };
  position.monsters = Array.from({ length: seats }, monster);
  position.winners = next() === 1 ? list() : null;
  position.pending = { kind: PENDING_KINDS[next()], seat: seat(), draws: next() };
  need(at === numbers.length, "a position that is too long");
  return position;
}
