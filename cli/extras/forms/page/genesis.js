// The genesis: who plays, with what, and what is committed to (PROTOCOL 6.2 and 6.3).

const WINDOWS = [2, 8];  // slots that are committed to ahead, of dice and of cards (7.1)
const RULE_SETS = ["classic", "second", "dark"];

// The genesis of a log: the body is right, all seats have signed it. Throws Malformed.
async function readGenesis(record, salt) {
  need(record.kind === KIND.GENESIS, "the first record is no genesis", "no-genesis");
  const [protocol, rules, charter, rows] = asArray(decode(record.body), 4);
  need(protocol === PROTOCOL && rules === RULES, "the genesis is of other versions than the head");
  const [table, fresh, ruleSet, options, seats, host, clocks] = asArray(charter, 7);
  const players = asArray(seats).map((seat, number) => readPlayer(seat, number, asNumber(host)));
  checkPlayers(players, host);
  const [turnClock, reactionClock] = asArray(clocks, 2).map((clock) => asNumber(clock, 86400));
  const keys = players.map((player) => player.key);
  const named = await hash("table", keys[host], ...keys, asBytes(fresh, 32));
  need(sameBytes(asBytes(table, 32), named), "the id of the table is another one");
  const genesis = {
    table, players, host, ruleSet: asText(ruleSet), options: readOptions(ruleSet, options, players.length),
    clocks: { turn: turnClock, reaction: reactionClock },
    rows: asArray(rows, players.length).map(readRow),
    game: await hash("genesis", record.body),
  };
  const commitments = genesis.rows.flatMap(([dice, cards]) => [...dice, ...cards]).map(toHex);
  need(new Set(commitments).size === commitments.length, "a commitment stands twice");
  need(sameBytes(genesis.game.slice(0, 16), salt), "the genesis of another log", "other-game");
  await checkAssents(genesis, record);
  genesis.phrase = await phraseOf(genesis.game);
  return genesis;
}

// [key, name, monster, bot, one game, automatic]
function readPlayer(value, seat, host) {
  const [key, name, monster, bot, oneGame, isAutomatic] = asArray(value, 6);
  [bot, oneGame, isAutomatic].forEach(asTruth);
  need(!(bot && isAutomatic), "two marks of a bot");
  need(isName(asText(name)), "a name that is none");
  need(asText(monster) === "" || isName(monster), "a name of a monster that is none");
  need(isGoodKey(asBytes(key, 32)), "a key that fits any signature");
  return { seat, key, name, monster, isBot: bot, isAutomatic, isOneGame: oneGame, keeper: bot ? host : seat };
}

function checkPlayers(players, host) {
  need(players.length >= 2 && players.length <= 6 && host < players.length, "number of seats");
  need(new Set(players.map((player) => toHex(player.key))).size === players.length, "a key sits twice");
  for (const one of players) {
    for (const other of players.slice(one.seat + 1)) {
      need(!areAlike(one.name, other.name), "two names that are alike");
    }
  }
  need(!players[host].isBot, "a bot keeps no table");
}

// [nonce, commitments of dice slots 0 and 1, commitments of card slots 0 to 7]
function readRow(value) {
  const [nonce, dice, cards] = asArray(value, 3);
  asBytes(nonce, 32);
  return [asHashes(dice, WINDOWS[0]), asHashes(cards, WINDOWS[1])];
}

function readOptions(ruleSet, value, seats) {
  need(RULE_SETS.includes(ruleSet), "a rule set that is not in the box");
  const [two, bay, sides] = asArray(value, 3);
  need(["red", "green", "mixed"].includes(asText(sides)), "sides of tiles that there are not");
  need(!asTruth(two) || seats === 2, "the option for two players");
  need(!asTruth(bay) || ruleSet === "classic", "the option for beginners");
  need(sides === "red" || ruleSet === "dark", "the option for tiles");
  return { two_players: two, bay_for_beginners: bay, tiles: sides };
}

async function checkAssents(genesis, { body, signature }) {
  const { players } = genesis;
  need(signature.length === 64 * players.length, "a genesis that not all have signed", "unsigned-genesis");
  for (const { key, seat } of players) {
    const own = signature.slice(64 * seat, 64 * seat + 64);
    need(await isSigned(key, "genesis", body, own), "a genesis with a forged signature", "unsigned-genesis");
  }
}

// Four words of 2048: the first 44 bits of a hash of the game id.
async function phraseOf(game) {
  const words = listText("words").split("\n").filter((word) => word);
  const bits = BigInt("0x" + toHex((await hash("phrase", game)).slice(0, 8))) >> 20n;
  return [33n, 22n, 11n, 0n].map((shift) => words[Number((bits >> shift) & 2047n)]).join(" ");
}
