// The genesis: who plays, with what, and what is committed to (PROTOCOL 6.2 and 6.3).

const WINDOWS = [2, 8];  // slots that are committed to ahead, of dice and of cards (7.1)
const RULE_SETS = ["classic", "second", "dark"];

// The genesis of a log: the body is right, all seats have signed it. Throws Malformed.
async function readGenesis(record, salt) {
  need(record.kind === KIND.GENESIS, "the first record is no genesis", "no-genesis");
  const [protocol, rules, charter, rows] = asArray(decode(record.body), 4);
  need(protocol === PROTOCOL && rules === RULES, "the genesis is of other versions than the head");
  const [table, fresh, start, ruleSet, options, seats, host, clocks] = asArray(charter, 8);
  need(asNumber(start) > 0, "number of a start");
  const owners = asArray(seats).map((seat) => asArray(seat, 5)[0]);
  const players = seats.map((seat, number) => readPlayer(seat, number, owners));
  checkPlayers(players, asNumber(host));
  const [turnClock, reactionClock] = asArray(clocks, 2).map((clock) => asNumber(clock, 86400));
  const keys = players.map((player) => player.key);
  const named = await hash("table", keys[host], ...keys, asBytes(fresh, 32));
  need(sameBytes(asBytes(table, 32), named), "the id of the table is another one");
  const keepers = players.filter(({ seat, keeper }) => seat === keeper).map(({ seat }) => seat);
  const genesis = {
    table, players, keepers, host, ruleSet: asText(ruleSet), options: readOptions(ruleSet, options, players.length),
    clocks: { turn: turnClock, reaction: reactionClock },
    rows: asArray(rows, keepers.length).map(readRow),  // one for each keeper
    game: await hash("genesis", record.body),
  };
  const commitments = genesis.rows.flatMap(([dice, cards]) => [...dice, ...cards]).map(toHex);
  need(new Set(commitments).size === commitments.length, "a commitment stands twice");
  need(sameBytes(genesis.game.slice(0, 16), salt), "the genesis of another log", "other-game");
  await checkAssents(genesis, record);
  genesis.phrase = await phraseOf(genesis.game);
  return genesis;
}

// [owner, name, monster, automatic, one game]; the owner is a key, or the seat of the keeper.
function readPlayer(value, seat, owners) {
  const [owner, name, monster, isAutomatic, oneGame] = asArray(value, 5);
  [isAutomatic, oneGame].forEach(asTruth);
  need(isName(asText(name)), "a name that is none");
  need(asText(monster) === "" || isName(monster), "a name of a monster that is none");
  const isKept = !(owner instanceof Uint8Array);
  const keeper = isKept ? asNumber(owner, owners.length - 1) : seat;
  need(owners[keeper] instanceof Uint8Array && !(isKept && oneGame), "a seat that nobody keeps");
  const key = asBytes(owners[keeper], 32);
  need(isGoodKey(key), "a key that fits any signature");
  return { seat, key, name, monster, isBot: isKept && isAutomatic, isKept, isAutomatic, isOneGame: oneGame, keeper };
}

function checkPlayers(players, host) {
  need(players.length >= 2 && players.length <= 6 && host < players.length, "number of seats");
  const keys = players.filter(({ isKept }) => !isKept).map(({ key }) => toHex(key));
  need(new Set(keys).size === keys.length, "a key sits twice");
  for (const one of players) {
    for (const other of players.slice(one.seat + 1)) {
      need(!areAlike(one.name, other.name), "two names that are alike");
    }
  }
  need(!players[host].isKept, "a kept seat keeps no table");
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

async function checkAssents({ players, keepers }, { body, signature }) {
  const seals = await withFault("unsigned-genesis", () => readSeals(signature));
  const isWhole = seals.map(({ seat }) => seat).join() === keepers.join();
  need(isWhole, "a genesis that not all have signed", "unsigned-genesis");
  for (const { seat, signature: seal } of seals) {
    need(await isSigned(players[seat].key, "genesis", body, seal), "a genesis with a forged signature", "unsigned-genesis");
  }
}

// Four words of 2048: the first 44 bits of a hash of the game id.
async function phraseOf(game) {
  const words = listText("words").split("\n").filter((word) => word);
  const bits = BigInt("0x" + toHex((await hash("phrase", game)).slice(0, 8))) >> 20n;
  return [33n, 22n, 11n, 0n].map((shift) => words[Number((bits >> shift) & 2047n)]).join(" ");
}
