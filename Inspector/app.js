// The page: reads a session from a file, from itself (the report) or from the feed, and connects the parts.

class Page {
  constructor() {
    this.session = new Session();
    this.filter = new Filter("");
    this.timeline = new Timeline(() => this.changed());
    this.detail = new Detail({
      copy: (text, what) => this.copy(text, what),
      filter: (term) => this.addTerm(term),
      go: (entry) => this.go(entry),
    });
    this.unseen = 0;
    [this.news, this.bad] = [0, 0];
    this.listen();
    this.makeChips();
    this.readFragment();
    this.detail.show(null, []);
    this.begin();
  }

  begin() {
    const inlined = $("session");
    if (inlined) return this.load(inlined.textContent, "Report");
    const token = new URLSearchParams(location.hash.slice(1)).get("token");
    if (token && location.protocol.startsWith("http")) {
      this.status("", "Connecting…");
      new Feed(token, (part) => this.receive(part), (state) => this.feedChanged(state)).run();
    } else if (location.protocol.startsWith("http")) {
      this.say("The token is missing. Open the whole URL that the test printed.");
    } else {
      this.status("", "Open a session.json, or drop it here");
    }
  }

  load(text, origin) {
    try {
      this.adopt(Session.read(text), origin);
    } catch (error) {
      this.say(error.message);
    }
  }

  adopt(session, origin) {
    this.session = session;
    this.timeline.active = null;
    this.timeline.selected.clear();
    this.timeline.follows = false;
    $("follow").hidden = true;
    this.say("");
    this.status("file", origin);
    this.apply();
    this.showState();
    this.prepareSearch();
    const first = this.timeline.entries.findIndex((entry) => entry.isBad);
    const wanted = Number(new URLSearchParams(location.hash.slice(1)).get("entry"));
    const entry = this.session.byNumber.get(wanted);
    if (entry) this.go(entry);
    else if (session.entries.length) this.timeline.activate(first >= 0 ? first : 0);
  }

  /** Makes the search keys of a long session ahead of the first filter, a few at a time. */
  prepareSearch(start = 0) {
    const { entries } = this.session;
    for (const entry of entries.slice(start, start + 2000)) entry.text;
    if (start + 2000 < entries.length) setTimeout(() => this.prepareSearch(start + 2000));
  }

  receive(part) {
    const before = this.session.entries.length;
    this.session.take(part);
    const fresh = this.session.entries.slice(before);
    if (fresh.length) this.append(fresh);
    if (Object.keys(part.marks).length || fresh.length < part.entries.length) this.filter.isEmpty ? this.timeline.refresh() : this.apply();
    this.showState();
    this.status("live", part.isHeld ? "Held after a failure: close this page to go on" : "Live");
    this.announce(fresh);
  }

  append(fresh) {
    const shown = this.filter.isEmpty ? fresh : fresh.filter((entry) => this.filter.matches(entry));
    for (const entry of fresh) entry.text;
    for (const entry of shown) this.timeline.entries.push(entry);
    this.timeline.grew();
    if (!this.timeline.follows) this.unseen += shown.length;
    this.showCounts();
  }

  feedChanged(state) {
    if (state === this.feedState) return;
    this.feedState = state;
    if (state === "live") this.say("");
    if (state === "ended") this.status("ended", "The server has stopped");
    if (state === "refused") this.say("The server refuses this token. Open the URL that the running test printed.");
  }

  apply() {
    const { entries } = this.session;
    this.timeline.show(this.filter.isEmpty ? entries.slice() : entries.filter((entry) => this.filter.matches(entry)));
    this.unseen = 0;
    this.showCounts();
  }

  showCounts() {
    const [shown, all] = [this.timeline.entries.length, this.session.entries.length];
    $("count").textContent = this.filter.isEmpty ? count(all, "entry")
      : `${shown.toLocaleString("en")} of ${all.toLocaleString("en")}`;
    $("newer").hidden = this.unseen === 0;
    $("newer").textContent = `${this.unseen.toLocaleString("en")} new ↓`;
    $("empty").hidden = shown > 0;
    $("empty").textContent = all > 0 ? "No entry matches the filter."
      : this.feedState === "live" ? "Nothing has arrived yet." : "No entries.";
  }

