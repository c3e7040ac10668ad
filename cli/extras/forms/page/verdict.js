// The verdict on a log (PROTOCOL 10.5), from its bytes alone.

// `onProgress(share)` is called now and then. Returns a report; see `report` below. `why` is in English,
// for programmers; `words` is why the log is not sound, for everybody.
async function verify(bytes, onProgress = () => {}) {
  let file;
  try {
    file = new LogFile(bytes);
  } catch (error) {
    if (error instanceof Unreadable) return { result: "unreadable", why: error.message, words: wordsOfUnreadable(error) };
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
    await judge.beginLineUps();
    return report(judge, records, { result: "wrong", why: error.message, words: wordsOfFault(error.fault), ...at, isTorn: false });
  }
  await judge.beginLineUps();
  if (judge.closing !== null) return report(judge, records, { result: "sound", why: "", isTorn: file.isTorn });
  if (judge.endBelow !== null) {
    return report(judge, records, { result: "unchecked", why: "no end", isTorn: file.isTorn });
  }
  const words = wordsOfUnfinished(judge);
  return report(judge, records, { result: "unfinished", why: "no end", words, isTorn: file.isTorn });
}

// `unchecked`: only the rules tell which of two lines of play counts, and one of them has an end.
// `sound`: every signature, head, commitment and opening is right, and players have signed an end.
function report(judge, records, found) {
  const { genesis, line, closing, count, unchecked } = judge;
  return {
    ...found, records, judge, genesis, line, closing, unchecked, places: judge.places,
    count: { ...count, records: records.length, steps: line?.height ?? 0 },
  };
}
