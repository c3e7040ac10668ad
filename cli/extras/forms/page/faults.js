// Why a log is not sound, in words for everybody. `kotp2p verify` says the same with the same words.

const OTHER_FAULT = "place";

// A clause about the record that is wrong; `fault` is that of Malformed.
function wordsOfFault(fault) {
  const words = {
    damaged: () => say("its bytes are not those that were written: the file is damaged there"),
    "behind-end": () => say("it comes after the end of the game"),
    "no-genesis": () => say("the log does not begin with the record that says who plays"),
    genesis: () => say("the record that says who plays is not written as it must be"),
    "unsigned-genesis": () => say("not all players have signed who plays, and by which rules"),
    "other-game": () => say("it is from another game"),
    twice: () => say("it stands in the log twice"),
    form: () => say("it is not written as it must be"),
    signature: () => say("it is not signed by the player whom it names"),
    place: () => say("it does not fit what stands before it"),
    opening: () => say("a number that it opens is not the one that was sealed"),
    seal: () => say("it seals a number with a hash that has stood before"),
    "line-up": () => say("it is a change of who plays that does not fit what stands before it"),
    proof: () => say("it is the proof of a cheat, and it proves nothing"),
  };
  return (Object.hasOwn(words, fault) ? words[fault] : words[OTHER_FAULT])();
}

// A clause: why these bytes are no log that this page reads.
function wordsOfUnreadable({ fault, versions }) {
  if (fault === "damaged-head") return say("its first bytes are damaged");
  if (fault === "no-log") return say("this is no log of kotp2p");
  const [format, protocol, rules] = versions;
  const own = [FORMAT, PROTOCOL, RULES];
  const at = versions.findIndex((number, i) => number !== own[i]);
  if (versions[at] < own[at]) {
    return say("a version of kotp2p from before 1.0 has written it, and no published version reads it: format {format}, protocol {protocol}, rules {rules}", { format, protocol, rules });
  }
  return say("a newer version of kotp2p has written it: format {format}, protocol {protocol}, rules {rules}; this one reads format {own_format}, protocol {own_protocol}, rules {own_rules}",
    { format, protocol, rules, own_format: FORMAT, own_protocol: PROTOCOL, own_rules: RULES });
}

// A clause: what is missing in a log that is right as far as it goes.
function wordsOfUnfinished({ genesis }) {
  return genesis === null ? say("it holds no record of a game") : say("nobody has confirmed an end");
}

// What `verify` has found, as the line "verdict" of an export names it.
function wordsOfResult(result) {
  const words = {
    sound: () => say("sound"),
    unfinished: () => say("unfinished"),
    wrong: () => say("wrong"),
    unreadable: () => say("unreadable"),
  };
  return Object.hasOwn(words, result) ? words[result]() : result;
}
