// The verdict in words, and what was checked for it.

const COMMAND = "kotp2p verify";

function showChecking(share) {
  byId("verdict").dataset.result = "none";
  byId("verdict-progress").hidden = false;
  byId("verdict-progress").value = share;
  byId("verdict-line").textContent = "Checking the log \u2026";
}

function showFault(why) {
  showVerdict("unreadable", `Nothing was checked. ${why}`);
}

function showUncheckable() {
  showVerdict("unchecked",
    "Not checked: this browser cannot check Ed25519 signatures (WebCrypto), so this page says nothing of " +
    `whether the log is right. Try a newer browser, or: ${COMMAND}`);
}

function showVerdict(result, words) {
  byId("verdict").dataset.result = result;
  byId("verdict-progress").hidden = true;
  byId("verdict-line").textContent = words;
  byId("verdict-keys").hidden = true;
  byId("verdict-list").hidden = true;
  fill("checks-done");
  fill("checks-open");
}

// `checked` is what checkTold has found, null for a bare log.
function showReport(found, told, checked) {
  const doubts = told === null ? [] : doubtsOf(found, told, checked);
  showVerdict(doubts.length > 0 ? "wrong" : found.result, wordsOf(found));
  byId("verdict-list").hidden = doubts.length === 0;
  fill("verdict-list", ...doubts.map((text) => element("span", {}, `${text} `)));
  const { genesis } = found;
  if (genesis) {
    byId("verdict-keys").hidden = false;
    const people = genesis.players.filter(({ isBot }) => !isBot);
    byId("verdict-keys").textContent =
      `You know 0 of ${count(people.length, "key", "keys")}: this log could have been made by one person. ` +
      `(A page cannot know whom you have met; ${COMMAND} does.) Table phrase: ${genesis.phrase}.`;
    fill("checks-done", ...doneChecks(found, checked).map((text) => element("li", {}, text)));
  }
  fill("checks-open", ...openChecks(found, told).map((text) => element("li", {}, text)));
}

function wordsOf({ result, why, record, offset, isTorn, closing, genesis }) {
  const torn = isTorn ? " An unfinished record at its end was left out." : "";
  switch (result) {
    case "sound": {
      const names = listed(closing.signers.map((seat) => genesis.players[seat].name));
      return `Sound, as far as a page can tell: nothing here was changed, and ${names} confirmed the end.${torn}`;
    }
    case "unfinished":
      return `Sound as far as it goes, but unfinished (${why}).${torn}`;
    case "wrong":
      return `WRONG at record ${record}, byte ${offset}: ${why}.`;
    default:
      return `Unreadable: ${why}.`;
  }
}

function doneChecks({ count: n, genesis, closing }, checked) {
  const done = [
    `The genesis: all ${genesis.players.length} players have signed rule set, options, clocks and each other.`,
    `${count(n.signatures, "signature", "signatures")} (Ed25519), each by the seat that it names.`,
    `The chain: ${count(n.steps, "step", "steps")}, each of which names the hash of everything before it.`,
    `${count(n.openings, "secret number", "secret numbers")} that players have opened, each against what they had sealed; ` +
      `${count(n.commitments, "seal", "seals")}, none of which stands twice.`,
  ];
  if (closing !== null) done.push(`The last record, signed by ${listed(closing.signers.map((s) => genesis.players[s].name))}.`);
  if (checked !== null) {
    done.push(`${count(checked.dice, "die", "dice")} and ${count(checked.cards, "card", "cards")}, made anew from these numbers, ` +
      "given how many were drawn and from which pile.");
    done.push(`${count(checked.positions.size, "board", "boards")} that this page shows, against what all players have signed.`);
  }
  return done;
}

function openChecks({ unchecked = [] }, told) {
  const open = [
    "The rules: who had to decide, whether a decision was legal, who was out, and whether the game was over.",
    told === null
      ? "Which dice and cards the results of the slots stand for: that takes the list of an export."
      : "The list beside the log: how many dice or cards a draw took and from which pile, the sentences, and the boards without a mark.",
    "Who the players are.",
  ];
  for (const { record, why } of unchecked) {
    open.push(`Whether the proof of a cheat in record ${record} holds: that takes ${why}.`);
  }
  return open;
}

// What speaks against the list beside the log, and what `verify` has said of the log to its maker.
function doubtsOf({ result }, { verdict }, checked) {
  const doubts = [];
  const [fault] = checked?.faults ?? [];
  if (verdict !== null && verdict.result !== result) {
    const at = verdict.record === null ? "" : ` at record ${verdict.record} (${verdict.reason})`;
    doubts.push(result === "wrong"
      ? `Whoever made this file says that ${COMMAND} has found the log ${verdict.result}. This page says that it is wrong.`
      : `Whoever made this file says that ${COMMAND} has found the log ${verdict.result}${at}: it knows the rules, and this ` +
        "page does not.");
  }
  if (fault !== undefined) {
    doubts.push(`The list beside the log does not fit it at moment ${fault.moment}: ${fault.why}. Do not trust what is shown there.`);
  }
  return doubts;
}
