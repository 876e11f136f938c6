// The columns of the timeline: their widths can be dragged or set, each can be hidden, and an empty one takes no room.

class Columns {
  static all = {
    at: ["Time", "68px"], clock: ["Clock", "92px"], delta: ["Distance", "72px"], name: ["Entry", "minmax(120px, 21%)"],
    summary: ["Contents", "minmax(0, 1fr)"], marks: ["Marks", "auto"], from: ["Source", "minmax(0, 72px)"],
  };

  constructor(grid) {
    this.grid = grid;
    this.empty = new Set();
    this.chosen = { clock: { isHidden: window.innerWidth < 1500 } };
    try {
      Object.assign(this.chosen, JSON.parse(localStorage.getItem("tracking-columns")));
    } catch { /* A page from a file may have no storage. */ }
    grid.querySelector(".head .row").append(...Object.entries(Columns.all).map(([id, [title]]) =>
      make("span", { role: "columnheader", className: id }, title, make("span", { className: "grip", onpointerdown: (event) => this.drag(event, id) }))));
    $("widths").append(...Object.entries(Columns.all).map(([id, [title]]) => make("p", {},
      make("label", {}, make("input", { type: "checkbox", checked: !this.chosen[id]?.isHidden, onchange: ({ target }) => this.choose(id, { isHidden: !target.checked }) }), ` ${title} `),
      make("input", { type: "range", min: 40, max: 800, value: this.chosen[id]?.width ?? 100, ariaLabel: `Width of ${title}`,
        oninput: ({ target }) => this.choose(id, { width: Number(target.value) }) }))),
    make("button", { onclick: () => (this.chosen = {}, this.choose("at", {})) }, "As at first"));
    this.lay();
  }

  drag(event, id) {
    const { currentTarget: grip, clientX: start } = event;
    const { width } = grip.parentElement.getBoundingClientRect();
    grip.setPointerCapture(event.pointerId);
    grip.onpointermove = ({ clientX }) => this.choose(id, { width: Math.max(40, Math.round(width + clientX - start)) });
    grip.onpointerup = () => (grip.onpointermove = null);
  }

  choose(id, change) {
    Object.assign(this.chosen[id] ??= {}, change);
    try {
      localStorage.setItem("tracking-columns", JSON.stringify(this.chosen));
    } catch { /* As above. */ }
    this.lay();
  }

  /** Gives the columns that have something in them their room. */
  lay(empty = this.empty) {
    this.empty = empty;
    const shown = Object.keys(Columns.all).filter((id) => !this.chosen[id]?.isHidden && !empty.has(id));
    const widths = shown.map((id) => `[${id}] ${this.chosen[id]?.width ? `${this.chosen[id].width}px` : Columns.all[id][1]}`);
    this.grid.style.setProperty("--columns", widths.join(" "));
    this.grid.dataset.hidden = Object.keys(Columns.all).filter((id) => !shown.includes(id)).join(" ");
  }
}
