// How the dice and cards of a moment came about, step by step, with the numbers of the log.

// What a value of a draw is called, other than that of a card.
function nameOfSide(value) {
  return value === 0 ? say("red") : say("green");
}

// Shows the draw of a moment, made anew here from what the players have opened.
async function showOrigin(found, told, n) {
  const step = found.line.steps[n - 1];
  const { draw } = told.moments[n];
  const panel = byId("draw");
  panel.hidden = true;
  if (draw === null || step === undefined || step.results.length === 0 || !isDrawInForm(step, draw)) return;
  const { slots, values } = await remake(found.genesis.game, step, draw);
  const isRight = values.join() === draw.values.join();
  const name = (value, i) => nameOfValue(told.table, draw, value, draw.draws[i].pool);
  fill("draw-body",
    element("p", {}, say("From the log: {values}.", { values: listed(values.map(name)) }), " ", isRight
      ? element("span", { class: "right" }, say("It is what the list tells."))
      : element("span", { class: "fault" }, say("The list tells something else."))),
    ...slots.map((slot, i) => slotSteps(told.table, draw, slot, i)));
  panel.hidden = false;
}

function nameOfValue(table, draw, value, pool) {
  if (draw.stream === "cards") return faceOf(table, draw.piles[pool][value]).name;
  return draw.kind === "sides" ? nameOfSide(value) : faceName(FACES[value] ?? { name: String(value) });
}

function slotSteps(table, draw, slot, i) {
  const inRecord = (record, bytes) => element("td", {}, say("Record {record}:", { record: record ?? "?" }), element("br"), hex(bytes));
  const rows = slot.parts.map(({ seat, part, record, sealed }) => element("tr", {},
    element("th", { scope: "row" }, table.players[seat].called),
    inRecord(sealed?.record, sealed?.commitment ?? ""), inRecord(record, toHex(part))));
  const head = [say("Player"), say("Sealed before"), say("Opened")].map((text) => element("th", { scope: "col" }, text));
  const name = slot.stream === CARDS ? say("Number {slot} of the cards:", { slot: slot.slot }) : say("Number {slot} of the dice:", { slot: slot.slot });
  return element("details", { open: i === 0 },
    element("summary", {}, name),
    element("ol", {},
      element("li", {},
        say("Each player had sealed a secret number for each draw: they had signed its hash. Behind the decision that made the draw necessary, all of them opened their numbers."), " ",
        say("What was sealed is the SHA-256 of the table, the seat, the slot and the number (PROTOCOL.md 7.1)."),
        element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...head)),
          element("tbody", {}, ...rows)))),
      element("li", {}, say("The head of the log before the draw:"), " ", hex(toHex(slot.head))),
      element("li", {}, say("The result is the SHA-256 of the game, that head, the slot and all opened numbers (PROTOCOL.md 7.2):"),
        " ", hex(toHex(slot.result))),
      element("li", {}, say("The SHA-256 of the result and of a block number gives numbers of 64 bits. Each of them gives one value:"),
        element("ul", {}, ...slot.steps.map((step, n) => element("li", {}, nameOfStep(table, draw, slot, step, n)))))));
}

// `n`: which of the steps of its slot. A slot of the cards gives one card, that of the last step.
function nameOfStep(table, draw, slot, { number, size, value, isSkipped }, n) {
  if (isSkipped) return say("{number} is too high to be fair modulo {size}: the next one.", { number, size });
  if (draw.stream === "cards" && n < slot.steps.length - 1) {
    return say("{number} modulo {size} is a card that is gone already: the next one.", { number, size });
  }
  return say("{number} modulo {size} is {value}: {what}.", { number, size, value, what: nameOfValue(table, draw, value, slot.pool ?? 0) });
}

function hex(text) {
  return element("span", { class: "hex" }, text);
}
