// The columns of the timeline: their widths can be dragged or set, each can be hidden, and an empty one takes no room.

class Columns {
  static all = {
    at: ["Time", "68px"], clock: ["Clock", "92px"], delta: ["Distance", "72px"], name: ["Entry", "minmax(120px, 21%)"],
    summary: ["Contents", "minmax(0, 1fr)"], marks: ["Marks", "auto"], process: ["Process", "minmax(0, 80px)"], from: ["Source", "minmax(0, 72px)"],
  };

  /** The least widths of the window at which columns are shown, unless the reader has chosen. */
  static least = { clock: 1500, delta: 821, process: 821, from: 821 };

  constructor(grid) {
    Object.assign(this, { grid, empty: new Set(), shown: [] });
    this.chosen = {};
    try {
      Object.assign(this.chosen, JSON.parse(localStorage.getItem("tracking-columns")));
    } catch { /* A page from a file may have no storage. */ }
    grid.querySelector(".head .row").append(...Object.entries(Columns.all).map(([id, [title]]) =>
      this.cell(id, "columnheader", title, make("span.grip", { onpointerdown: (event) => this.drag(event, id) }))));
    $("widths").append(...Object.entries(Columns.all).map(([id, [title]]) => make("p", {},
      make("label", make("input", { type: "checkbox", name: id, onchange: ({ target }) => this.choose(id, { isHidden: !target.checked }) }), ` ${title} `),
      make("input", { type: "range", min: 40, max: 800, value: this.chosen[id]?.width ?? 100, ariaLabel: `Width of ${title}`,
        oninput: ({ target }) => this.choose(id, { width: Number(target.value) }) }))),
    make("button", { onclick: () => (this.chosen = {}, this.choose("at", {})) }, "As at first"));
    this.lay();
  }

  isHidden(id) { return this.chosen[id]?.isHidden ?? window.innerWidth < Columns.least[id]; }

  /** A cell of a column, in the head or in a row. */
  cell(id, role, ...children) {
    const cell = make("span", { className: id, role, hidden: !this.shown.includes(id) }, ...children);
    cell.style.gridColumn = id;
    return cell;
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
    this.shown = Object.keys(Columns.all).filter((id) => !this.isHidden(id) && !empty.has(id));
    const widths = this.shown.map((id) => `[${id}] ${this.chosen[id]?.width ? `${this.chosen[id].width}px` : Columns.all[id][1]}`);
    this.grid.style.setProperty("--columns", widths.join(" "));
    for (const box of $("widths").querySelectorAll("[type=checkbox]")) box.checked = !this.isHidden(box.name);
    for (const cell of this.grid.querySelectorAll(".row > *")) cell.hidden = !this.shown.includes(cell.className);
  }
}
