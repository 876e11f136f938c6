// The page: reads a session from a file, the report or the feed, and connects the parts.

class Page {
  constructor() {
    Object.assign(this, { session: new Session(), filter: new Filter(""), timeline: new Timeline(() => this.changed()) });
    this.names = new Names((name) => (this.view("timeline"), this.setFilter(`is:event name=${quoted(name)}`), $("grid").focus()));
    this.tests = new Tests((number) => (this.feed.choose(number), this.tests.take([], this.test, number)));
    this.detail = new Detail({
      copy: (text, what) => this.copy(text, what),
      filter: (term) => this.addTerm(term),
      go: (entry) => this.go(entry),
      entry: (number) => this.session.byNumber.get(number),
      isServed: () => this.session.isServed,
    });
    Object.assign(this, { unseen: 0, news: [], failed: new Map(), cleared: 0 });
    this.listen();
    this.makeChips();
    this.readFragment();
    this.detail.show(null, []);
  }

  begin() {
    const inlined = $("session");
    if (inlined) return this.load(inlined.textContent, "Report");
    if (!location.protocol.startsWith("http")) return this.status("", "Open a session.json, or drop it here");
    const token = this.fragment.get("token");
    window.onhashchange = () => (this.fragment.get("token") === token ? this.readFragment() : location.reload());
    if (!token) return this.say("The token is missing. Open the whole URL that the test or command has printed.");
    this.status("", "Connecting…");
    this.feed = new Feed(token, (part) => this.receive(part), (state) => this.feedChanged(state));
    this.feed.run();
  }

  load(text, origin, change = (session) => session) {
    try {
      this.adopt(change(Session.read(text)), origin);
    } catch (error) {
      this.say(`${origin} can't be shown. ${error.message}`);
    }
  }

  adopt(session, origin) {
    this.feed?.stop();
    this.session = session;
    Object.assign(this.timeline, { active: null, selected: new Set(), follows: false });
    this.cleared = 0;
    $("follow").hidden = true;
    this.say("");
    this.status("file", this.feed ? `${origin}. Reload to go live` : origin);
    // Before the first filter needs them.
    for (const entry of session.entries) entry.text;
    this.apply();
    this.showState();
    this.changed();
    const entry = session.byNumber.get(Number(this.fragment.get("entry")));
    if (entry) this.go(entry);
    else if (!this.timeline.active) this.timeline.activate(this.timeline.entries.findIndex((entry) => entry.isBad));
  }

  get fragment() { return new URLSearchParams(location.hash.slice(1)); }

  receive(part) {
    this.status("live", part.isHeld ? "The test has failed and waits: close this page to let it end" : "Live");
    if (part.cursor.test !== this.test) this.beginTest(part.cursor.test);
    const before = this.session.entries.length;
    this.session.take(part);
    this.setup = part.setup ?? this.setup;
    if (part.tests) this.tests.take(part.tests, this.test, this.feed.chosen);
    const fresh = this.session.entries.slice(before);
    for (const entry of fresh) entry.text;
    const shown = fresh.filter((entry) => this.shows(entry));
    this.timeline.entries.push(...shown);
    this.timeline.grew();
    if (!this.timeline.follows) this.unseen += shown.length;
    this.showCounts();
    if (Object.keys(part.marks).length || fresh.length < part.entries.length) this.filter.isEmpty ? this.timeline.refresh() : this.apply();
    this.showState();
    this.names.show(this.session);
    this.announce(fresh);
  }

  /** Shows another test of the run, from its beginning. */
  beginTest(number) {
    [this.test, this.session, this.state, this.suggested] = [number, new Session(), undefined, undefined];
    Object.assign(this.timeline, { active: null, selected: new Set() });
    this.clear(false);
    this.follow(!this.feed.chosen);
    this.detail.show(null, []);
    this.tests.take([], number, this.feed.chosen);
  }

