// The table at a moment: monsters, dice, cards.

// What a card or tile is, by its number. `table`: the line "table" of the export.
function faceOf(table, item) {
  return table.faces[table.items[item]] ?? { name: `item ${item}`, text: "" };
}

function showBoard(table, position) {
  fill("board", ...position.monsters.map((monster, seat) => monsterCard(table, position, monster, seat)));
  showDice(table, position);
  const cards = position.market.filter((item) => item >= 0).map((item) => {
    const { name, cost, keep, text } = faceOf(table, item);
    return element("li", {}, element("b", {}, name), ` (${cost} energy, ${keep ? "keep" : "once"}): ${text}`);
  });
  const rest = `${count(position.undrawn.length, "card", "cards")} in the deck, ` +
    `${position.discard.length} discarded.`;
  fill("market", cards.length > 0 ? element("ul", { class: "cards" }, ...cards) : "No card lies there.",
    element("p", { class: "quiet" }, rest));
}

function monsterCard(table, position, monster, seat) {
  const { called, monster: kind } = table.players[seat];
  const isActive = position.turn > 0 && position.active === seat && position.winners === null;
  const numbers = [["Hearts", monster.hearts], ["Points", monster.points], ["Energy", monster.energy]];
  if (monster.poison) numbers.push(["Poison", monster.poison]);
  if (monster.shrink) numbers.push(["Shrink", monster.shrink]);
  if (monster.wickedness) numbers.push(["Wickedness", monster.wickedness]);
  const marks = [];
  if (position.winners?.includes(seat)) marks.push("has won");
  if (!monster.isAlive) marks.push("out of the game");
  if (isActive) marks.push("on turn");
  if (monster.isZombie) marks.push("a zombie");
  if (monster.isSheltered) marks.push("sheltered");
  return element("article",
    { class: `monster${isActive ? " active" : ""}${monster.isAlive ? "" : " out"}`, "data-seat": seat },
    element("h4", {}, called, kind ? element("span", { class: "quiet" }, ` (${kind})`) : null),
    element("p", {},
      monster.isAlive ? element("span", { class: monster.place ? "place" : "quiet" }, PLACE_NAMES[monster.place]) : null,
      marks.length > 0 ? ` ${monster.isAlive ? "\u00b7 " : ""}${marks.join(", ")}` : null),
    element("dl", {}, ...numbers.map(([name, n]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, String(n))))),
    holdingsOf(table, monster));
}

function holdingsOf(table, { holdings }) {
  if (holdings.length === 0) return null;
  return element("ul", { class: "cards" }, ...holdings.map(({ item, counters, copies }) => {
    const { name, text } = faceOf(table, item);
    const copied = copies >= 0 ? ` as ${faceOf(table, copies).name}` : "";
    const lying = counters > 0 ? ` with ${counters} on it` : "";
    return element("li", {}, element("b", {}, name), `${copied}${lying}: ${text}`);
  }));
}

function showDice(table, { dice, active, winners }) {
  const faces = dice.map((face) => FACES[face] ?? { sign: "?", name: "unknown" });
  const words = faces.length === 0 || winners !== null
    ? "No dice lie on the table"
    : `Dice of ${table.players[active].called}: ${faces.map((face) => face.name).join(", ")}`;
  byId("dice").setAttribute("aria-label", words);
  fill("dice", ...faces.map((face) => element("span", { class: "die", title: face.name }, face.sign)));
}
