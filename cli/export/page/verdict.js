// The verdict on a log (PROTOCOL 10.5), from its bytes alone.

const NOT_CHECKED = [
  "the rules: who had to decide what, whether each answer was legal, and who was in the game",
  "how many dice or cards a draw took, and from which pile (the list that comes with the log)",
];

// `onProgress(share)` is called now and then. Returns a report; see `report` below.
async function verify(bytes, onProgress = () => {}) {
  let file;
  try {
    file = new LogFile(bytes);
  } catch (error) {
    if (error instanceof Unreadable) return { result: "unreadable", why: error.message };
    throw error;
  }
  const judge = new Judge(file.salt);
  const records = [];
  let at = { record: 0, offset: HEAD_BYTES };
  let told = performance.now();
  try {
    for (;;) {
      at = { record: file.index, offset: file.offset };
      const record = file.next();
      if (record === null) break;
      await judge.add(record);
      records.push(record);
      if (performance.now() - told > 100) {
        told = performance.now();
        await onProgress(file.offset / bytes.length);
      }
    }
  } catch (error) {
    if (!(error instanceof Malformed || error instanceof Damaged)) throw error;
    return report(judge, records, { result: "wrong", why: error.message, ...at, isTorn: false });
  }
  const isEnded = judge.closing?.what.is === "end";
  return report(judge, records, {
    result: isEnded ? "sound" : "unfinished", why: isEnded ? "" : whyUnfinished(judge), isTorn: file.isTorn,
  });
}

// `sound`: every signature, head, commitment and opening is right, and players have signed an end.
function report(judge, records, found) {
  const { genesis, line, closing, count, unchecked } = judge;
  return {
    ...found, records, judge, genesis, line, closing, unchecked, places: judge.places,
    count: { ...count, records: records.length, steps: line?.height ?? 0 },
  };
}

function whyUnfinished({ closing, genesis }) {
  if (genesis === null) return "there is no record of a game";
  if (closing === null) return "nobody has confirmed an end";
  const names = closing.signers.map((seat) => genesis.players[seat].name).join(", ");
  return closing.what.absent.length > 0 ? `abandoned, claimed by ${names}` : `adjourned, signed by ${names}`;
}