  feedChanged(state) {
    if (state === this.feedState) return;
    this.feedState = state;
    if (state !== "live") this.status("ended", state === "ended" ? "The server has stopped" : "Not connected");
    this.say(state === "refused" ? "The server refuses this token. Open the URL that the test or command has printed." : "");
  }

  apply() {
    const { entries } = this.session;
    this.timeline.show(entries.filter((entry) => this.shows(entry)));
    this.names.show(this.session);
    this.unseen = 0;
    this.showCounts();
  }

  /** What leads to a first event, each with a button that copies it. */
  firstMinute({ url, environment, sdks }) {
    const lines = [["See an event now", `curl -d '{"name":"hello"}' -H 'Content-Type: application/json' '${url}'`],
      ["Environment of an app", Object.entries(environment).map((pair) => pair.join("=")).join(" ")], ...sdks.map((sdk) => [sdk.name, sdk.url])];
    return lines.map(([label, text]) => make("p", label, " ", make("code", oneLine(text, 400)), " ",
      quiet("Copy", () => this.copy(text, label), { ariaLabel: `Copy: ${label}` })));
  }

  shows(entry) { return entry.place >= this.cleared && this.filter.matches(entry); }

  /** Leaves out what is there, or shows everything again: nothing is forgotten. */
  clear(isCleared = this.cleared === 0) {
    this.cleared = isCleared ? this.session.entries.length : 0;
    $("clear").ariaPressed = isCleared;
    $("clear").textContent = isCleared ? "Show all" : "Clear";
    this.apply();
  }

  /** Counts the time from the active entry, or from the beginning again. */
  mark() {
    const { active } = this.timeline;
    this.session.zero = active === this.session.zero ? undefined : active;
    this.timeline.refresh();
    this.changed();
  }

  view(name = $("names").hidden ? "names" : "timeline") {
    [$("names").hidden, $("timeline").hidden] = [name !== "names", name === "names"];
    $("view").ariaPressed = name === "names";
    this.names.render();
  }

  showCounts() {
    const [shown, all] = [this.timeline.entries.length, this.session.entries.length];
    $("count").textContent = this.filter.isEmpty && !this.cleared ? count(all, "entry")
      : `${grouped(shown)} of ${grouped(all)}`;
    $("newer").hidden = this.unseen === 0;
    $("newer").textContent = `${grouped(this.unseen)} new ↓`;
    $("empty").hidden = shown > 0;
    if (shown > 0) return;
    const { state } = $("state").dataset;
    const text = all > 0 ? "No entry matches the filter." : { live: "Nothing has arrived yet.", file: "This session has no entries." }[state] ?? "";
    $("empty").replaceChildren(make("p", text), ...(all === 0 && state === "live" && this.setup ? this.firstMinute(this.setup) : []));
  }

  showState() {
    const { title, waits, failures, lost, mutants, omittedEntries } = this.session;
    document.title = $("title").textContent = oneLine(title || "Tracking inspector", 120);
    const failed = failedChecks(failures);
    const cards = stateCards(failed, this.session);
    const text = json([failures, waits, lost, mutants, omittedEntries]);
    if (text === this.state) return;
    this.state = text;
    // The first failure is open, and so are waits.
    for (const each of [cards[0], ...cards.slice(failed.length, failed.length + waits.length)]) if (each) each.open = true;
    // Keeps what the reader has closed or focused.
    const before = new Map([...$("waits").children].map((each) => [each.dataset.key, each]));
    const focused = document.activeElement.closest(".card")?.dataset.key;
    for (const each of cards) each.open = before.get(each.dataset.key)?.open ?? each.open;
    $("waits").replaceChildren(...cards);
    $("waits").hidden = cards.length === 0;
    cards.find((each) => each.dataset.key === focused)?.firstChild.focus();
    const subjects = (from, to) => new Map(cards.slice(from, to).map((each) => [each, this.session.byNumber.get(Number(each.dataset.subject))]));
    [this.failed, this.nearest] = [subjects(0, failed.length), subjects(failed.length, failed.length + waits.length)];
    [this.session.failed, this.session.nearest] = [this.failed, this.nearest].map((each) => new Set(each.values()));
    this.suggest([...this.session.failed, ...this.session.nearest].find(Boolean), failures.length > 0);
    this.timeline.refresh();
  }

