// A log without a list of moments: what its records say by themselves.

const MOST_BARE_STEPS = 5000;

function showBare({ line, genesis }) {
  const name = (seat) => genesis.players[seat].name;
  const names = (seats) => listed(seats.map(name));
  const wordsOfStep = ({ what, parts, results, stream, up, keepers }) => {
    const made = parts.filter((part) => part.what !== "witness");
    switch (what) {
      case "answer": {
        const { seat, code, fields } = made[0];
        const numbers = fields.flat(Infinity).filter((field) => !(field instanceof Uint8Array));
        const shown = withCommas(numbers.map((number) => (number === null ? "\u2013" : inOwnDigits(number))));
        return `${name(seat)}: ${answerNames()[code]}${shown === "" ? "" : ` (${shown})`}`;
      }
      case "share":
        return say("{name} shares the top card.", { name: name(made[0].seat) });
      case "opening":
        return wordsOfOpening(names(made.map(({ seat }) => seat)), { stream, slot: results[0]?.slot ?? 0, parts: made[0].parts }, results);
      case "rows":
        return say("New numbers sealed by: {names}.", { names: names(made.map(({ seat }) => seat)) });
      default:
        return up.plan.map((change) => wordsOfChange(change, keepers, name)).join(" ");
    }
  };
  const seats = genesis.players.map((player) => element("li", {}, titleOfPlayer(player, name), " ", hex(toHex(player.key))));
  const steps = line.steps.slice(0, MOST_BARE_STEPS).map((step) => element("li", {}, wordsOfStep(step)));
  fill("bare-steps", ...steps);
  byId("bare").querySelector("ul")?.remove();
  byId("bare-steps").before(element("ul", {}, ...seats));
  byId("bare").hidden = false;
}

function titleOfPlayer({ name, isBot, keeper }, nameOf) {
  return isBot ? say("{name} (bot of {keeper}):", { name, keeper: nameOf(keeper) }) : say("{name}:", { name });
}

// What a line-up says of a keeper (PROTOCOL.md 9.2). `keepers`: who keeps each seat from then on.
function wordsOfChange({ keeper, reason }, keepers, nameOf) {
  const name = nameOf(keeper);
  switch (reason) {
    case REASON.CHEATED:
      return say("{name} is out of the game for cheating.", { name });
    case REASON.LEFT:
      return say("{name} has given up.", { name });
    case REASON.ABSENT:
      return say("A bot plays for {name} until {name} is back, in {keeper}'s program.", { name, keeper: nameOf(keepers[keeper]) });
    case REASON.AGAIN:
      return say("{name} has started the program again and plays on.", { name });
    default:
      return say("{name} is back and plays again.", { name });
  }
}

// `names`: of those who have opened numbers for these slots.
function wordsOfOpening(names, { stream, slot, parts }, results) {
  const fields = { names, slots: slotsInWords(slot, slot + parts.length - 1) };
  if (results.length === 0) {
    return stream === CARDS
      ? say("Numbers of the cards ({slots}) opened by: {names}. Nothing is drawn.", fields)
      : say("Numbers of the dice ({slots}) opened by: {names}. Nothing is drawn.", fields);
  }
  return stream === CARDS
    ? say("Numbers of the cards ({slots}) opened by: {names}.", fields)
    : say("Numbers of the dice ({slots}) opened by: {names}.", fields);
}

function slotsInWords(first, last) {
  return last > first ? `${inOwnDigits(first)}\u2013${inOwnDigits(last)}` : inOwnDigits(first);
}

// By the code of the answer (PROTOCOL.md 5.3). Behind them stand the numbers of its fields.
function answerNames() {
  return [
    say("stops rolling"), say("rerolls dice"), say("uses a card"), say("passes"), say("is done"), say("chooses the order of the dice"),
    say("spreads hearts"), say("leaves Tokyo"), say("stays in Tokyo"), say("swaps a card"), say("buys a card"), say("buys the top card"),
    say("looks at the top card"), say("sweeps the shop"), say("puts energy on a card"), say("copies a card"), say("keeps the copy"),
    say("takes a tile"), say("sells cards"), say("takes another turn"),
  ];
}
