// The portraits of the monsters, from the same file as those of the terminal.

const PORTRAITS = new Map(Object.entries(JSON.parse(byId("own-portraits").textContent)));
const FEW_HEARTS = 3;

// A drawing, or null for a monster of which there is none. `mood`: "calm", "hurt" or "winning".
function portraitOf(monster, mood) {
  const portrait = PORTRAITS.get(monster);
  if (portrait === undefined) return null;
  const rows = lettersOf(portrait, mood);
  const runs = new Map();
  rows.forEach((row, y) => {
    for (const { 0: run, index: x } of row.matchAll(/([^.])\1*/g)) {
      runs.set(run[0], `${runs.get(run[0]) ?? ""}M${x} ${y}h${run.length}v1h-${run.length}z`);
    }
  });
  const paths = [...runs].map(([letter, d]) => drawing("path", { d, fill: portrait.palette[letter] }));
  return drawing("svg", {
    viewBox: `0 0 ${rows[0].length} ${rows.length}`, class: "portrait", "shape-rendering": "crispEdges", "aria-hidden": "true",
  }, ...paths);
}

function lettersOf({ rows, moods }, mood) {
  const overlay = moods[mood];
  if (overlay === undefined) return rows;
  const letters = rows.map((row) => [...row]);
  overlay.rows.forEach((row, y) => [...row].forEach((letter, x) => {
    if (letter !== "_") letters[overlay.row + y][overlay.column + x] = letter;
  }));
  return letters.map((row) => row.join(""));
}

function moodOf({ hearts, isAlive }, hasWon) {
  if (hasWon) return "winning";
  return !isAlive || hearts <= FEW_HEARTS ? "hurt" : "calm";
}
