// The details of one entry: what is wrong with it, its source, its params as a tree, and what changed since the one before.

class Detail {
  /** `actions`: copy(text, what), filter(term), go(entry), entry(number). */
  constructor(actions) {
    this.actions = actions;
    this.element = $("detail");
  }

  show(entry, chosen) {
    const parts = entry ? this.parts(entry, chosen) : [make("p.hint", "Select an entry.")];
    this.element.replaceChildren(...parts.filter(Boolean));
    this.element.scrollTop = 0;
  }

  parts(entry, chosen) {
    const { source } = entry;
    return [
      make("h2", oneLine(entry.name, 200)),
      make("p.facts", `${entry.number ? `#${entry.number} · ` : ""}${time(entry.at)} s · ${entry.clock && `${entry.clock} · `}${source.vendor ?? entry.kind} `,
        ...entry.marks.map(badge)),
      ...problems(source).map((text) => make("p.problem", ...linked(visible(text)))),
      ...this.buttons(entry, chosen),
      entry.changes.length > 0 && section("Against the other session", changeTable(entry.changes)),
      Object.keys(entry.params).length > 0 && section("Params", this.tree(entry.params, "", entry)),
      noticed(entry),
      this.change(entry),
      source.context && section("Context", this.tree(source.context)),
      source.headers?.length && section("Header fields", table(source.headers)),
      this.body("Body", source, source.headers),
      source.response && section(["Response", source.status, source.response.milliseconds !== undefined && `after ${time(source.response.milliseconds)} s`]
        .filter(Boolean).join(" "), table(source.response.fields ?? [])),
      source.response && this.body("Response body", source.response, source.response.fields),
      this.delivery(entry),
    ];
  }

  body(title, source, fields) {
    if (!source.body) return null;
    const size = source.bodySize === undefined ? "a stream" : count(source.bodySize, "byte");
    return section(`${title}, ${size}`, bodyView(source, fields, (value) => this.tree(value)));
  }

