// The log beside the table: all sentences, turn by turn, with the present one marked.

const MOST_TURNS_SHOWN = 300;  // of a longer game, those around the present one

class StoryPanel {
  constructor(moments, onPick) {
    Object.assign(this, { onPick, marked: [], first: null });
    this.place = byId("log");
    this.place.onclick = (event) => {
      const line = event.target.closest("[data-moment]");
      if (line !== null) onPick(Number(line.dataset.moment));
    };
    // Of each turn, from 0 for what is before the first one: [{moment, text}].
    this.turns = [[]];
    moments.forEach(({ told, cause }, n) => {
      const lines = told.length > 0 ? told : [{ kind: "fact", text: cause }];
      for (const { kind, text } of lines) {
        if (kind === "turn") this.turns.push([]);
        this.turns.at(-1).push({ moment: n, text });
      }
    });
  }

  // Writes the turns around the one of this moment, unless they stand there.
  write(n) {
    const behind = this.turns.findIndex(([line]) => line !== undefined && line.moment > n);
    const at = (behind < 0 ? this.turns.length : behind) - 1;
    const isShort = this.turns.length <= MOST_TURNS_SHOWN;
    const first = isShort ? 0 : Math.max(0, 50 * (Math.floor(at / 50) - 2));
    if (this.first === first) return;
    this.first = first;
    const shown = this.turns.slice(first, isShort ? undefined : first + MOST_TURNS_SHOWN);
    fill("log", ...shown.flatMap((lines, i) => this.turnLines(lines, first + i)));
    if (!isShort) this.place.append(element("p", { class: "quiet" }, say("More turns stand here when you go there.")));
  }

  turnLines(lines, turn) {
    const title = turn === 0 ? say("Before the first turn") : say("Turn {n}", { n: turn });
    const button = element("button", { type: "button", "data-moment": lines[0]?.moment ?? 0 }, title);
    return [element("h4", {}, button),
      ...lines.map(({ moment, text }) => element("p", { "data-moment": moment }, text))];
  }

  show(n) {
    this.write(n);
    this.marked.forEach((line) => line.classList.remove("now"));
    this.marked = [...this.place.querySelectorAll(`p[data-moment="${n}"]`)];
    this.marked.forEach((line) => line.classList.add("now"));
    for (const line of this.place.querySelectorAll("p[data-moment]")) {
      line.classList.toggle("later", Number(line.dataset.moment) > n);
    }
    const [first] = this.marked;
    if (first !== undefined) {
      const { offsetTop, offsetHeight } = first;
      const { scrollTop, clientHeight } = this.place;
      if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight - 40) {
        this.place.scrollTop = offsetTop - clientHeight / 3;
      }
    }
  }
}
