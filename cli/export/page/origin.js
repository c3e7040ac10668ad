// How the dice and cards of a moment came about, step by step, with the numbers of the log.

const VALUE_NAMES = {
  dice: (value) => FACES[value]?.name ?? String(value),
  sides: (value) => (value === 0 ? "red" : "green"),
};

// Shows the draw of a moment, made anew here from what the players have opened.
async function showOrigin(found, told, n) {
  const step = found.judge.line.steps[n - 1];
  const { draw } = told.moments[n];
  const panel = byId("draw");
  panel.hidden = true;
  if (draw === null || step === undefined || step.results.length === 0 || !isDrawInForm(step, draw)) return;
  const { slots, values } = await remake(found.genesis.game, step, draw);
  const isRight = values.join() === draw.values.join();
  const name = (value, i) => nameOfValue(told.table, draw, value, draw.draws[i].pool);
  fill("draw-body",
    element("p", {}, `From the log: ${listed(values.map(name))}. `, isRight
      ? element("span", { class: "right" }, "It is what the list tells.")
      : element("span", { class: "fault" }, "The list tells something else.")),
    ...slots.map((slot, i) => slotSteps(told.table, draw, slot, i, slots.length > 1 ? [values[i]] : values)));
  panel.hidden = false;
}

function nameOfValue(table, draw, value, pool) {
  if (draw.stream === "cards") return faceOf(table, draw.piles[pool][value]).name;
  return (VALUE_NAMES[draw.kind] ?? VALUE_NAMES.dice)(value);
}

function slotSteps(table, draw, slot, i, values) {
  const rows = slot.parts.map(({ seat, part, record, sealed }) => element("tr", {},
    element("th", { scope: "row" }, table.players[seat].called),
    element("td", {}, `record ${sealed?.record ?? "?"}: `, hex(sealed?.commitment ?? "")),
    element("td", {}, `record ${record}: `, hex(toHex(part)))));
  const head = ["Player", "Sealed before, in", "Opened, in"].map((text) => element("th", { scope: "col" }, text));
  const numbers = slot.steps.map(({ number, size, value, isSkipped }) => {
    if (isSkipped) return element("li", {}, `${number} is passed over, as it would favour small values.`);
    return element("li", {}, `${number} mod ${size} = ${value}: ${nameOfValue(table, draw, value, slot.pool ?? 0)}`);
  });
  return element("details", { open: i === 0 },
    element("summary", {}, `Slot ${slot.slot} of the ${STREAM_NAMES[slot.stream]}`),
    element("ol", {},
      element("li", {}, "Each player has sealed a secret number before anybody knew what it would be for, and has opened it " +
        "now. SHA-256 of table, seat, slot and number is what was sealed (PROTOCOL 7.1).",
        element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...head)),
          element("tbody", {}, ...rows)))),
      element("li", {}, "SHA-256 of the game, the head of the chain before this draw, the slot and all these numbers " +
        "is the result (7.2): ", hex(toHex(slot.result)), ". The head was ", hex(toHex(slot.head)), "."),
      element("li", {}, "SHA-256 of the result and a block number gives numbers of 64 bits. Each gives one value:",
        element("ul", {}, ...numbers))));
}

function hex(text) {
  return element("span", { class: "hex" }, text);
}
