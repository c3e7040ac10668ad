// The table of a game: who plays, and what its cards are. Shown is what the log and the page's own lists
// say. What the list beside the log says of it is held against that, and not shown once it was checked.

// Around a name that reads as something else in a sentence.
const AROUND_NAMES = /^[\s"'\u00ab\u00bb\u2018-\u201f\u2039\u203a\u200e\u200f\u2066-\u2069]*$/;

// The cards and tiles of a rule set, by their numbers, in the language of this page.
function cardsOfRules(ruleSet) {
  return Object.hasOwn(OWN_WORDS.cards, ruleSet) ? OWN_WORDS.cards[ruleSet] : [];
}

// Whether a player of this name may be called so in sentences.
function isCalled(called, name) {
  const at = called.indexOf(name);
  return at >= 0 && AROUND_NAMES.test(called.slice(0, at)) && AROUND_NAMES.test(called.slice(at + name.length));
}

// The table as the genesis tells it. `told`: the table of the list, for what players are called.
function tableOfLog({ players, ruleSet }, told) {
  return {
    ruleSet,
    players: players.map(({ name, monster }, seat) => {
      const called = told.players[seat]?.called ?? name;
      return { name, monster, called: isCalled(called, name) ? called : name };
    }),
  };
}

// What the table of the list says that the log does not: a list of clauses.
function faultsOfTable(told, { players, ruleSet }) {
  const own = players.map(({ name, monster, key }) => [name, monster, toHex(key)].join());
  const theirs = told.players.map(({ name, monster, key }) => [name, monster, key].join());
  const faults = [];
  if (own.join("\n") !== theirs.join("\n") || !told.players.every(({ called, name }) => isCalled(called, name))) {
    faults.push(say("it names other players than the log"));
  }
  const items = cardsOfRules(ruleSet).map(({ key }) => key);
  if (told.ruleSet !== ruleSet || told.items.join() !== items.join()) {
    faults.push(say("it names other cards than the rules have"));
  }
  return faults;
}