  showState() {
    const { title, waits, failures, lost, omitted } = this.session;
    document.title = $("title").textContent = oneLine(title || "Tracking inspector", 120);
    const cards = [
      ...failures.map((failure) => card("failed", "Failed", failure.message.split("\n")[0], failure.location, failure.message)),
      ...waits.map((wait) => card(wait.state ?? "open", wait.standing ?? "waiting", wait.question, wait.location, wait.nearestMiss)),
      ...lost.map((loss) => card("failed", "Lost", `${count(loss.count, "event")} of launch ${loss.launch} never arrived`, "",
        loss.numbers.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(", "))),
      omitted ? card("note", "Cut", `${count(omitted, "entry")} left out of this report`, "", null) : null,
    ].filter(Boolean);
    const text = json([failures, waits, lost, omitted]);
    if (text === this.state) return;
    this.state = text;
    $("waits").replaceChildren(...cards);
    $("waits").hidden = cards.length === 0;
  }

  changed() {
    const { active, chosen } = this.timeline;
    if (active && this.timeline.follows && active !== this.timeline.entries.at(-1)) this.follow(false);
    this.detail.show(active, chosen);
    this.writeFragment();
  }

  go(entry) {
    if (this.timeline.indexOf(entry) < 0) this.setFilter("");
    this.timeline.activate(this.timeline.indexOf(entry));
  }

  follow(follows) {
    this.timeline.follows = follows;
    $("follow").setAttribute("aria-pressed", follows);
    if (!follows) return;
    this.unseen = 0;
    this.timeline.scrollToEnd();
    this.showCounts();
  }

  status(state, text) {
    $("state").dataset.state = state;
    $("status").textContent = text;
  }

  say(text) {
    $("banner").textContent = text;
    $("banner").hidden = text === "";
  }

  /** For screen readers, at most once a second. */
  announce(fresh) {
    this.news += fresh.length;
    this.bad += fresh.filter((entry) => entry.isBad).length;
    if (this.news === 0) return;
    this.timer ??= setTimeout(() => {
      $("live").textContent = `${count(this.news, "new entry")}, ${this.bad} with a problem`;
      [this.timer, this.news, this.bad] = [undefined, 0, 0];
    }, 1000);
  }

  setFilter(text) {
    if ($("filter").value !== text) $("filter").value = text;
    this.filter = new Filter(text);
    $("problem").textContent = this.filter.problem;
    for (const chip of $("chips").children) chip.setAttribute("aria-pressed", chip.dataset.term === text.trim());
    this.apply();
    this.writeFragment();
  }

  addTerm(term) {
    const text = $("filter").value.trim();
    if (!text.includes(term)) this.setFilter(text ? `${text} ${term}` : term);
  }

  readFragment() {
    const text = new URLSearchParams(location.hash.slice(1)).get("filter") ?? "";
    if (text !== $("filter").value) this.setFilter(text);
  }

