// Opening a log: the one that the page carries, or one that the reader gives.

let replay = null;
const OWN_SUBTITLE = byId("subtitle").textContent;
const OWN_TITLE = document.title;
let opening = 0;  // how many logs were opened: a check that is late must not show

async function open(name, read) {
  const own = ++opening;
  const isLate = () => own !== opening;
  replay?.close();
  replay = null;
  byId("bare").hidden = true;
  byId("title").textContent = name;
  byId("subtitle").textContent = OWN_SUBTITLE;
  document.title = OWN_TITLE;
  showChecking(0);
  try {
    const { bytes, told } = await read();
    if (isLate()) return null;
    return await check(bytes, told, isLate);
  } catch (error) {
    const isRefused = error instanceof Refusal;
    if (!isLate()) showFault(isRefused ? error.message : say("This page has failed at it. That says nothing of the log."));
    if (!isRefused) throw error;
    return { result: "unreadable", why: error.message };
  }
}

async function check(bytes, told, isLate) {
  const hasMoments = told !== null && told.table !== null && told.moments.length > 0;
  if (hasMoments) replay = new Replay(told);
  if (!(await hasEd25519())) {
    showUncheckable();
    return { result: "unchecked" };
  }
  const pause = async (share) => {
    if (isLate()) throw new Refusal("");  // nobody reads it: another log was opened
    showChecking(share);
    await new Promise((resolve) => setTimeout(resolve));
  };
  const found = await verify(bytes, pause);
  const isShown = hasMoments && Boolean(found.line);
  if (isShown) found.line = lineOfList(found.judge, told.moments);
  const checked = isShown ? await checkTold(found, told, pause) : null;
  if (isLate()) return null;
  showReport(found, hasMoments ? told : null, checked);
  if (isShown) {
    told.table = tableOfLog(found.genesis, told.table);
    replay.take(told.table, checked, [0, ...found.line.steps.map(recordOfStep)]);
    replay.onShown = (n) => showOrigin(found, told, n);
    replay.showOutcome(found.closing?.winners ?? null);
    replay.go(replay.at);
  } else if (!hasMoments && found.genesis) {
    showBare(found);
  }
  if (found.genesis) showTitle(found.genesis);
  return { ...found, checked };
}

function showTitle({ players, phrase, ruleSet }) {
  byId("title").textContent = listed(players.map(({ name }) => name));
  byId("subtitle").textContent = say("{phrase} \u00b7 {rules} rules", { phrase, rules: ruleSet });
  document.title = `kotp2p: ${phrase}`;
}

function openFile(file) {
  return open(file.name, () => readGiven(file));
}

function listenForFiles() {
  byId("file").onchange = () => {
    const [file] = byId("file").files;
    if (file !== undefined) openFile(file);
  };
  document.ondragover = (event) => {
    event.preventDefault();
    document.body.classList.add("drop");
  };
  document.ondragleave = () => document.body.classList.remove("drop");
  document.ondrop = (event) => {
    event.preventDefault();
    document.body.classList.remove("drop");
    const [file] = event.dataTransfer.files;
    if (file !== undefined) openFile(file);
  };
}

listenForFiles();
const own = byId("game").textContent;
if (own.trim() !== "") open(say("A game of King of Tokyo"), async () => readLines(own));

// For a console, and for tests: the verdict on bytes, without showing anything.
window.kotp2p = {
  verify: async (bytes) => {
    if (!(await hasEd25519())) return { result: "unchecked" };
    const { result, why, record, offset, unchecked } = await verify(bytes);
    return { result, why, record, offset, unchecked };
  },
  open: (name, bytes) => open(name, async () => readFile(bytes)),
  isSigned, isGoodKey, isName, looksOf, areAlike, digestOfPosition, fromHex, toHex,
};
