// A session: the entries of one session.json, or of a server's feed. The article SessionFormat describes both.

class Entry {
  constructor(source, session) {
    const { kind, number = 0, milliseconds: at = 0 } = source;
    const params = source.params ?? {};
    const name = Entry.name(source);
    Object.assign(this, { source, kind, number, at, name, params, session, previous: session.lastByName.get(name), comparison: "", changes: [] });
  }

  static name(source) {
    const { kind, name, method, target, text } = source;
    if (kind === "request") return `${method} ${target.split("?")[0]}`;
    return kind === "rejection" ? "rejected submission" : name ?? text ?? kind;
  }

  get summary() {
    const { source } = this;
    switch (this.kind) {
      case "event": return summary(this.params);
      case "request": {
        const by = source.stub ? ` by ${source.stub}` : source.isUnmatched ? ", no stub" : "";
        const query = source.target.includes("?") ? `?${source.target.split("?").slice(1).join("?")} ` : "";
        return oneLine(`${query}→ ${source.status ?? "no response"}${by}`, 260);
      }
      case "rejection": return oneLine(`${source.status}: ${source.path ? `${source.path}: ` : ""}${source.reason}`, 260);
      default: return "";
    }
  }

  /** What the search looks through, made when it is first needed. */
  get text() {
    const { name, params, kind, source } = this;
    this.key ??= [name, json(params), kind === "event" ? "" : this.summary, source.body, source.vendor].join(" ").slice(0, 20000).toLowerCase();
    return this.key;
  }

  /** The event in the plan. */
  get planned() { return this.session.planned(this.name); }

  /** What the test would notice of entries of this name. */
  get mutants() { return own(own(this.session.mutants, `${this.kind}s`), this.name); }

  /** The time of day, where the session has its date: `14:05:12.345`. */
  get clock() {
    const date = new Date(Date.parse(this.session.began) + this.at);
    return Number.isNaN(date.getTime()) ? "" : `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
  }

  /** The test of a server in which the entry arrived; undefined before, between and after tests. */
  get test() { return this.session.tests.find(({ from, until }) => from <= this.number && !(until <= this.number)); }

  /** The test of a server that begins at this note. */
  get begun() { return this.number ? undefined : this.session.tests.find(({ name, from }) => name === this.name && from === this.next); }

  get from() { return [this.source.vendor, this.source.process, this.source.launch].filter(Boolean).join(" "); }

  /** An event that repeats the one before it of its name and sender within half a second. */
  get isDuplicate() {
    const { previous } = this;
    return this.kind === "event" && previous && this.at - previous.at < 500
      && this.from === previous.from && json(this.params) === json(previous.params);
  }

  /** `[word, severity]`, most severe first. */
  get marks() { return Entry.marks.filter(([, , holds]) => holds(this)); }

  get isBad() { return Entry.marks.some(([, severity, holds]) => severity === "bad" && holds(this)); }

  is(word) { return Boolean(Entry.words[word](this)); }
}

/** The marks of an entry: the word is what the row shows, and what `is:` looks for. */
Entry.marks = [
  ["violation", "bad", ({ source }) => source.findings?.length],
  ["rejected", "bad", ({ kind }) => kind === "rejection"],
  ["unmatched", "bad", ({ source }) => source.isUnmatched],
  ["problem", "bad", ({ source }) => source.problem],
  ["failure", "bad", (entry) => entry.session.failed?.has(entry)],
  ["failed", "bad", ({ begun }) => begun?.hasFailed && !begun.isRepeated],
  ["repeated", "odd", ({ begun }) => begun?.isRepeated],
  ["here", "diff", (entry) => entry.session.zero === entry],
  ["nearest", "diff", (entry) => entry.session.nearest?.has(entry)],
  ["outside", "odd", ({ number, session, test }) => number && session.tests.some(({ name }) => name) && !test],
  ["fault", "odd", ({ source }) => source.fault],
  ["leftover", "odd", ({ source }) => source.isLeftover],
  ["unverified", "odd", ({ source }) => source.isMatched === false],
  ["duplicate", "odd", (entry) => entry.isDuplicate],
  ["redelivered", "odd", ({ source }) => source.redeliveries],
  ["refused", "odd", ({ source }) => source.isAcknowledged === false],
  ...["added", "missing", "changed"].map((word) => [word, "diff", ({ comparison }) => comparison === word]),
  ["verified", "good", ({ source }) => source.isMatched],
];
Entry.words = {
  bad: (entry) => entry.isBad,
  event: ({ kind }) => kind === "event",
  request: ({ kind }) => kind === "request",
  note: ({ kind }) => kind === "note",
  ...Object.fromEntries(Entry.marks.map(([word, , holds]) => [word, holds])),
};

const badge = ([word, severity]) => make("span", { className: `mark ${severity}` }, word);

class Session {
  static format = "tracking-session";
  static version = 1;

  /** What a session holds besides its entries. */
  static members = { title: "", isServed: false, tests: [], failures: [], waits: [], lost: [], omittedEntries: 0, plan: undefined, mutants: undefined, began: "" };

  constructor() {
    Object.assign(this, Session.members, { entries: [], byNumber: new Map(), lastByName: new Map(), processes: new Set() });
  }

  /** Reads the text of a session.json; throws with a sentence for the reader. */
  static read(text) {
    let source;
    try {
      source = parseExactly(text);
    } catch (error) {
      throw new Error(`It isn't JSON: ${error.message}`);
    }
    if (source?.format !== Session.format || !Array.isArray(source.entries)) {
      throw new Error(`It isn't a session.json: its "format" is not "${Session.format}".`);
    }
    if (source.version > Session.version) {
      throw new Error(`It has version ${source.version}, and this page reads version ${Session.version}: open it with a newer inspector.`);
    }
    const wrong = mismatch(source, Session.shape);
    if (wrong) throw new Error(`It isn't a valid session.json: ${wrong}.`);
    const session = new Session();
    session.take(source);
    return session;
  }

  /** Adds what a session.json or one response of the feed holds. */
  take(source) {
    for (const part of source.entries ?? []) {
      const known = this.byNumber.get(part.number);
      // A response was added to a request.
      if (known) [known.source, known.key] = [part];
      else this.append(new Entry(part, this));
    }
    for (const [number, mark] of Object.entries(source.marks ?? {})) {
      Object.assign(this.byNumber.get(Number(number))?.source ?? {}, mark);
    }
    // Another test on the same server.
    if (source.title !== this.title) this.mutants = undefined;
    for (const member of Object.keys(Session.members)) this[member] = source[member] ?? this[member];
  }

  planned(name) {
    if (this.plan !== this.known?.plan) this.known = { plan: this.plan, events: new Map(this.plan.events.map((event) => [event.name, event])) };
    return this.known?.events.get(name);
  }

  append(entry) {
    entry.place = this.entries.push(entry) - 1;
    this.hasSources ||= Boolean(entry.source.vendor || entry.source.launch);
    if (entry.source.process) this.processes.add(entry.source.process);
    if (entry.number) this.byNumber.set(this.last = entry.number, entry);
    else entry.next = (this.last ?? 0) + 1;
    this.lastByName.set(entry.name, entry);
  }

  /** The same session as one session.json. */
  get json() {
    const { byNumber, lastByName, processes, known, failed, nearest, zero, hasSources, last, entries, tests, omittedEntries, ...said } = this;
    return json({ format: Session.format, version: Session.version, ...said, tests: tests.length ? tests : undefined, omittedEntries: omittedEntries || undefined,
      entries: entries.map(({ source }) => source) }, 1);
  }
}
