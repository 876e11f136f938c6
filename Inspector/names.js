// The events by name: how many, when, whether a wait matched them, and what the plan says.

class Names {
  /** `choose` is called with the name that the reader picks. */
  constructor(choose) {
    Object.assign(this, { element: $("names"), choose });
  }

  /** Shows the events of a session; at most once in half a second. */
  show(session) {
    this.session = session;
    this.timer ??= setTimeout(() => (this.timer = undefined, this.render()), this.element.hidden ? 0 : 500);
  }

  render() {
    if (this.element.hidden) return;
    const { entries, plan, mutants } = this.session;
    const found = new Map();
    for (const entry of entries) {
      if (entry.kind !== "event") continue;
      const row = found.get(entry.name);
      if (row) Object.assign(row, { count: row.count + 1, last: entry, verified: row.verified + (entry.source.isMatched === true) });
      else found.set(entry.name, { count: 1, first: entry, last: entry, verified: Number(entry.source.isMatched === true) });
    }
    const planned = plan?.events ?? [];
    const unseen = planned.filter(({ name }) => !found.has(name));
    const unplanned = [...found.keys()].filter((name) => plan && !this.session.planned(name));
    const names = [...found.keys(), ...unseen.map(({ name }) => name)];
    const focused = document.activeElement.dataset.name;
    const rows = names.slice(0, 5000).map((name) => this.row(name, found.get(name), this.session.planned(name), Boolean(plan)));
    const counts = plan ? `${planned.length - unseen.length} of ${count(planned.length, "planned event")} seen, ${unplanned.length} not in the plan ${[plan.name, plan.digest && `(${plan.digest})`].filter(Boolean).join(" ")}${
      plan.omittedEvents ? `; ${grouped(plan.omittedEvents)} more planned events are left out of this report` : ""}`
      : count(names.length, "name");
    const heads = ["Event", "Count", "First", "Last", "Verified", ...(mutants ? ["Pinned"] : []), ...(plan ? ["Plan", "Description", "Owner"] : [])];
    this.element.replaceChildren(make("table", make("caption", oneLine(counts, 300)),
      make("thead", make("tr", ...heads.map((head) => make("th", { scope: "col" }, head)))), make("tbody", ...rows)));
    if (focused !== undefined) [...this.element.querySelectorAll("button")].find((each) => each.dataset.name === focused)?.focus();
  }

  row(name, found, planned, hasPlan) {
    const deprecated = planned?.deprecated;
    const state = !found ? ["not yet seen", "odd"] : !planned ? ["not in the plan", "bad"] : ["seen", "good"];
    const cells = [found?.count ?? 0, found ? time(found.first.at) : "", found ? time(found.last.at) : "",
      found && (found.verified === found.count ? "all" : found.verified ? `${found.verified} of ${found.count}` : "none")];
    if (this.session.mutants) cells.push(found && pinnedOf(found.last.mutants));
    const plan = [make("span", badge(state), " ", deprecated !== undefined && badge(["deprecated", "odd"])),
      oneLine([planned?.description, deprecated && `Deprecated: ${deprecated}`].filter(Boolean).join(" "), 300), oneLine(planned?.owner ?? "", 40)];
    return make("tr", make("th", { scope: "row" }, found ? quiet(oneLine(name, 120), () => this.choose(name), { "data-name": name }) : oneLine(name, 120)),
      ...[...cells, ...(hasPlan ? plan : [])].map((cell) => make("td", cell instanceof Node ? cell : String(cell ?? ""))));
  }
}
