// The list that comes with a log, held against the log: does each moment stand in it, does each die and
// card follow from what was opened (PROTOCOL 7.2, 7.3), is each board what the players have signed (5.6)?

// The values of a draw, made anew from the results of its slots. `step`: the closed step of the log.
// Returns {slots: [{...draw of the step, result, steps}], values}.
async function remake(game, step, draw) {
  const slots = [];
  for (const slot of step.results) slots.push({ ...slot, result: await resultOf(game, slot), steps: [] });
  const values = draw.stream === "cards" ? await cardsOf(slots, draw) : await diceOf(slots, draw);
  return { slots, values };
}

// 7.2: the draws of a node are taken one after the other from one stream.
async function diceOf([slot], { draws }) {
  const numbers = new Numbers(slot.result);
  const values = [];
  for (const { size } of draws) values.push(await numbers.take(size));
  slot.steps = numbers.steps;
  return values;
}

// 7.3: each card has a slot; values that an earlier draw has taken from the same pile are passed over.
async function cardsOf(slots, { draws, piles }) {
  const values = [];
  for (const [i, { pool }] of draws.entries()) {
    const numbers = new Numbers(slots[i].result);
    const taken = draws.slice(0, i).flatMap((other, k) => (other.pool === pool ? [values[k]] : []));
    let value = await numbers.take(piles[pool].length);
    while (taken.includes(value)) value = await numbers.take(piles[pool].length);
    slots[i].steps = numbers.steps;
    slots[i].pool = pool;
    values.push(value);
  }
  return values;
}

function isDrawInForm(step, draw) {
  const isCount = (n) => Number.isInteger(n) && n > 0 && n < 1000;
  const isList = (list) => Array.isArray(list) && list.length > 0 && list.length < 1000;
  if (!isList(draw.draws) || !draw.draws.every((one) => isCount(one.size))) return false;
  if (draw.stream !== "cards") return step.results.length === 1;
  const isPool = ({ pool, size }) => isList(draw.piles?.[pool]) && draw.piles[pool].length === size;
  const isEnough = draw.draws.every(({ pool }, i) => draw.draws.slice(0, i).filter((d) => d.pool === pool).length < draw.piles[pool]?.length);
  return step.results.length === draw.draws.length && draw.draws.every(isPool) && isEnough;
}

// The line on which the moments of the list stand, of those that may count.
function lineOfList({ genesis, line, mayCount }, moments) {
  const heads = moments.map(({ head }) => head).join();
  const isOn = ({ steps }) => [genesis.game, ...steps.map(({ behind }) => behind)].map(toHex).join() === heads;
  return mayCount.find(isOn) ?? line;
}

// Everything that the list tells, against a checked log. Returns
// {faults: [{moment, why}], dice, cards, positions: Set of moments whose board the players have signed}.
async function checkTold(found, told, onProgress = () => {}) {
  const checked = { faults: [], dice: 0, cards: 0, positions: new Set() };
  for (const why of faultsOfTable(told.table, found.genesis)) checked.faults.push({ moment: 0, why });
  return checkMoments(found, told.moments, checked, onProgress);
}

// The record by which a step has closed, as far as the log tells: that of its last part, or of the
// last assents to a line-up.
function recordOfStep({ parts, up }) {
  if (up !== undefined) return up.record;
  const records = parts.map(({ record }) => record).filter(Number.isInteger);
  return records.length > 0 ? Math.max(...records) : null;
}

async function checkMoments({ result, line: { steps, closing }, genesis }, moments, checked, onProgress) {
  const { faults } = checked;
  moments.forEach((moment, n) => {
    const head = n === 0 ? genesis.game : steps[n - 1]?.behind;
    if (head === undefined || moment.head !== toHex(head)) faults.push({ moment: n, why: say("it is not in the log") });
  });
  const isWhole = ["sound", "unfinished", "unchecked"].includes(result);
  if (isWhole && moments.length !== steps.length + 1) {
    faults.push({ moment: moments.length - 1, why: say("the log goes on, and the list does not") });
  }
  for (const [n, step] of steps.entries()) {
    if (moments[n + 1] === undefined) break;
    if (n % 50 === 0) await onProgress(n / steps.length);
    await checkDraw(genesis.game, step, moments[n + 1], n + 1, checked);
    const position = step.parts.find((part) => part.position)?.position;
    if (position) await checkBoard(moments[n], n, position, checked);
    if (step.what === "line-up") await checkBoard(moments[n + 1], n + 1, step.up.digest, checked);
  }
  if (closing !== null && moments.length === steps.length + 1) {
    await checkBoard(moments.at(-1), moments.length - 1, closing.position, checked);
  }
  return checked;
}

async function checkDraw(game, step, { draw }, n, checked) {
  if ((step.results.length === 0) !== (draw === null)) {
    checked.faults.push({ moment: n, why: say("the log has a draw where the list has none, or the other way round") });
  } else if (draw !== null) {
    const made = isDrawInForm(step, draw) ? (await remake(game, step, draw)).values : [];
    if (made.join() !== [...(draw.values ?? [])].join()) {
      checked.faults.push({ moment: n, why: say("what was drawn does not follow from what was opened") });
    }
    checked[draw.stream === "cards" ? "cards" : "dice"] += draw.draws.length;
  }
}

async function checkBoard({ position }, n, signed, checked) {
  const isRight = Array.isArray(position) && sameBytes(await digestOfPosition(position), signed);
  if (isRight) checked.positions.add(n);
  else checked.faults.push({ moment: n, why: say("the players have signed another board") });
}
