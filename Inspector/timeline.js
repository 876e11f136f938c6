// The timeline: a grid of rows of one height, of which only those in view are in the document.

class Timeline {
  static rowHeight = 28;

  /** `onChange` is told of another active entry or selection. */
  constructor(onChange) {
    Object.assign(this, { grid: $("grid"), body: $("rows"), onChange, entries: [], active: null, selected: new Set(), pool: [], follows: true });
    this.columns = new Columns(this.grid);
    new ResizeObserver(() => (this.columns.lay(), this.follows && this.scrollToEnd(), this.schedule())).observe(this.grid);
    this.body.onclick = (event) => this.click(event);
  }

  get isAtEnd() { return this.grid.scrollTop + this.grid.clientHeight >= this.grid.scrollHeight - 2 * Timeline.rowHeight; }

  /** Shows these entries; the active one stays where it is on the screen. */
  show(entries) {
    const offset = this.top(this.indexOf(this.active)) - this.grid.scrollTop;
    [this.entries, this.places] = [entries];
    this.resize();
    const index = this.indexOf(this.active);
    if (index >= 0 && offset > 0 && offset < this.grid.clientHeight) this.grid.scrollTop = this.top(index) - offset;
    else if (index >= 0) this.reveal(index);
    else if (this.follows) this.scrollToEnd();
    this.refresh();
  }

  /** Entries were added at the end; nothing on the screen moves unless it follows. */
  grew() {
    this.resize();
    if (this.follows) this.scrollToEnd();
    this.schedule();
  }

  resize() {
    this.body.style.height = `${this.top(this.entries.length)}px`;
    this.grid.ariaRowCount = this.entries.length + 1;
  }

  top(index) { return index * Timeline.rowHeight; }

  scrollToEnd() { this.grid.scrollTop = this.grid.scrollHeight; }

  schedule() {
    this.frame ??= requestAnimationFrame(() => (this.frame = null, this.render()));
  }

  render() {
    const { rowHeight } = Timeline;
    const size = this.all || Math.ceil(this.grid.clientHeight / rowHeight) + 16;
    while (this.pool.length < size) this.addRow();
    const first = Math.max(0, Math.min(Math.floor(this.grid.scrollTop / rowHeight) - 6, this.entries.length - size));
    let activeRow = "";
    for (let index = first; index < first + this.pool.length; index++) {
      const row = this.pool[index % this.pool.length];
      const { element } = row;
      const entry = this.entries[index];
      element.hidden = !entry;
      if (row.index !== index || row.entry !== entry) this.fill(row, index, entry);
      const isActive = entry !== undefined && entry === this.active;
      if (isActive) activeRow = element.id;
      const distance = entry && this.active && !isActive ? signed(entry.at - this.active.at) : "";
      if (distance !== row.distance) row.cells.delta.textContent = row.distance = distance;
      element.classList.toggle("active", isActive);
      element.ariaSelected = isActive || this.selected.has(entry);
    }
    this.grid.setAttribute("aria-activedescendant", activeRow);
  }

  addRow() {
    const cells = Object.fromEntries(Object.keys(Columns.all).map((id) => [id, this.columns.cell(id, "gridcell")]));
    const element = make("div.row", { role: "row", id: `row-${this.pool.length}` }, ...Object.values(cells));
    this.body.append(element);
    this.pool.push({ element, cells, index: -1, entry: null });
    // A row's place in the pool is its index modulo the size, so a new size moves all rows.
    this.refresh();
  }

  fill(row, index, entry) {
    Object.assign(row, { index, entry });
    if (!entry) return;
    const { at, clock, name, summary, marks, process, from } = row.cells;
    row.element.style.transform = `translateY(${this.top(index)}px)`;
    row.element.ariaRowIndex = index + 2;
    Object.assign(row.element.dataset, { kind: entry.kind, severity: entry.marks[0]?.[1] ?? "" });
    const { zero } = entry.session;
    at.textContent = zero ? signed(entry.at - zero.at) : time(entry.at);
    clock.textContent = entry.clock;
    name.textContent = oneLine(entry.name, 80);
    summary.textContent = entry.summary;
    process.textContent = oneLine(entry.source.process ?? "", 40);
    from.textContent = oneLine(entry.source.vendor ?? entry.source.launch ?? "", 24);
    marks.replaceChildren(...entry.marks.map(badge));
  }

  /** Draws again what is in view: marks may have changed. */
  refresh() {
    const { session } = this.entries[0] ?? {};
    const empty = { clock: !session?.began, delta: !this.active, process: !(session?.processes.size > 1), from: !session?.hasSources };
    const hidden = new Set(Object.keys(empty).filter((id) => empty[id]));
    if ([...hidden].join() !== [...this.columns.empty].join()) this.columns.lay(hidden);
    for (const row of this.pool) row.index = -1;
    this.schedule();
  }

  indexOf(entry) {
    if (this.places?.size !== this.entries.length) this.places = new Map(this.entries.map((each, index) => [each, index]));
    return this.places.get(entry) ?? -1;
  }

  /** Makes an entry the active one; scrolls only if it is out of view. */
  activate(index, { extend = false } = {}) {
    const entry = this.entries[Math.max(0, Math.min(index, this.entries.length - 1))];
    if (!entry) return;
    if (extend) {
      const [from, to] = [this.indexOf(this.active ?? entry), this.indexOf(entry)].sort((a, b) => a - b);
      for (let place = Math.max(from, 0); place <= to; place++) this.selected.add(this.entries[place]);
    } else {
      this.selected.clear();
    }
    this.active = entry;
    this.reveal(this.indexOf(entry));
    this.changed();
  }

  move(by, options) { this.activate(this.active ? this.indexOf(this.active) + by : by > 0 ? 0 : Infinity, options); }

  findProblem() {
    const start = this.indexOf(this.active);
    const index = this.entries.findIndex((entry, index) => index > start && entry.isBad);
    if (index >= 0) this.activate(index);
  }

  toggle(entry) {
    if (!this.selected.delete(entry)) this.selected.add(entry);
    this.changed();
  }

  changed() {
    this.refresh();
    this.onChange();
  }

  /** Puts all rows into the document, for a printer; some thousands are many pages. */
  printed(isPrinted) {
    this.all = isPrinted ? Math.min(this.entries.length, 20_000) : 0;
    this.render();
  }

  reveal(index) {
    const [top, height] = [this.top(index), Timeline.rowHeight];
    const view = this.grid.clientHeight - height;
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    else if (top + height > this.grid.scrollTop + view) this.grid.scrollTop = top + height - view;
  }

  /** What is copied: the selection in the order of arrival, or the active entry. */
  get chosen() {
    if (this.selected.size === 0) return this.active ? [this.active] : [];
    return [...this.selected].sort((a, b) => this.indexOf(a) - this.indexOf(b));
  }

  click(event) {
    const row = this.pool.find(({ element }) => element.contains(event.target));
    if (!row?.entry) return;
    if (event.ctrlKey || event.metaKey) {
      if (this.active && this.selected.size === 0) this.selected.add(this.active);
      this.toggle(row.entry);
    } else {
      this.activate(row.index, { extend: event.shiftKey });
    }
  }
}