  /** The entry's other members, and the entries of the same request, which have the same time. */
  delivery({ source, number, at, test }) {
    const facts = Object.entries(source).filter(([name, value]) => !isContainer(value) && !shownElsewhere.test(name)).map(([name, value]) => ({ name: name === "at" ? "tracked at" : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`), value: plain(value) }));
    if (test?.name) facts.push({ name: "test", value: oneLine(test.name, 200) });
    let [first, last] = [number, number];
    const isCarried = (place, other = this.actions.entry(place)) =>
      source.connection && other?.source.connection === source.connection && other.at === at;
    while (isCarried(first - 1)) first--;
    while (isCarried(last + 1)) last++;
    if (first < last) facts.push({ name: "same request", value: `#${first} to #${last}` });
    return facts.length > 0 && section("Delivery", table(facts));
  }

  buttons(entry, chosen) {
    const copied = chosen.length > 1 ? waitableOf(chosen) : [entry];
    const check = this.actions.isServed() ? checkFor(copied) : "";
    const [swift, named] = check ? [] : [swiftFor(copied), swiftFor(copied, true)];
    const isStub = copied.length < 2 && copied[0]?.source.isUnmatched;
    const title = isStub ? "Copy the stub" : `Copy ${copied.length > 1 ? `${copied.length} in order ` : ""}as ${check ? "check" : "Swift"}`;
    const button = (text, onclick, title = "") => make("button", { title, onclick }, text);
    const { copy, filter } = this.actions;
    return [
      make("div.tools", { role: "toolbar", ariaLabel: "Entry" },
        check && button(title, () => copy(check, "JSON"), "c"),
        check && !isStub && button("Copy for a shell", () => copy(`tracking wait ${shellWord(check)}`, "shell")),
        swift && button(title, () => copy(swift, "Swift"), "c"),
        swift !== named && button("Copy by name", () => copy(named, "Swift")),
        entry.kind === "request" && button("Copy as curl", () => copy(curlFor(entry.source), "curl")),
        button("Copy JSON", () => copy(json(entry.source, 2), "JSON")),
        button("Only this name", () => filter(`name=${quoted(entry.name)}`))),
      swift && block("As Swift", visible(swift, 4000)),
      check && block("As JSON", visible(check, 4000)),
    ];
  }

  /** A list that nests; of an entry's params, every leaf can be made a term of the filter. */
  tree(value, path = "", entry) {
    const members = Object.entries(value);
    const shown = members.slice(0, 500).map(([key, child]) => {
      const childPath = path ? `${path}.${key}` : key;
      const label = make("span.key", oneLine(key, 120));
      const pinned = entry ? pin(entry.mutants, childPath) : [];
      if (isContainer(child) && Object.keys(child).length) {
        const size = Array.isArray(child) ? `[${child.length}]` : `{${Object.keys(child).length}}`;
        // Children are made when they are first opened: a value may be deep and wide.
        const details = make("details", make("summary", label, ` ${size}`, ...pinned));
        details.ontoggle = () => details.children.length > 1 || details.append(this.tree(child, childPath, entry));
        details.open = childPath.split(".").length < 3 && Object.keys(child).length <= 40;
        if (details.open) details.ontoggle();
        return make("li", details);
      }
      return make("li", label, " ", leaf(child), ...pinned, entry && !isContainer(child) && plain(child).length < 200 && /^[^\s":=<>!|]+$/.test(childPath)
        ? quiet("filter", () => this.actions.filter(`${childPath in Filter.fields ? "params." : ""}${childPath}=${quoted(plain(child))}`),
          { title: "Filter for this value", ariaLabel: `Filter for this ${oneLine(key, 60)}` }) : null);
    });
    if (members.length > 500) shown.push(make("li.hint", `${members.length - 500} more`));
    return make("ul.tree", ...shown);
  }

  change({ previous, params, kind, at }) {
    if (kind !== "event" || !previous) return null;
    const changes = differences(previous.params, params);
    const link = quiet(`#${previous.number}`, () => this.actions.go(previous));
    const heading = make("span", "Changed since", link, `(${time(at - previous.at)} s earlier)`);
    return section(heading, changes.length ? changeTable(changes) : make("p.hint", "No param"));
  }
}

const shownElsewhere = /^(is.*|kind|name|number|milliseconds|body|bodyBase64|path|reason|problem|fault|nearestStub)$/;

/** What is wrong with an entry, in sentences. */
const problems = (source) => [
  ...(source.findings ?? []).map(located), source.reason && located({ ...source, message: source.reason }), source.problem,
  source.fault && `Injected fault: ${source.fault}`,
  source.isUnmatched && `No stub matches.${source.nearestStub ? ` Nearest: ${source.nearestStub}` : ""}`,
].filter(Boolean);

const located = ({ path, message }) => `${path ? `${path}: ` : ""}${message}`;

/** A text of several lines, which scrolls. */
const block = (label, text = "") => make("pre", { tabIndex: 0, role: "group", ariaLabel: label }, text);

/** An element with a text that is cut, and a button that shows all of it. */
function whole(element, text, length) {
  element.textContent = visible(text, length);
  if (text.length <= length) return element;
  const all = quiet("show all", () => (element.textContent = visible(text, Infinity), all.remove()));
  return make("span", element, " ", all);
}

function leaf(value) {
  const kind = value === null ? "null" : typeof value === "bigint" ? "number" : typeof value;
  return whole(make("span", { className: kind }), json(value), 600);
}

const section = (title, content) => make("section", make("h3", title), content);

const table = (pairs) => make("dl.pairs", ...pairs.flatMap(({ name, value }) =>
  [make("dt", oneLine(name, 80)), make("dd", visible(String(value), 600))]));

const changeTable = (changes) => make("ul.tree.changes", ...changes.slice(0, 200).map(({ path, before, after }) =>
  make("li", make("span.key", oneLine(path, 120)), " ",
    before !== undefined && make("del", visible(plain(before), 200)), " ",
    after !== undefined && make("ins", visible(plain(after), 200)))));
