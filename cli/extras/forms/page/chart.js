// Hearts and points over time, and the time line: the place that the reader points at is a moment.

const DASHES = ["", "6 3", "2 2", "9 3 2 3", "4 4", "12 4"];  // so that no line is known by its colour alone
const CHART = { height: 240, left: 26, right: 8, top: 8, gap: 16, bottom: 18 };
const MOST_POINTS_DRAWN = 1500;

class Chart {
  // `positions`: of all moments. `turns`: the turn of each. `onPick(moment)`: the reader points there.
  constructor(table, positions, turns, onPick) {
    Object.assign(this, { table, positions, turns, onPick, moment: 0 });
    this.place = byId("chart");
    const pick = (event) => {
      const box = this.place.getBoundingClientRect();
      onPick(this.momentAt(event.clientX - box.left));
    };
    this.place.onpointerdown = (event) => {
      if (event.pointerType === "mouse") this.place.setPointerCapture(event.pointerId);
      pick(event);
    };
    this.place.onpointermove = (event) => {
      if (event.buttons === 1) pick(event);
    };
    this.watcher?.disconnect();
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.place);
    fill("legend", ...table.players.map(({ called }, seat) => element("span", {}, this.sample(seat), ` ${called}`)));
    this.draw();
    this.writeTable();
  }

  get last() {
    return this.positions.length - 1;
  }

  sample(seat) {
    return drawing("svg", { width: 28, height: 10, "aria-hidden": "true" }, this.stroke(seat, "M0 5H28"));
  }

  stroke(seat, d) {
    return drawing("path", {
      d, fill: "none", stroke: `var(--seat-${seat})`, "stroke-width": 2.5, "stroke-dasharray": DASHES[seat],
      "vector-effect": "non-scaling-stroke",
    });
  }

  x(moment) {
    const { left, right } = CHART;
    return left + (this.width - left - right) * (this.last === 0 ? 0 : moment / this.last);
  }

  momentAt(x) {
    const { left, right } = CHART;
    const share = (x - left) / Math.max(1, this.width - left - right);
    return Math.round(Math.min(1, Math.max(0, share)) * this.last);
  }

  draw() {
    this.width = Math.max(200, this.place.clientWidth);
    const { height, top, gap, bottom } = CHART;
    const each = (height - top - gap - bottom) / 2;
    const svg = drawing("svg", { viewBox: `0 0 ${this.width} ${height}`, height });
    this.drawBand(svg, "hearts", say("Hearts"), 12, [0, 5, 10], top, each);
    this.drawBand(svg, "points", say("Points"), 20, [0, 10, 20], top + each + gap, each);
    this.cursor = drawing("line", { y1: top, y2: height - bottom, stroke: "var(--ink)", "stroke-width": 1.5 });
    svg.append(this.cursor);
    for (const turn of this.turnMarks()) {
      const text = drawing("text", { x: this.x(this.turns.indexOf(turn)), y: height - 5, "font-size": 11, fill: "var(--quiet)" });
      text.append(isolated(say("turn {turn}", { turn })));
      svg.append(text);
    }
    this.place.replaceChildren(svg);
    this.show(this.moment);
  }

  turnMarks() {
    const last = this.turns.at(-1) ?? 0;
    const step = Math.max(1, Math.ceil(last / Math.max(2, Math.floor(this.width / 90))));
    return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step)
      .filter((turn) => turn > 0 && this.x(this.turns.indexOf(turn)) < this.width - 45);
  }

  drawBand(svg, what, name, most, marks, top, height) {
    const y = (n) => top + height - (height * Math.min(n, most)) / most;
    for (const mark of marks) {
      const text = drawing("text", { x: CHART.left - 4, y: y(mark) + 4, "font-size": 11, "text-anchor": "end", fill: "var(--quiet)" });
      text.append(inOwnDigits(mark));
      svg.append(text, drawing("line", { x1: CHART.left, x2: this.width - CHART.right, y1: y(mark), y2: y(mark), stroke: "var(--line)" }));
    }
    const title = drawing("text", { x: CHART.left + 4, y: top + 10, "font-size": 11, fill: "var(--quiet)" });
    title.append(name);
    const step = Math.max(1, Math.ceil(this.positions.length / MOST_POINTS_DRAWN));
    this.table.players.forEach((_, seat) => {
      let d = "";
      let before;
      for (let m = 0; m <= this.last; m += step) {
        const monster = this.positions[m].monsters[seat];
        if (!monster.isAlive && before === undefined) continue;
        const at = y(monster[what]);
        // Lines of equal players lie side by side and not on each other.
        const apart = (seat - (this.table.players.length - 1) / 2) * 1.2;
        d += d === "" ? `M${this.x(m).toFixed(1)} ${(at + apart).toFixed(1)}` : `H${this.x(m).toFixed(1)}V${(at + apart).toFixed(1)}`;
        before = monster.isAlive ? at : undefined;
        if (before === undefined) break;
      }
      if (before !== undefined) d += `H${this.x(this.last).toFixed(1)}`;
      svg.append(this.stroke(seat, d));
    });
    svg.append(title);
  }

  show(moment) {
    this.moment = moment;
    const x = this.x(moment);
    this.cursor?.setAttribute("x1", x);
    this.cursor?.setAttribute("x2", x);
  }

  // Hearts and points when each turn begins, for those who do not see the lines.
  writeTable() {
    const starts = this.turns.map((turn, m) => [turn, m]).filter(([turn, m]) => m > 0 && this.turns[m - 1] !== turn);
    const step = Math.max(1, Math.ceil(starts.length / 200));
    const shown = starts.filter((_, i) => i % step === 0);
    if (this.last > 0) shown.push([say("end"), this.last]);
    const cell = (m, seat) => {
      const { isAlive, points, hearts } = this.positions[m].monsters[seat];
      return isAlive ? withCommas([points, hearts].map(inOwnDigits)) : say("out");
    };
    const head = element("tr", {}, element("th", { scope: "col" }, say("Turn")),
      ...this.table.players.map(({ called }) => element("th", { scope: "col" }, called)));
    const rows = shown.map(([turn, m]) => element("tr", {}, element("th", { scope: "row" }, inOwnDigits(turn)),
      ...this.table.players.map((_, seat) => element("td", {}, cell(m, seat)))));
    fill("course-table", element("div", { class: "scroll" }, element("table", {},
      element("caption", { class: "quiet" }, say("Points, hearts when a turn begins, and at the end")),
      element("thead", {}, head), element("tbody", {}, ...rows))));
  }
}
