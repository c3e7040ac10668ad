// What comes with the bytes of a log: the lines of an export (docs/FORMATS.md), in a file of their own or
// in a page. They tell what the rules make of the log, which this page does not know.

const EXPORT_VERSION = 2;
const LOG_MAGIC = "kotp2plg";
const EVIDENCE_MAGIC = "kotp2pev";
const FRONT_BYTES = 256;  // enough to tell what a file can be
const MOST_LOG_BYTES = 64 * 2 ** 20;
const MOST_OPENED_BYTES = 512 * 2 ** 20;  // a page or an export is some times as long as its log

// A file that is refused before its log is judged; the message is a sentence for the reader.
class Refusal extends Error {}

// A file that the reader gives: {bytes, told}. `told` is null for a bare log. Throws Refusal. A file
// that cannot be a log is not read, however long it is.
async function readGiven(file) {
  const front = new Uint8Array(await file.slice(0, FRONT_BYTES).arrayBuffer());
  const most = kindOfFile(front) === "log" ? MOST_LOG_BYTES : MOST_OPENED_BYTES;
  if (file.size > most) throw new Refusal(say("This file is longer than any log."));
  return readFile(new Uint8Array(await file.arrayBuffer()));
}

// What a file that begins with these bytes can be: "log" or "text". Throws Refusal.
function kindOfFile(front) {
  const text = String.fromCharCode(...front.subarray(0, FRONT_BYTES));
  if (text.startsWith(EVIDENCE_MAGIC)) {
    throw new Refusal(say("This is evidence of a cheat and no log. Check it with: {command}", { command: "kotp2p verify FILE" }));
  }
  if (text.startsWith(LOG_MAGIC)) return "log";
  if (/^(?:\u00ef\u00bb\u00bf)?\s*(?:\{|<!doctype html)/i.test(text)) return "text";
  throw new Refusal(sayNoExport());
}

function readFile(bytes) {
  if (kindOfFile(bytes) === "log") return { bytes, told: null };
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(sayNoExport());
  }
  return readLines(linesOfPage(text) ?? text);
}

// The lines in a page of this kind, or null for another text. Nothing of that page is run.
function linesOfPage(text) {
  const found = /<script type="application\/x-ndjson" id="game">([^<]*)<\/script>/.exec(text);
  return found === null ? null : found[1];
}

function readLines(text) {
  const rows = text.split("\n").filter((row) => row.trim() !== "");
  const first = rows.length > 0 ? readLine(rows[0], 0) : null;
  if (first?.line !== "log") throw new Refusal(sayNoExport());
  if (first.version !== EXPORT_VERSION) {
    throw new Refusal(say("This export is of version {version}, and this page reads version {own}.", { version: Number(first.version), own: EXPORT_VERSION }));
  }
  const lines = rows.map(readLine);
  const of = (kind) => lines.filter((line) => line.line === kind);
  const salt = readHex(first.salt, "log");
  const kinds = Object.fromEntries(Object.entries(KIND_NAMES).map(([kind, name]) => [name, Number(kind)]));
  const records = of("record").map(({ kind, body, signature }, index) =>
    packRecord(salt, index, { kind: kinds[kind] ?? 0, body: readHex(body, "record"), signature: readHex(signature, "record") }));
  const head = packHead(salt, [first.format, first.protocol, first.rules].map(Number));
  const rest = of("rest").map((line) => readHex(line.bytes, "rest"));
  const told = {
    table: of("table").map(readTable)[0] ?? null, moments: of("moment").map(readMoment),
    verdict: of("verdict").map(readVerdict)[0] ?? null,
  };
  needForm(told.table === null || told.verdict !== null, "verdict");
  for (const moment of told.moments) moment.board = readBoard(moment, told.table);
  addSentences(told, of("called")[0], of("told"));
  return { bytes: join(head, ...records, ...rest), told };
}

// A page has sentences beside the numbers, an export has none. Then the names of the events must do.
function addSentences({ table, moments }, called, sentences) {
  if (called !== undefined) {
    needForm(isTexts(called.names) && called.names.length === table?.players.length, "called");
    called.names.forEach((name, seat) => (table.players[seat].called = name));
  }
  for (const { moment, cause, told } of sentences) {
    needForm(moments[moment] !== undefined && typeof cause === "string" && Array.isArray(told), "told");
    needForm(told.every((line) => isTexts([line?.kind, line.text])), "told");
    Object.assign(moments[moment], { cause, told });
  }
}

// -- the form of the lines that the page shows; anybody can have written them -----------------------

function isTexts(value) {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isNumbers(value) {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}

function needForm(holds, line) {
  if (!holds) throw new Refusal(say("The line \"{line}\" is not as docs/FORMATS.md says.", { line }));
}

function sayNoExport() {
  return say("This is no log of kotp2p, and no export of one.");
}

function readHex(text, line) {
  needForm(isHex(text), line);
  return fromHex(text);
}

function readMoment({ moment, turn, record, head, draw, events, position }, n) {
  needForm(isNumbers([moment, turn, record]) && moment === n && /^[0-9a-f]{64}$/.test(head), "moment");
  needForm(isNumbers(position) && position[0] === turn && Array.isArray(events) && events.every((one) => isTexts([one?.event])), "moment");
  if (draw !== null) {
    const { stream, draws, piles, values } = draw ?? {};
    needForm(["dice", "cards"].includes(stream) && isNumbers(values) && Array.isArray(draws), "moment");
    needForm(Array.isArray(piles) && piles.every(isNumbers), "moment");
    needForm(draws.every((one) => Number.isSafeInteger(one?.size) && Number.isSafeInteger(one.pool)), "moment");
  }
  const told = events.map(({ event, ...fields }) => ({
    kind: event === "TurnStarted" ? "turn" : "fact", text: `${event} ${JSON.stringify(fields)}`,
  }));
  return { moment, turn, record, head, draw, position, told, cause: n === 0 ? say("The start") : say("Step {n}", { n: n - 1 }) };
}

function readBoard({ position }, table) {
  needForm(table !== null, "table");
  try {
    return readPosition(position, table.players.length);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return needForm(false, "moment");
  }
}

function readTable({ players, items, rule_set: ruleSet }) {
  const isPlayer = (player) => isTexts([player?.name, player?.monster, player?.key]);
  needForm(Array.isArray(players) && players.every(isPlayer) && isTexts(items) && isTexts([ruleSet]), "table");
  return { players: players.map(({ name, monster, key }) => ({ name, monster, key, called: name })), items, ruleSet };
}

function readVerdict({ result, reason, wrong_at: at }) {
  needForm(isTexts([result, reason]) && (at === null || isNumbers([at?.record, at.offset])), "verdict");
  return { result, reason, record: at?.record ?? null };
}

function readLine(text, number) {
  try {
    const line = JSON.parse(text);
    if (line !== null && typeof line === "object") return line;
  } catch {
    // below
  }
  throw new Refusal(say("This is no log of kotp2p, and no export of one: line {number} is no JSON.", { number: number + 1 }));
}
