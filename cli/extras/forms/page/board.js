// The table at a moment: monsters, dice, cards.

// What a card or tile is, by its number.
function faceOf(table, item) {
  return cardsOfRules(table.ruleSet)[item] ?? { name: `#${inOwnDigits(item)}`, text: "" };
}

function showBoard(table, position) {
  fill("board", ...position.monsters.map((monster, seat) => monsterCard(table, position, monster, seat)));
  showDice(table, position);
  const cards = position.market.filter((item) => item >= 0).map((item) => {
    const { name, cost, keep, text } = faceOf(table, item);
    return element("li", {}, element("b", {}, name),
      keep ? say(" ({cost} energy, keep): {text}", { cost, text }) : say(" ({cost} energy, once): {text}", { cost, text }));
  });
  const rest = sayCount("{n} card in the deck, {discarded} discarded.", "{n} cards in the deck, {discarded} discarded.",
    position.undrawn, { discarded: position.discard.length });
  fill("market", cards.length > 0 ? element("ul", { class: "cards" }, ...cards) : say("No card lies there."),
    element("p", { class: "quiet" }, rest));
}

function monsterCard(table, position, monster, seat) {
  const { called, monster: kind } = table.players[seat];
  const isActive = position.turn > 0 && position.active === seat && position.winners === null;
  const numbers = [[say("Hearts"), monster.hearts], [say("Points"), monster.points], [say("Energy"), monster.energy]];
  if (monster.poison) numbers.push([say("Poison"), monster.poison]);
  if (monster.shrink) numbers.push([say("Shrink"), monster.shrink]);
  if (monster.wickedness) numbers.push([say("Wickedness"), monster.wickedness]);
  const marks = [];
  if (position.winners?.includes(seat)) marks.push(say("has won"));
  if (!monster.isAlive) marks.push(say("out of the game"));
  if (isActive) marks.push(say("on turn"));
  if (monster.isZombie) marks.push(say("a zombie"));
  if (monster.isSheltered) marks.push(say("sheltered"));
  return element("article",
    { class: `monster${isActive ? " active" : ""}${monster.isAlive ? "" : " out"}`, "data-seat": seat },
    portraitOf(kind, moodOf(monster, position.winners?.includes(seat) ?? false)),
    element("h4", {}, called, kind ? element("span", { class: "quiet" }, ` (${kind})`) : null),
    element("p", {},
      monster.isAlive ? element("span", { class: monster.place ? "place" : "quiet" }, placeName(monster.place)) : null,
      marks.length > 0 ? ` ${monster.isAlive ? "\u00b7 " : ""}${withCommas(marks)}` : null),
    element("dl", {}, ...numbers.map(([name, n]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, inOwnDigits(n))))),
    holdingsOf(table, monster));
}

function holdingsOf(table, { holdings }) {
  if (holdings.length === 0) return null;
  return element("ul", { class: "cards" }, ...holdings.map(({ item, counters, copies }) => {
    const { name, text } = faceOf(table, item);
    const copied = copies >= 0 ? say(" as {card}", { card: faceOf(table, copies).name }) : "";
    const lying = counters > 0 ? say(" with {n} on it", { n: counters }) : "";
    return element("li", {}, element("b", {}, name), `${copied}${lying}: ${text}`);
  }));
}

function placeName(place) {
  return [say("outside Tokyo"), say("in Tokyo City"), say("in Tokyo Bay")][place];
}

function faceName({ name }) {
  return { heart: say("heart"), energy: say("energy"), claw: say("claw") }[name] ?? inOwnDigits(name);
}

function showDice(table, { dice, active, winners }) {
  // As the sentences name them, by face.
  const faces = [...dice].sort((one, other) => one - other).map((face) => FACES[face] ?? { sign: "?", name: "?" });
  const words = faces.length === 0 || winners !== null
    ? say("No dice lie on the table")
    : say("Dice of {name}: {faces}", { name: table.players[active].called, faces: withCommas(faces.map(faceName)) });
  byId("dice").setAttribute("aria-label", words);
  fill("dice", ...faces.map((face) => element("figure", {}, element("div", { class: "die" }, face.sign),
    isNaN(face.sign) ? element("figcaption", {}, faceName(face)) : null)));
}