  /** Selects the entry that a failure or a wait is about, unless the reader has selected another one. */
  suggest(entry, isFailure) {
    const { timeline } = this;
    if (!entry || entry === timeline.active || timeline.active && timeline.active !== this.suggested) return;
    this.suggested = entry;
    // An open wait leaves the timeline at its end.
    if (isFailure) timeline.follows && this.follow(false);
    timeline.active = entry;
    if (!timeline.follows) timeline.reveal(timeline.indexOf(entry));
    timeline.changed();
  }

  nextFailure() {
    const cards = [...this.failed.keys()];
    if (cards.length === 0) return;
    const next = cards[(cards.findIndex((each) => each.open) + 1) % cards.length];
    for (const each of cards) each.open = each === next;
    next.scrollIntoView({ block: "nearest" });
    if (this.failed.get(next)) this.go(this.failed.get(next));
  }

  changed() {
    const { active, chosen } = this.timeline;
    const isRead = active && active !== this.suggested;
    if (isRead && this.feed && !this.feed.chosen) this.tests.take([], this.test, this.feed.chosen = this.test);
    if (isRead && this.timeline.follows && active !== this.timeline.entries.at(-1)) this.follow(false);
    this.detail.show(active, chosen);
    this.writeFragment();
  }

  go(entry) {
    if (this.timeline.indexOf(entry) < 0) this.setFilter("");
    this.timeline.activate(this.timeline.indexOf(entry));
  }

  follow(follows) {
    this.timeline.follows = follows;
    $("follow").ariaPressed = follows;
    if (!follows) return;
    this.unseen = 0;
    this.timeline.scrollToEnd();
    this.showCounts();
  }

  status(state, text) {
    $("state").dataset.state = state;
    $("status").textContent = text;
  }

  /** Shows a message, or for some seconds only. */
  say(text, seconds) {
    clearTimeout(this.saying);
    $("banner").textContent = text;
    $("banner").hidden = text === "";
    if (seconds) this.saying = setTimeout(() => this.say(""), seconds * 1000);
  }

  /** Tells screen readers what is new. */
  announce(fresh) {
    this.news.push(...fresh);
    if (this.news.length > 0) this.timer ??= setTimeout(() => {
      $("live").textContent = `${count(this.news.length, "new entry")}, ${this.news.filter((entry) => entry.isBad).length} with a problem`;
      [this.timer, this.news] = [undefined, []];
    }, 1000);
  }

  setFilter(text) {
    if ($("filter").value !== text) $("filter").value = text;
    this.filter = new Filter(text);
    $("problem").textContent = this.filter.problem;
    for (const chip of $("chips").children) chip.ariaPressed = chip.dataset.term === text.trim();
    this.apply();
    this.writeFragment();
  }

  addTerm(term) {
    const text = $("filter").value.trim();
    if (!text.includes(term)) this.setFilter(text ? `${text} ${term}` : term);
  }

  readFragment() {
    this.setFilter(this.fragment.get("filter") ?? "");
  }

