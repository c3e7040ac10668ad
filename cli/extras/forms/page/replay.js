// The reader's place in the game: steps, turns, playing by itself, keys.

const MOMENT_SECONDS = 1.6;  // at speed 1

class Replay {
  // `checked`: what checkTold has found, or null before the check.
  constructor({ table, moments }) {
    this.table = table;
    this.moments = moments;
    this.positions = moments.map(({ board }) => board);
    this.at = 0;
    this.timer = null;
    this.checked = null;
    this.records = moments.map(({ record }) => record);
    this.onShown = () => {};
    byId("moment").max = this.last;
    byId("turn").max = moments.at(-1).turn;
    this.drawChart();
    this.story = new StoryPanel(moments, (n) => this.go(n));
    this.listen();
    byId("replay").hidden = false;
    this.showOutcome(this.positions[this.last].winners);
    this.go(this.last);
  }

  // Who has won: as the last board of the list has it, and after the check as players have signed it.
  showOutcome(winners) {
    byId("outcome").hidden = winners === null;
    if (winners === null) return;
    byId("outcome-title").textContent = wordsOfWinners(winners.map((seat) => this.table.players[seat].called));
    fill("outcome-portraits", ...winners.map((seat) => portraitOf(this.table.players[seat].monster, "winning")).filter((one) => one !== null));
  }

  drawChart() {
    this.chart?.watcher.disconnect();
    this.chart = new Chart(this.table, this.positions, this.moments.map(({ turn }) => turn), (n) => this.go(n));
  }

  // The log was checked: shown from now on is its table, and the records of its steps.
  take(table, checked, records) {
    Object.assign(this, { table, checked, records });
    this.drawChart();
  }

  get last() {
    return this.moments.length - 1;
  }

  go(n) {
    this.at = Math.min(this.last, Math.max(0, n));
    const moment = this.moments[this.at];
    const position = this.positions[this.at];
    byId("moment").value = this.at;
    byId("moment").setAttribute("aria-valuetext", say("Turn {turn}, moment {n} of {last}", { turn: moment.turn, n: this.at, last: this.last }));
    if (document.activeElement !== byId("turn")) byId("turn").value = moment.turn;
    byId("where").replaceChildren(
      say("Turn {turn} of {turns}, moment {n} of {last}, record {record}. ", {
        turn: moment.turn, turns: this.moments[this.last].turn, n: this.at, last: this.last,
        record: this.records[this.at] ?? "?",
      }), this.markOf(this.at) ?? "");
    const lines = moment.told.map(({ text }) => text).filter((text) => text !== moment.cause);
    fill("now", ...[moment.cause, ...lines].map((text) => element("p", {}, text)));
    showBoard(this.table, position);
    this.chart.show(this.at);
    this.story.show(this.at);
    this.onShown(this.at);
  }

  // Whether this board was signed, as far as the check has come.
  markOf(n) {
    const fault = this.checked?.faults.find(({ moment }) => moment === n);
    if (fault !== undefined) return element("span", { class: "fault" }, say("Do not trust this moment: {why}.", { why: fault.why }));
    if (this.checked?.positions.has(n)) return element("span", { class: "right" }, say("All players in the game have signed this board."));
    return this.checked === null ? null : element("span", { class: "quiet" }, say("This board comes from the list, and nobody has signed it."));
  }

  goToTurn(turn) {
    const found = this.moments.findIndex((moment) => moment.turn >= turn);
    this.go(found < 0 ? this.last : found);
  }

  step(what) {
    const { turn } = this.moments[this.at];
    const start = this.moments.findIndex((moment) => moment.turn === turn);
    const steps = {
      first: () => this.go(0),
      last: () => this.go(this.last),
      back: () => this.go(this.at - 1),
      on: () => this.go(this.at + 1),
      "turn-on": () => this.goToTurn(turn + 1),
      "turn-back": () => (start < this.at ? this.go(start) : this.goToTurn(Math.max(0, turn - 1))),
      play: () => this.play(this.timer === null),
    };
    if (what !== "play") this.play(false);
    steps[what]();
  }

  play(isWanted) {
    clearTimeout(this.timer);
    this.timer = null;
    byId("play").setAttribute("aria-pressed", String(isWanted));
    if (!isWanted) return;
    if (this.at === this.last) this.go(0);
    const next = () => {
      if (this.at >= this.last) {
        this.play(false);
        return;
      }
      this.timer = setTimeout(() => {
        this.go(this.at + 1);
        next();
      }, (1000 * MOMENT_SECONDS) / Number(byId("speed").value));
    };
    next();
  }

  listen() {
    byId("controls").onclick = (event) => {
      const button = event.target.closest("[data-go]");
      if (button !== null) this.step(button.dataset.go);
    };
    byId("moment").oninput = () => {
      this.play(false);
      this.go(Number(byId("moment").value));
    };
    byId("play-all").onclick = () => {
      this.go(0);
      this.play(true);
      byId("replay").scrollIntoView();
    };
    byId("turn").onchange = () => this.goToTurn(Number(byId("turn").value));
    document.onkeydown = (event) => this.key(event);
  }

  key(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, textarea, summary")) return;
    if (key === " " && target.closest("button")) return;
    const steps = { ArrowRight: "on", ArrowLeft: "back", n: "turn-on", p: "turn-back", " ": "play" };
    if (steps[key] === undefined) return;
    event.preventDefault();
    this.step(steps[key]);
  }

  close() {
    this.play(false);
    this.chart.watcher.disconnect();
    document.onkeydown = null;
    byId("replay").hidden = true;
    byId("outcome").hidden = true;
    byId("draw").hidden = true;
  }
}