  writeFragment() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      const fragment = new URLSearchParams(location.hash.slice(1));
      const set = (name, value) => (value ? fragment.set(name, value) : fragment.delete(name));
      set("filter", $("filter").value);
      set("entry", this.timeline.active?.number);
      history.replaceState(null, "", `#${fragment}`);
    }, 150);
  }

  makeChips() {
    const chips = [["All", ""], ["Problems", "is:bad"], ["Events", "is:event"], ["Requests", "is:request"], ["Unverified", "is:unverified"]];
    $("chips").replaceChildren(...chips.map(([text, term]) => {
      const chip = make("button", { onclick: () => this.setFilter(term) }, text);
      [chip.dataset.term, chip.ariaPressed] = [term, String(term === "")];
      return chip;
    }));
    $("kinds").textContent = Object.keys(Entry.words).slice(1).join(", ");
  }

  listen() {
    $("filter").addEventListener("input", (event) => this.setFilter(event.target.value));
    $("search").addEventListener("submit", (event) => (event.preventDefault(), $("grid").focus()));
    $("grid").addEventListener("scroll", () => this.scrolled(), { passive: true });
    $("grid").addEventListener("focus", () => this.timeline.active ?? this.timeline.activate(this.timeline.follows ? Infinity : 0));
    $("newer").onclick = () => this.follow(true);
    $("follow").onclick = () => this.follow(!this.timeline.follows);
    $("help").onclick = () => $("about").showModal();
    $("open").onclick = () => this.pick("open");
    $("compare").onclick = () => this.pick("compare");
    $("save").onclick = () => this.save();
    $("file").onchange = (event) => this.read(event.target.files[0]);
    addEventListener("hashchange", () => this.readFragment());
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => (event.preventDefault(), (this.purpose = "open"), this.read(event.dataTransfer.files[0])));
  }

  scrolled() {
    const { isAtEnd, grid: { scrollTop } } = this.timeline;
    // Growth scrolls too; only a scroll back is the reader's.
    if (scrollTop < this.lastTop && !isAtEnd) this.follow(false);
    else if (isAtEnd && this.unseen > 0) this.follow(true);
    this.lastTop = scrollTop;
  }

  key(event) {
    const { timeline } = this;
    const isTyping = event.target === $("filter");
    if (event.key === "Escape" && !$("about").open) {
      if (isTyping && $("filter").value && timeline.entries.length === 0 || !isTyping && event.target === $("grid")) this.setFilter("");
      return $("grid").focus();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || $("about").open) return;
    const inGrid = event.target === $("grid") || event.target === document.body;
    const options = { extend: event.shiftKey };
    const same = (step) => timeline.find(step, (entry) => entry.name === timeline.active?.name);
    const actions = {
      "/": () => $("filter").select(), "?": () => $("about").showModal(), f: () => this.follow(!timeline.follows),
      j: () => timeline.move(1, options), k: () => timeline.move(-1, options), J: () => timeline.move(1, options),
      K: () => timeline.move(-1, options), n: () => same(1), p: () => same(-1), o: () => this.pick("open"),
      b: () => timeline.find(1, (entry) => entry.isBad),
      c: () => this.copy(swiftFor(timeline.chosen), "Swift"), s: () => this.save(),
      x: () => timeline.active && timeline.toggle(timeline.active),
    };
    const gridActions = {
      ArrowDown: () => timeline.move(1, options), ArrowUp: () => timeline.move(-1, options),
      PageDown: () => timeline.move(20, options), PageUp: () => timeline.move(-20, options),
      Home: () => timeline.activate(0, options), End: () => timeline.activate(timeline.entries.length - 1, options),
      Enter: () => $("detail").focus(), " ": () => timeline.active && timeline.toggle(timeline.active),
    };
    const action = actions[event.key] ?? (inGrid ? gridActions[event.key] : undefined);
    if (!action) return;
    event.preventDefault();
    action();
  }

  async copy(text, what) {
    if (!text) return;
    try {
      await navigator.clipboard.writeText(text);
      this.say(`Copied ${what}`);
    } catch (error) {
      this.say(`The browser does not let the page copy: ${error.message}`);
    }
    setTimeout(() => this.say(""), 2500);
  }

  pick(purpose) {
    this.purpose = purpose;
    $("file").value = "";
    $("file").click();
  }

  async read(file) {
    if (!file) return;
    if (this.purpose !== "compare") return this.load(await file.text(), file.name);
    try {
      const other = Session.read(await file.text());
      this.adopt(compared(other, this.session), `Compared with ${file.name}`);
    } catch (error) {
      this.say(error.message);
    }
  }

  save() {
    const url = URL.createObjectURL(new Blob([this.session.json], { type: "application/json" }));
    const name = (this.session.title || "session").replace(/[^\w.-]+/g, "-");
    make("a", { href: url, download: `${name}-session.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}

function card(state, standing, question, location, more) {
  const head = [make("span", { className: `mark ${state === "failed" ? "bad" : state === "open" ? "open" : "good"}` }, visible(standing, 80)),
    make("span", { className: "question" }, oneLine(question, 240)), make("span", { className: "location" }, oneLine(location ?? "", 80))];
  if (!more) return make("div", { className: "card" }, ...head);
  const details = make("details", { className: "card" }, make("summary", {}, ...head), make("pre", {}, visible(more, 20000)));
  details.open = state === "open";
  return details;
}

const page = new Page();