  writeFragment() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      const { fragment } = this;
      const set = (name, value) => (value ? fragment.set(name, value) : fragment.delete(name));
      set("filter", $("filter").value);
      set("entry", this.timeline.active?.number);
      history.replaceState(null, "", `#${fragment}`);
    }, 150);
  }

  makeChips() {
    const chips = { All: "", Problems: "is:bad", Events: "is:event", Requests: "is:request", Unverified: "is:unverified" };
    $("chips").append(...Object.entries(chips).map(([text, term]) => make("button", { "data-term": term, onclick: () => this.setFilter(term) }, text)));
    $("kinds").textContent = Object.keys(Entry.words).slice(1).join(", ");
  }

  listen() {
    $("filter").oninput = ({ target }) => this.setFilter(target.value);
    $("search").onsubmit = (event) => (event.preventDefault(), $("grid").focus());
    $("grid").onscroll = () => (this.timeline.schedule(), this.scrolled());
    $("grid").onfocus = () => this.timeline.active ?? this.timeline.activate(this.timeline.follows ? Infinity : 0);
    const buttons = {
      newer: () => this.follow(true), follow: () => this.follow(!this.timeline.follows), clear: () => this.clear(), view: () => this.view(),
      columns: () => $("widths").showModal(), help: () => $("about").showModal(), open: () => this.pick("open"), compare: () => this.pick("compare"),
      save: () => this.save(),
    };
    for (const id of Object.keys(buttons)) $(id).onclick = buttons[id];
    window.onbeforeprint = () => this.timeline.printed(true);
    window.onafterprint = () => this.timeline.printed(false);
    $("file").onchange = (event) => this.read(event.target.files[0]);
    window.onhashchange = () => this.readFragment();
    window.onkeydown = (event) => this.key(event);
    window.ondragover = (event) => event.preventDefault();
    window.ondrop = (event) => (event.preventDefault(), (this.purpose = "open"), this.read(event.dataTransfer.files[0]));
  }

  scrolled() {
    const { isAtEnd, grid: { scrollTop } } = this.timeline;
    // New entries scroll down; only a scroll up is the reader's.
    if (scrollTop < this.lastTop && !isAtEnd) this.follow(false);
    else if (isAtEnd && this.unseen > 0) this.follow(true);
    this.lastTop = scrollTop;
  }

  key(event) {
    const { timeline } = this;
    const isOpen = $("about").open || $("widths").open;
    const isTyping = event.target === $("filter");
    if (event.key === "Escape" && !isOpen) {
      if (isTyping ? timeline.entries.length === 0 : event.target === $("grid")) this.setFilter("");
      return $("grid").focus();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || isOpen) return;
    const move = (by) => () => timeline.move(by, { extend: event.shiftKey });
    const select = () => timeline.active && timeline.toggle(timeline.active);
    const actions = {
      "/": () => $("filter").select(), "?": () => $("about").showModal(), f: () => this.follow(!timeline.follows),
      j: move(1), k: move(-1), x: select, b: () => timeline.findProblem(), n: () => this.nextFailure(), m: () => this.mark(), l: () => this.clear(), v: () => this.view(),
      c: () => (this.session.isServed ? this.copy(checkFor(timeline.chosen), "JSON") : this.copy(swiftFor(timeline.chosen), "Swift")),
    };
    const gridActions = {
      ArrowDown: move(1), ArrowUp: move(-1), PageDown: move(20), PageUp: move(-20), Home: move(-Infinity), End: move(Infinity),
      " ": select, Enter: () => $("detail").focus(),
    };
    const inGrid = event.target === $("grid") || event.target === document.body;
    const action = actions[event.key.toLowerCase()] ?? (inGrid && gridActions[event.key]);
    if (!action) return;
    event.preventDefault();
    action();
  }

  async copy(text, what) {
    if (!text) return;
    try {
      await navigator.clipboard.writeText(text);
      this.say(`Copied ${what}`, 2);
    } catch (error) {
      this.say(`The browser does not let the page copy: ${error.message}`, 8);
    }
  }

  pick(purpose) {
    this.purpose = purpose;
    $("file").value = "";
    $("file").click();
  }

  async read(file) {
    if (!file) return;
    const text = await file.text();
    if (this.purpose === "compare") this.load(text, `Compared with ${file.name}`, (other) => compared(other, this.session));
    else this.load(text, file.name);
  }

  save() {
    const url = URL.createObjectURL(new Blob([this.session.json], { type: "application/json" }));
    make("a", { href: url, download: `${this.session.title.replace(/[^\w.-]+/g, "-") || "the"}-session.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}

const page = new Page();
page.begin();
