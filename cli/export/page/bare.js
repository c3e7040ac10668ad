// A log without a list of moments: what its records say by themselves.

const ANSWER_NAMES = [
  "stop rolling", "reroll", "use a card", "pass", "done", "order of the dice", "hearts", "yield", "stay", "swap",
  "buy", "buy the top card", "look at the top card", "sweep the market", "deposit energy", "copy a card", "keep the copy",
  "take a tile", "sell cards", "take the extra turn",
];
const MOST_BARE_STEPS = 5000;

function showBare({ line, genesis }) {
  const name = (seat) => genesis.players[seat].name;
  const names = (seats) => listed(seats.map(name));
  const wordsOfStep = ({ what, parts, gone, asked, certificate, results }) => {
    const left = gone.length > 0 ? ` ${names(gone.map(({ as }) => as))}: left the game.` : "";
    switch (what) {
      case "answer": {
        const { seat, code, fields } = parts[0];
        const plain = fields.filter((field) => !(field instanceof Uint8Array));
        return `${name(seat)}: ${ANSWER_NAMES[code]}${plain.length > 0 ? ` ${JSON.stringify(plain)}` : ""}`;
      }
      case "share":
        return `${name(parts[0].seat)} shares the top card`;
      case "opening": {
        const { stream, slot, parts: shown } = parts[0];
        const last = slot + shown.length - 1;
        const slots = last > slot ? `slots ${slot} to ${last}` : `slot ${slot}`;
        const nothing = results.length === 0 ? ", and nothing is drawn" : "";
        return `${names(parts.map(({ seat }) => seat))} open ${slots} of ${STREAM_NAMES[stream]}${nothing}.${left}`;
      }
      case "commits":
        return `${names(parts.map(({ seat }) => seat))} seal new numbers.${left}`;
      case "certificate":
        return `${names(asked)}: out by the votes of ${names(certificate.votes.map(({ seat }) => seat).sort(upwards))}`;
      default:
        return left.trim();
    }
  };
  const players = genesis.players.map((p) => element("li", {}, `${p.name}${p.isBot ? ` (bot of ${name(p.keeper)})` : ""}: `, hex(toHex(p.key))));
  const steps = line.steps.slice(0, MOST_BARE_STEPS).map((step) => element("li", {}, wordsOfStep(step)));
  fill("bare-steps", ...steps);
  byId("bare").querySelector("ul")?.remove();
  byId("bare-steps").before(element("ul", {}, ...players));
  byId("bare").hidden = false;
}
