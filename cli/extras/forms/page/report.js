// The verdict in words, and what was checked for it.

const COMMAND = "kotp2p verify";

function showChecking(share) {
  byId("verdict").dataset.result = "none";
  byId("verdict-progress").hidden = false;
  byId("verdict-progress").value = share;
  byId("verdict-tick").textContent = "";
  byId("verdict-line").textContent = say("Checking the log \u2026");
}

function showFault(why) {
  showVerdict("unreadable", say("Nothing was checked. {why}", { why }));
}

function showUncheckable() {
  showVerdict("unchecked",
    say("Not checked: this browser cannot check Ed25519 signatures (WebCrypto), so this page says nothing of whether the log is right. Try a newer browser, or: {command}",
      { command: COMMAND }));
}

const TICKS = { sound: "\u2713", unfinished: "\u2026", unchecked: "?", wrong: "\u2717", unreadable: "\u2717" };

// `shown` is how the page judges what it was given, and `result` how it judges the log alone.
function showVerdict(shown, words, result = shown) {
  byId("verdict").dataset.result = shown;
  byId("verdict-tick").textContent = TICKS[shown];
  byId("verdict-progress").hidden = true;
  byId("verdict-line").textContent = result === "sound" ? say("Sound, as far as a page can tell.") : words;
  byId("verdict-words").textContent = result === "sound" ? words : "";
  byId("verdict-keys").hidden = true;
  byId("verdict-list").hidden = true;
  fill("checks-done");
  fill("checks-open");
}

// `checked` is what checkTold has found, null for a bare log.
function showReport(found, told, checked) {
  const doubts = told === null ? [] : doubtsOf(found, told, checked);
  showVerdict(doubts.length > 0 ? "wrong" : found.result, wordsOf(found), found.result);
  byId("verdict-list").hidden = doubts.length === 0;
  fill("verdict-list", ...doubts.map((text) => element("span", {}, `${text} `)));
  const { genesis } = found;
  if (genesis) {
    byId("verdict-keys").hidden = false;
    const people = genesis.players.filter(({ isBot }) => !isBot);
    byId("verdict-keys").textContent =
      sayCount("You know 0 of {n} key: this log could have been made by one person. (A page cannot know whom you have met; {command} does.) Table phrase: {phrase}.",
        "You know 0 of {n} keys: this log could have been made by one person. (A page cannot know whom you have met; {command} does.) Table phrase: {phrase}.",
        people.length, { command: COMMAND, phrase: genesis.phrase });
    fill("checks-done", ...doneChecks(found, checked).map((text) => element("li", {}, text)));
  }
  fill("checks-open", ...openChecks(found, told).map((text) => element("li", {}, text)));
}

function wordsOf({ result, words, record, offset, isTorn, closing, genesis, judge }) {
  const torn = isTorn ? ` ${say("An unfinished record at its end was left out.")}` : "";
  switch (result) {
    case "sound": {
      const names = listed(closing.signers.map((seat) => genesis.players[seat].name));
      const sound = say("Nothing here was changed, and {names} confirmed the end.", { names });
      return `${sound} ${wordsOfWinners(closing.winners.map((seat) => genesis.players[seat].name))}${torn}`;
    }
    case "unfinished":
      return say("Sound as far as it goes, but unfinished ({why}).", { why: words }) + torn;
    case "unchecked": {
      const names = listed(judge.endBelow.signers.map((seat) => genesis.players[seat].name));
      return say("Not judged: {names} confirmed an end, but only the rules tell whether a change of who plays comes before it. Ask {command}.", { names, command: COMMAND }) + torn;
    }
    case "wrong":
      return say("WRONG at record {record}, byte {offset}: {why}.", { record, offset, why: words });
    default:
      return say("Unreadable: {why}.", { why: words });
  }
}

function wordsOfWinners(names) {
  if (names.length === 0) return say("Nobody has won.");
  return sayCount("{names} has won.", "{names} have won.", names.length, { names: listed(names) });
}

function doneChecks({ count: n, genesis, closing }, checked) {
  const done = [
    sayCount("The genesis: {n} player has signed rule set, options, clocks and each other.", "The genesis: all {n} players have signed rule set, options, clocks and each other.", genesis.players.length),
    sayCount("{n} signature (Ed25519), each by the seat that it names.", "{n} signatures (Ed25519), each by the seat that it names.", n.signatures),
    sayCount("The chain: {n} step, each of which names the hash of everything before it.", "The chain: {n} steps, each of which names the hash of everything before it.", n.steps),
    sayCount("{n} secret number that players have opened, each against what they had sealed.", "{n} secret numbers that players have opened, each against what they had sealed.", n.openings),
    sayCount("{n} seal, none of which stands twice.", "{n} seals, none of which stands twice.", n.commitments),
  ];
  if (closing !== null) done.push(say("The last record, signed by {names}.", { names: listed(closing.signers.map((s) => genesis.players[s].name)) }));
  if (checked !== null) {
    done.push(say("{dice} and {cards}, made anew from these numbers, given how many were drawn and from which pile.",
      { dice: sayCount("{n} die", "{n} dice", checked.dice), cards: sayCount("{n} card", "{n} cards", checked.cards) }));
    done.push(sayCount("{n} board that this page shows, against what all players have signed.", "{n} boards that this page shows, against what all players have signed.", checked.positions.size));
  }
  return done;
}

function openChecks({ unchecked = [] }, told) {
  const open = [
    say("The rules: who had to decide, whether a decision was legal, who was out, and whether the game was over."),
    told === null
      ? say("Which dice and cards the results of the slots stand for: that takes the list of an export.")
      : say("The list beside the log: how many dice or cards a draw took and from which pile, the sentences, and the boards without a mark."),
    say("Who the players are."),
  ];
  for (const { record, takes } of unchecked) {
    open.push(takes === "share"
      ? say("Whether the proof of a cheat in record {record} holds: a card must be opened for that which only two players may see.", { record })
      : say("Whether the proof of a cheat in record {record} holds: that takes the rules.", { record }));
  }
  return open;
}

// What speaks against the list beside the log, and what `verify` has said of the log to its maker.
function doubtsOf({ result }, { verdict }, checked) {
  const doubts = [];
  const [fault] = checked?.faults ?? [];
  const isLeft = result === "unchecked" && verdict?.result !== "wrong";
  if (verdict !== null && verdict.result !== result && !isLeft) {
    const words = wordsOfResult(verdict.result);
    const claim = verdict.record === null ? words : say("{result} at record {record}", { result: words, record: verdict.record });
    doubts.push(result === "wrong"
      ? say("The maker of this file says that {command} has found: {result}. This page says that the log is wrong.", { command: COMMAND, result: words })
      : say("The maker of this file says that {command} has found: {result}. It knows the rules, and this page does not.", { command: COMMAND, result: claim }));
  }
  if (fault !== undefined) {
    doubts.push(say("The list beside the log does not fit it at moment {moment}: {why}. Do not trust what is shown there.", { moment: fault.moment, why: fault.why }));
  }
  return doubts;
}
