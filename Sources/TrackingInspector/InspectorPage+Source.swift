// swift-format-ignore-file
// Written by Scripts/embed-inspector from Inspector/; change it there.

extension InspectorPage {
  /// What may run and be loaded: the page's own script and style by their hashes, and requests to its own server.
  static let policy = "default-src 'none'; script-src 'sha256-+F6za8Y3Za9HglgUaI9KD2cF/ZTjAQDsvq80kyx4tRY='; style-src 'sha256-+dwOS5wa1+uUfdvfb6P/NtDwsoPlkGPs1WD8X7p7u5g='; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

  /// The page up to where a report inserts its session.
  static let head = ##"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-+F6za8Y3Za9HglgUaI9KD2cF/ZTjAQDsvq80kyx4tRY='; style-src 'sha256-+dwOS5wa1+uUfdvfb6P/NtDwsoPlkGPs1WD8X7p7u5g='; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tracking inspector</title>
<link rel="icon" href="data:,">
<style>:root {
  --paper: #fff; --raised: #f6f7f9; --ink: #1b1f27; --soft: #566070; --line: #dfe3e9; --hover: #eef1f6;
  --accent: #3d4fd1; --active: #e4e8ff; --bad: #b3261e; --bad-paper: #fdeceb; --odd: #855300; --odd-paper: #fdf3df;
  --good: #1c6b3c; --good-paper: #e5f4ea; --other: #8a3b86;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171d; --raised: #1b1f27; --ink: #e6e9ef; --soft: #9aa4b5; --line: #2d333e; --hover: #20252f;
    --accent: #98a6ff; --active: #2a3160; --bad: #ff9d94; --bad-paper: #40201f; --odd: #f0c064; --odd-paper: #392d14;
    --good: #7fd6a0; --good-paper: #173323; --other: #e5a3df;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body {
  display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif;
}
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }

header {
  display: grid; grid-template-columns: minmax(160px, auto) minmax(240px, 1fr) auto; gap: 2px 16px; align-items: center;
  padding: 10px 14px 8px; background: var(--raised); border-bottom: 1px solid var(--line);
}
h1 { display: flex; gap: 8px; align-items: center; min-width: 0; max-width: 34vw; margin: 0; font-size: 15px; }
#title { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#status { grid-area: 2 / 1; margin: 0 0 0 18px; color: var(--soft); font-size: 12px; }
.dot { flex: none; width: 10px; height: 10px; border-radius: 50%; background: var(--accent); }
.dot[data-state="live"] { background: #21a45a; }
.dot[data-state="ended"] { background: #d04437; }

#search { grid-area: 1 / 2; display: flex; align-items: center; position: relative; }
#filter {
  flex: 1; min-width: 0; padding: 6px 110px 6px 10px; border: 1px solid var(--line); border-radius: 7px;
  background: var(--paper); color: inherit; font: 13px var(--mono);
}
#filter::placeholder { color: var(--soft); opacity: 1; }
#count { position: absolute; right: 10px; color: var(--soft); font-size: 12px; }
#problem { position: absolute; top: 100%; left: 10px; z-index: 3; padding: 0 6px; background: var(--odd-paper); color: var(--odd); font-size: 12px; }
#chips { grid-area: 2 / 2 / 2 / 4; display: flex; flex-wrap: wrap; gap: 6px; margin-top: 4px; }
.tools { display: flex; flex-wrap: wrap; gap: 6px; }
button {
  padding: 4px 10px; border: 1px solid var(--line); border-radius: 7px; background: var(--paper); color: inherit;
  font: inherit; font-size: 13px; cursor: pointer;
}
button[aria-pressed="true"] { border-color: var(--accent); background: var(--active); color: var(--ink); }
#chips button { padding: 1px 10px; border-radius: 99px; font-size: 12px; }
button.quiet { padding: 0 4px; border-color: transparent; background: none; color: var(--accent); font-size: 12px; }
.tree button.quiet { opacity: 0; }
li:hover > button.quiet, .tree button.quiet:focus-visible { opacity: 1; }
#banner { padding: 6px 14px; background: var(--odd-paper); color: var(--odd); }

#waits { max-height: 38vh; overflow: auto; padding: 6px 14px; border-bottom: 1px solid var(--line); background: var(--raised); }
.card { margin: 3px 0; padding: 5px 10px; border: 1px solid var(--line); border-radius: 7px; background: var(--paper); }
.card .question { margin: 0 10px 0 8px; }
.card .location { color: var(--soft); font: 12px var(--mono); }

main { flex: 1; display: grid; grid-template-columns: minmax(0, 1fr) minmax(300px, 38%); min-height: 0; }
#timeline { position: relative; min-width: 0; border-right: 1px solid var(--line); }
#grid { position: absolute; inset: 0; overflow: auto; outline-offset: -2px; overflow-anchor: none; }
.head { position: sticky; top: 0; z-index: 2; background: var(--paper); }
.row {
  display: grid; grid-template-columns: 74px minmax(130px, 24%) minmax(0, 1fr) auto minmax(0, 92px); gap: 12px;
  align-items: center; height: 28px; padding: 0 12px 0 10px; border-left: 4px solid transparent; white-space: nowrap;
}
.row > * { overflow: hidden; text-overflow: ellipsis; }
.head .row { border-bottom: 1px solid var(--line); color: var(--soft); font-size: 11px; }
#rows { position: relative; contain: strict; }
#rows .row { position: absolute; top: 0; left: 0; right: 0; contain: strict; border-bottom: 1px solid var(--hover); cursor: default; }
#rows .row:hover, button:hover { background: var(--hover); }
#rows .row[aria-selected="true"] { background: var(--active); }
#rows .row.active { border-left-color: var(--accent); }
#rows .row[data-severity="bad"] { border-left-color: var(--bad); }
.at, .summary, .from { color: var(--soft); font: 12px var(--mono); }
.at { text-align: right; }
.row[aria-selected="true"] :is(.at, .summary, .from) { color: var(--ink); }
[data-kind="request"] .name { color: var(--accent); font-weight: 500; }
[data-kind="note"] { background: var(--raised); }
[data-kind="note"] .name { grid-column: 2 / 4; }
[data-kind="note"] .summary { display: none; }
.marks { display: flex; gap: 4px; justify-content: flex-end; }
.mark { padding: 0 6px; border-radius: 99px; background: var(--hover); font-size: 11px; line-height: 17px; white-space: nowrap; }
.mark.odd { background: var(--odd-paper); color: var(--odd); }
.mark.diff, .mark.open { background: var(--active); }
#newer { position: absolute; bottom: 14px; left: 50%; transform: translateX(-50%); border-color: var(--accent); border-radius: 99px; background: var(--active); }
#empty { position: absolute; top: 60px; left: 0; right: 0; color: var(--soft); text-align: center; }

#detail { overflow: auto; padding: 12px 16px 24px; }
h2 { margin: 0; font-size: 16px; overflow-wrap: anywhere; }
#detail h3 { margin: 18px 0 4px; color: var(--soft); font-size: 12px; font-weight: 600; }
summary { cursor: pointer; }
.hint, .tree summary { color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 4px 6px; margin: 2px 0 10px; color: var(--soft); font-size: 12px; }
.problem { margin: 8px 0; padding: 6px 10px; border-left: 3px solid var(--bad); border-radius: 4px; background: var(--bad-paper); overflow-wrap: anywhere; white-space: pre-wrap; }
pre { margin: 8px 0; padding: 8px 10px; border-radius: 6px; background: var(--raised); font: 12px/1.5 var(--mono); overflow: auto; max-height: 40vh; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.swift { border: 1px solid var(--line); max-height: 26vh; }
.tree { margin: 0; padding: 0 0 0 14px; list-style: none; font: 12.5px/1.6 var(--mono); overflow-wrap: anywhere; }
section > .tree { padding-left: 0; }
.name, .key { color: var(--ink); font-weight: 600; }
.key::after { content: ":"; color: var(--soft); font-weight: 400; }
.string { color: var(--good); }
.number { color: var(--accent); }
.boolean, .null, .object { color: var(--other); }
del, ins { padding: 0 3px; border-radius: 3px; text-decoration: none; }
del, .mark.bad { background: var(--bad-paper); color: var(--bad); }
ins, .mark.good { background: var(--good-paper); color: var(--good); }
.pairs { display: grid; grid-template-columns: max-content 1fr; gap: 1px 14px; margin: 0; font-size: 12.5px; }
.pairs dt { color: var(--soft); }
.pairs dd { margin: 0; font-family: var(--mono); overflow-wrap: anywhere; }

dialog { max-width: min(860px, 94vw); padding: 18px 22px; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); color: inherit; }
dialog form { float: right; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 0 26px; }
dialog dt { margin-top: 6px; }
dialog dd { margin: 0 0 0 12px; color: var(--soft); }
kbd, code { padding: 1px 5px; border: 1px solid var(--line); border-radius: 4px; background: var(--raised); font: 12px var(--mono); }

@media (max-width: 820px) {
  header { grid-template-columns: 1fr auto; }
  #search { grid-area: 3 / 1 / 3 / 3; }
  #chips { grid-area: 4 / 1 / 4 / 3; }
  main { grid-template-columns: 1fr; grid-template-rows: 55% 45%; }
  #timeline { border-right: 0; border-bottom: 1px solid var(--line); }
  .row { grid-template-columns: 64px minmax(110px, 40%) minmax(0, 1fr) auto; }
  .from, .head .row > :last-child { display: none; }
}
</style>
</head>
<body>
<header>
  <h1><span id="state" class="dot" aria-hidden="true"></span><span id="title">Tracking inspector</span></h1>
  <p id="status"></p>
  <form id="search" role="search">
    <input id="filter" autocomplete="off" autocapitalize="off" spellcheck="false" aria-label="Filter the timeline"
      aria-describedby="problem" placeholder="Filter:  purchase total&gt;100 -heartbeat is:bad">
    <span id="problem"></span>
    <output id="count"></output>
  </form>
  <div class="tools" role="toolbar" aria-label="Session">
    <button id="follow" aria-pressed="true" title="f">Follow</button>
    <button id="open" title="o">Open…</button>
    <button id="compare">Compare…</button>
    <button id="save" title="s">Save</button>
    <button id="help" aria-label="Help">?</button>
  </div>
  <nav id="chips" aria-label="Quick filters"></nav>
</header>
<div id="banner" role="status" hidden></div>
<section id="waits" aria-label="Waits" hidden></section>
<main>
  <section id="timeline" aria-label="Timeline">
    <div id="grid" role="grid" aria-label="Entries in the order of arrival" aria-multiselectable="true" tabindex="0">
      <div role="rowgroup" class="head">
        <div role="row" aria-rowindex="1" class="row">
          <span role="columnheader">Time</span><span role="columnheader">Entry</span><span role="columnheader">Contents</span><span
            role="columnheader">Marks</span><span role="columnheader">Source</span>
        </div>
      </div>
      <div role="rowgroup" id="rows"></div>
    </div>
    <button id="newer" hidden></button>
    <p id="empty" hidden></p>
  </section>
  <section id="detail" aria-label="Details of the selected entry" tabindex="0"></section>
</main>
<p id="live" class="unseen" aria-live="polite"></p>
<input id="file" type="file" accept=".json,application/json" hidden aria-label="Session file">
<dialog id="about" aria-labelledby="about-title">
  <form method="dialog"><button aria-label="Close">✕</button></form>
  <h2 id="about-title">Keys and filters</h2>
  <div class="columns">
    <dl>
      <dt><kbd>j</kbd> <kbd>k</kbd> <kbd>↓</kbd> <kbd>↑</kbd></dt><dd>next, previous entry; with Shift also select it</dd>
      <dt><kbd>n</kbd> <kbd>p</kbd></dt><dd>next, previous entry of the same name</dd>
      <dt><kbd>b</kbd></dt><dd>next entry with a problem</dd>
      <dt><kbd>x</kbd></dt><dd>add to the selection, or remove</dd>
      <dt><kbd>Enter</kbd> <kbd>Esc</kbd></dt><dd>to the details, back to the timeline</dd>
      <dt><kbd>c</kbd></dt><dd>copy as Swift</dd>
      <dt><kbd>/</kbd></dt><dd>filter; <kbd>Esc</kbd> twice clears it</dd>
      <dt><kbd>f</kbd> <kbd>o</kbd> <kbd>s</kbd> <kbd>?</kbd></dt><dd>follow, open, save, this page</dd>
    </dl>
    <dl>
      <dt><code>purchase "Desk lamp"</code></dt><dd>contains both, in any case</dd>
      <dt><code>-heartbeat</code></dt><dd>does not; a minus works before every term</dd>
      <dt><code>total&gt;100 items.0.id=42</code></dt><dd>params by number or text: <code>= != &lt; &lt;= &gt; &gt;=</code>, or <code>key:part</code></dd>
      <dt><code>name:cart</code> <code>from:segment</code></dt><dd>part of the name; of the vendor or launch</dd>
      <dt><code>status&gt;=400 method:post</code></dt><dd>requests</dd>
      <dt><code>is:bad</code></dt><dd>with a problem; or is: <span id="kinds"></span></dd>
      <dt><code>#42</code></dt><dd>the entry of this number</dd>
      <dt><code>a | b</code></dt><dd>either one</dd>
    </dl>
  </div>
</dialog>

"""##

  /// The rest of the page: its script.
  static let tail = ##"""
<script>"use strict";
// Everything that came from an app is hostile text: it reaches the page through textContent alone, cut, with invisible characters spelled out.

const $ = (id) => document.getElementById(id);

/** An element with properties and children; strings become text nodes. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Controls, bidirectional marks, zero-width characters and tags. U+200C and U+200D stay: words and emoji need them.
const invisible =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;
const codePoint = (character) => character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

/** Text as it can be shown: cut, and with every invisible character as its code point. */
function visible(text, length = 2000) {
  let shown = text.length > length ? text.slice(0, length) : text;
  shown = shown.replace(invisible, (character) => `⟨U+${codePoint(character)}⟩`);
  return text.length > length ? `${shown}… (${text.length.toLocaleString("en")} characters)` : shown;
}

/** The same on one line. */
const oneLine = (text, length = 160) => visible(text, length).replace(/\r\n|[\n\r]/g, "⏎").replace(/\t/g, "⇥");

/** JSON with every digit kept: integers that a double cannot hold become BigInt. */
function parseExactly(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, context) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? BigInt(context.source) : value);
}

const raw = (_, value) =>
  typeof value !== "bigint" ? value : JSON.rawJSON ? JSON.rawJSON(String(value)) : String(value);
const json = (value, indent) => JSON.stringify(value, raw, indent);

const isContainer = (value) => value !== null && typeof value === "object";
const plain = (value) => (typeof value === "string" ? value : json(value));

/** `productID=42, items=[2]` */
function summary(params, length = 260) {
  let text = "";
  for (const [key, value] of Object.entries(params)) {
    if (text.length > length) return `${text}, …`;
    const shown = Array.isArray(value) ? `[${value.length}]`
      : isContainer(value) ? `{${Object.keys(value).length}}` : oneLine(plain(value), 60);
    text += `${text ? ", " : ""}${oneLine(key, 40)}=${shown}`;
  }
  return text;
}

/** `+1.234 s`, `2:05.100` */
function time(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return seconds.toFixed(3);
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(3).padStart(6, "0")}`;
}

const count = (number, noun) => `${number.toLocaleString("en")} ${number === 1 ? noun : `${noun}s`.replace(/ys$/, "ies")}`;

/** The leaves of a value by their paths: `items.0.price` to `12`. Empty containers are leaves. */
function leaves(value, path = "", into = new Map()) {
  if (isContainer(value) && Object.keys(value).length) {
    for (const [key, child] of Object.entries(value)) leaves(child, path ? `${path}.${key}` : key, into);
  } else if (path) {
    into.set(path, value);
  }
  return into;
}

/** What differs from one object to another, by path: `{path, before, after}`; what is missing is undefined. */
function differences(before, after) {
  const [old, now] = [leaves(before), leaves(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  return paths.filter((path) => !old.has(path) || !now.has(path) || json(old.get(path)) !== json(now.get(path)))
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }));
}

/** Whether a value is probably another one in every run: an identifier or a moment. */
function isVolatile(value) {
  if (typeof value === "number") return value > 1.4e9 && value < 2.2e9 || value > 1.4e12 && value < 2.2e12;
  if (typeof value !== "string") return false;
  return /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value) || /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)
    || /^(?=.*\d)(?=.*[a-z])[0-9a-z_-]{20,}$/i.test(value);
}
// A session: the entries of one session.json, or of a running server's feed. Inspector/README.md describes the format.

class Entry {
  constructor(source, session) {
    this.source = source;
    this.kind = source.kind;
    this.number = source.number ?? 0;
    this.at = source.milliseconds ?? 0;
    this.name = Entry.name(source);
    this.params = source.params ?? {};
    this.previous = session.lastByName.get(this.name) ?? null;
    this.key = null;
    this.comparison = "";
    this.changes = [];
  }

  static name(source) {
    switch (source.kind) {
      case "event": return source.name;
      case "request": return `${source.method} ${source.target.split("?")[0]}`;
      case "rejection": return "rejected submission";
      default: return source.text ?? source.kind;
    }
  }

  get summary() {
    const { source } = this;
    switch (this.kind) {
      case "event": return summary(this.params);
      case "request": {
        const by = source.stub ? ` by ${source.stub}` : source.isUnmatched ? ", no stub" : "";
        const query = source.target.includes("?") ? `?${source.target.split("?").slice(1).join("?")} ` : "";
        return oneLine(`${query}→ ${source.status ?? "no answer"}${by}`, 260);
      }
      case "rejection": return oneLine(`${source.status}: ${source.path ? `${source.path}: ` : ""}${source.reason}`, 260);
      default: return "";
    }
  }

  /** What the search looks through, made when it is first needed. */
  get text() {
    this.key ??= `${this.name} ${Object.keys(this.params).length ? json(this.params) : ""} ${this.kind === "event" ? ""
      : `${this.summary} ${this.source.body ?? ""}`} ${this.source.vendor ?? ""}`.slice(0, 20000).toLowerCase();
    return this.key;
  }

  get from() { return [this.source.vendor, this.source.launch].filter(Boolean).join(" "); }

  /** An event that repeats the one before it of its name within half a second. */
  get isDuplicate() {
    const { previous } = this;
    return this.kind === "event" && previous !== null && this.at - previous.at < 500
      && json(this.params) === json(previous.params);
  }

  /** `[word, severity]`, most severe first. */
  get marks() { return Entry.marks.filter(([, , holds]) => holds(this)); }

  get isBad() { return Entry.marks.some(([, severity, holds]) => severity === "bad" && holds(this)); }

  is(word) { return Boolean(Entry.words[word](this)); }
}

/** What can be said of an entry: the word is what the row shows, and what `is:` asks. */
Entry.marks = [
  ["violation", "bad", ({ source }) => source.findings?.length],
  ["rejected", "bad", ({ kind }) => kind === "rejection"],
  ["unmatched", "bad", ({ source }) => source.isUnmatched],
  ["problem", "bad", ({ source }) => source.problem],
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
  odd: (entry) => entry.marks.some(([, severity]) => severity === "odd"),
  event: ({ kind }) => kind === "event",
  request: ({ kind }) => kind === "request",
  note: ({ kind }) => kind === "note",
  ...Object.fromEntries(Entry.marks.map(([word, , holds]) => [word, holds])),
};

class Session {
  static format = "tracking-session";
  static version = 1;

  constructor() {
    this.entries = [];
    this.byNumber = new Map();
    this.lastByName = new Map();
    this.waits = [];
    this.lost = [];
    this.title = "";
    this.failures = [];
    this.omitted = 0;
  }

  /** Reads the text of a session.json; throws with a sentence for the reader. */
  static read(text) {
    let source;
    try {
      source = parseExactly(text);
    } catch (error) {
      throw new Error(`This is no JSON: ${error.message}`);
    }
    if (source?.format !== Session.format || !Array.isArray(source.entries)) {
      throw new Error(`This is no session.json: its "format" is not "${Session.format}".`);
    }
    if (source.version > Session.version) {
      throw new Error(`This session has version ${source.version}; this page reads up to version ${Session.version}.`);
    }
    const session = new Session();
    session.take(source);
    return session;
  }

  /** Adds what a session.json or one answer of the feed holds. */
  take(source) {
    for (const part of source.entries ?? []) {
      if (!isContainer(part) || typeof part[{ event: "name", request: "target" }[part.kind] ?? "kind"] !== "string") continue;
      const known = this.byNumber.get(part.number);
      // An answer was added to a request.
      if (known) [known.source, known.key] = [part, null];
      else this.append(new Entry(part, this));
    }
    for (const [number, mark] of Object.entries(source.marks ?? {})) {
      Object.assign(this.byNumber.get(Number(number))?.source ?? {}, mark);
    }
    this.title = source.title ?? this.title;
    this.waits = source.waits ?? this.waits;
    this.lost = source.lost ?? this.lost;
    this.failures = source.failures ?? this.failures;
    this.omitted = source.omittedEntries ?? this.omitted;
  }

  append(entry) {
    this.entries.push(entry);
    if (entry.number) this.byNumber.set(entry.number, entry);
    this.lastByName.set(entry.name, entry);
  }

  /** The same session as one session.json. */
  get json() {
    return json({
      format: Session.format, version: Session.version, title: this.title, failures: this.failures,
      omittedEntries: this.omitted || undefined, entries: this.entries.map((entry) => entry.source),
      lost: this.lost, waits: this.waits,
    }, 1);
  }
}
// The filter language: terms that must all hold, `|` between alternatives, a minus before what must not.
// `purchase total>100 -heartbeat is:bad from:segment`

class Filter {
  /** A filter; `problem` says what is wrong with the text, and that term is left out. */
  constructor(text) {
    this.problem = "";
    this.alternatives = [[]];
    for (const token of text.match(/(?:[^\s"]|"(?:[^"\\]|\\.)*"?)+/g) ?? []) {
      if (token === "|") this.alternatives.push([]);
      else this.alternatives.at(-1).push(this.term(token));
    }
    this.alternatives = this.alternatives.map((terms) => terms.filter(Boolean));
    this.isEmpty = this.alternatives.every((terms) => terms.length === 0);
  }

  matches(entry) {
    return this.isEmpty || this.alternatives.some((terms) => terms.length > 0 && terms.every((holds) => holds(entry)));
  }

  term(token) {
    if (token.length > 1 && token.startsWith("-") && !/^-\d/.test(token)) {
      const holds = this.term(token.slice(1));
      return holds && ((entry) => !holds(entry));
    }
    if (/^#\d+$/.test(token)) return (entry) => entry.number === Number(token.slice(1));
    const parts = /^([^\s":=<>!]+)(:|!=|<=|>=|=|<|>)(.*)$/s.exec(token);
    if (!parts) {
      const needle = unquoted(token).toLowerCase();
      return (entry) => entry.text.includes(needle);
    }
    const [, key, operator, quoted] = parts;
    const value = unquoted(quoted);
    if (value === "") return null;
    if (key === "is" && operator === ":") {
      if (Object.hasOwn(Entry.words, value)) return (entry) => entry.is(value);
      this.problem = `is:${value} is unknown; ? lists what there is`;
      return null;
    }
    if (!["=", "!=", ":"].includes(operator) && Number.isNaN(Number(value))) {
      this.problem = `${key}${operator} needs a number`;
      return null;
    }
    const field = (entry) => {
      const param = valueAt(entry.params, key);
      return param === undefined ? (Filter.fields[key] ?? (({ source }) => valueAt(source, key)))(entry) : param;
    };
    const holds = comparison(operator, value);
    return (entry) => {
      const found = field(entry);
      return found === undefined ? operator === "!=" && entry.kind === "event" : holds(found);
    };
  }
}

/** Names beside params and the members of session.json. */
Filter.fields = {
  name: (entry) => entry.name,
  from: (entry) => entry.from || undefined,
  path: (entry) => entry.source.target,
};

const unquoted = (text) => text.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1");

/** A term's text for a value, in quotes where it needs them. */
const quoted = (text) => (/^[^\s"|\\]+$/.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`);

/** The value at a path, where a key may itself contain dots. */
function valueAt(value, path) {
  if (!isContainer(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  const dot = path.indexOf(".");
  return dot > 0 && Object.hasOwn(value, path.slice(0, dot)) ? valueAt(value[path.slice(0, dot)], path.slice(dot + 1)) : undefined;
}

function comparison(operator, value) {
  const [text, number] = [value.toLowerCase(), Number(value)];
  const isNumber = (found) => typeof found === "number" || typeof found === "bigint" || typeof found === "string" && found.trim() !== "";
  const equals = (found) => plain(found).toLowerCase() === text || typeof found === "number" && found === number;
  switch (operator) {
    case ":": return (found) => plain(found).toLowerCase().includes(text);
    case "=": return equals;
    case "!=": return (found) => !equals(found);
    case "<": return (found) => isNumber(found) && Number(found) < number;
    case "<=": return (found) => isNumber(found) && Number(found) <= number;
    case ">": return (found) => isNumber(found) && Number(found) > number;
    default: return (found) => isNumber(found) && Number(found) >= number;
  }
}
// Entries as lines of a test.

/** A Swift string literal; whatever a reader could not see is escaped. */
function swiftString(text) {
  const escaped = text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t")
    .replace(invisible, (character) => `\\u{${codePoint(character)}}`);
  return `"${escaped}"`;
}

/** A literal of a matcher; what changes from run to run is `.any`. */
function swiftMatcher(value, indent) {
  if (isVolatile(value)) return ".any";
  if (value === null) return "nil";
  if (typeof value === "string") return swiftString(value);
  if (!isContainer(value)) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const elements = value.map((element) => swiftMatcher(element, inner));
    return layout("[", elements, "]", indent);
  }
  const members = Object.keys(value).sort().map((key) => `${swiftString(key)}: ${swiftMatcher(value[key], inner)}`);
  return members.length ? layout("[", members, "]", indent) : "[:]";
}

/** On one line if it is short, else one element a line. */
function layout(open, elements, close, indent) {
  const line = `${open}${elements.join(", ")}${close}`;
  if (line.length + indent.length <= 90 && !line.includes("\n")) return line;
  return `${open}\n${elements.map((element) => `${indent}  ${element},\n`).join("")}${indent}${close}`;
}

function swiftPattern(entry, indent) {
  const { source } = entry;
  if (entry.kind === "request") {
    const body = parsedBody(source);
    const condition = isContainer(body) && !Array.isArray(body) ? `, body: .jsonSubset(${swiftMatcher(body, indent)})` : "";
    return `.request(${swiftMethod(source.method)}, ${swiftString(source.target.split("?")[0])}${condition})`;
  }
  if (source.swift) return `.equal(to: ${source.swift})`;
  if (Object.keys(entry.params).length === 0) return `.named(${swiftString(entry.name)})`;
  return `.named(${swiftString(entry.name)}, params: ${swiftMatcher(entry.params, indent)})`;
}

const swiftMethod = (method) =>
  /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method) ? `.${method.toLowerCase()}` : swiftString(method);

function parsedBody(source) {
  try {
    return source.body ? parseExactly(source.body) : undefined;
  } catch {
    return undefined;
  }
}

/** The stub that an unmatched request asks for. Identifiers in its path become parameters. */
function swiftStub({ source }) {
  let ids = 0;
  const path = source.target.split("?")[0].split("/").map((part) =>
    /^\d+$/.test(part) || isVolatile(part) ? `:id${ids++ || ""}` : part).join("/");
  const result = source.method === "DELETE" ? ".status(204)" : source.method === "POST" ? ".json([:], status: 201)" : ".json([:])";
  return `verifier.stub(${swiftMethod(source.method)}, ${swiftString(path)}, ${result})`;
}

/** What a test would write for these entries. */
function swiftFor(entries) {
  const asked = entries.filter((entry) => entry.kind === "event" || entry.kind === "request");
  if (asked.length === 0) return "";
  if (asked.length > 1) {
    const patterns = asked.map((entry) => `  ${swiftPattern(entry, "  ")},\n`).join("");
    return `verifier.wait(for: .inOrder([\n${patterns}]))`;
  }
  const [entry] = asked;
  if (entry.source.isUnmatched) return swiftStub(entry);
  if (entry.source.swift) return `verifier.wait(for: ${entry.source.swift})`;
  return `verifier.wait(for: ${swiftPattern(entry, "")})`;
}
// Two sessions side by side: what came in both, with which params, and what came in one alone.

/** A session of both: entries of `now`, each with its counterpart, and between them what only `before` has. */
function compared(before, now) {
  const merged = new Session();
  merged.title = `${now.title || "this session"} compared with ${before.title || "the other"}`;
  [merged.waits, merged.lost, merged.failures] = [now.waits, now.lost, now.failures];
  const add = (source, how, other) => {
    const entry = new Entry({ ...source, number: merged.entries.length + 1 }, merged);
    const changes = other ? differences(other.params ?? {}, source.params ?? {}) : [];
    // A value that both sessions made up by themselves is no difference.
    const real = changes.filter(({ before, after }) => !(isVolatile(before) && isVolatile(after)));
    entry.comparison = how === "same" && real.length ? "changed" : how;
    entry.changes = real;
    merged.append(entry);
  };
  const [old, fresh] = [before.entries, now.entries];
  const pairs = commonOrder(old.map((entry) => entry.name), fresh.map((entry) => entry.name));
  let [i, j] = [0, 0];
  for (const [nextOld, nextFresh] of [...pairs, [old.length, fresh.length]]) {
    while (i < nextOld) add(old[i++].source, "missing");
    while (j < nextFresh) add(fresh[j++].source, "added");
    if (i < old.length && j < fresh.length) add(fresh[j++].source, "same", old[i++].source);
  }
  return merged;
}

/** The pairs of places of a longest common order of two lists of names. */
function commonOrder(old, fresh) {
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let [oldEnd, freshEnd] = [old.length, fresh.length];
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1] === fresh[freshEnd - 1]) (oldEnd--, freshEnd--);
  const ends = Array.from({ length: old.length - oldEnd }, (_, i) => [oldEnd + i, freshEnd + i]);
  return [...Array.from({ length: start }, (_, i) => [i, i]), ...middle(old, fresh, start, oldEnd, freshEnd), ...ends];
}

/** The same for what differs, in windows that keep the table of lengths small. */
function middle(old, fresh, start, oldEnd, freshEnd) {
  const pairs = [];
  for (let [top, left] = [start, start]; top < oldEnd && left < freshEnd;) {
    const [rows, columns] = [Math.min(oldEnd - top, 3000), Math.min(freshEnd - left, 3000)];
    const width = columns + 1;
    const lengths = new Uint16Array((rows + 1) * width);
    for (let i = rows - 1; i >= 0; i--) {
      for (let j = columns - 1; j >= 0; j--) {
        lengths[i * width + j] = old[top + i] === fresh[left + j] ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
      }
    }
    let [i, j] = [0, 0];
    while (i < rows && j < columns) {
      if (old[top + i] === fresh[left + j]) pairs.push([top + i++, left + j++]);
      else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
      else j++;
    }
    [top, left] = [top + i, left + j];
  }
  return pairs;
}
// The timeline: a grid of rows of one height, of which only those in view are in the document.

class Timeline {
  static rowHeight = 28;

  /** `onChange` is told of another active entry or selection. */
  constructor(onChange) {
    this.grid = $("grid");
    this.body = $("rows");
    this.onChange = onChange;
    this.rows = [];
    this.entries = [];
    this.active = null;
    this.selected = new Set();
    this.pool = [];
    this.follows = true;
    this.grid.addEventListener("scroll", () => this.schedule(), { passive: true });
    new ResizeObserver(() => this.schedule()).observe(this.grid);
    this.body.addEventListener("click", (event) => this.click(event));
  }

  get isAtEnd() { return this.grid.scrollTop + this.grid.clientHeight >= this.grid.scrollHeight - 2 * Timeline.rowHeight; }

  /** Shows these entries; the active one stays where it is on the screen. */
  show(entries) {
    const offset = this.active ? this.top(this.indexOf(this.active)) - this.grid.scrollTop : 0;
    this.entries = entries;
    this.places = null;
    this.resize();
    const index = this.active ? this.indexOf(this.active) : -1;
    if (index >= 0 && offset > 0 && offset < this.grid.clientHeight) this.grid.scrollTop = this.top(index) - offset;
    else if (index >= 0) this.reveal(index);
    else if (this.follows) this.scrollToEnd();
    this.refresh();
  }

  /** Takes note of entries at the end; nothing that is on the screen moves unless it follows. */
  grew() {
    this.resize();
    if (this.follows) this.scrollToEnd();
    this.schedule();
  }

  resize() {
    this.body.style.height = `${this.top(this.entries.length)}px`;
    this.grid.setAttribute("aria-rowcount", this.entries.length + 1);
  }

  top(index) { return index * Timeline.rowHeight; }

  scrollToEnd() { this.grid.scrollTop = this.grid.scrollHeight; }

  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.render();
    });
  }

  render() {
    const { rowHeight } = Timeline;
    const visibleRows = Math.ceil(this.grid.clientHeight / rowHeight);
    const size = visibleRows + 16;
    while (this.pool.length < size) this.addRow();
    const first = Math.max(0, Math.min(Math.floor(this.grid.scrollTop / rowHeight) - 6, this.entries.length - size));
    for (let index = first; index < first + this.pool.length; index++) {
      const row = this.pool[index % this.pool.length];
      const entry = this.entries[index];
      row.element.hidden = !entry;
      if (!entry) {
        row.index = -1;
        continue;
      }
      row.element.style.transform = `translateY(${this.top(index)}px)`;
      if (row.index !== index || row.entry !== entry) this.fill(row, index, entry);
      const isActive = entry === this.active;
      row.element.classList.toggle("active", isActive);
      row.element.setAttribute("aria-selected", isActive || this.selected.has(entry));
    }
    const active = this.pool.find((row) => row.index >= 0 && row.entry === this.active);
    if (active) this.grid.setAttribute("aria-activedescendant", active.element.id);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  addRow() {
    const cells = ["at", "name", "summary", "marks", "from"].map((name) => make("span", { className: name, role: "gridcell" }));
    const element = make("div", { className: "row", role: "row", id: `row-${this.pool.length}` }, ...cells);
    this.body.append(element);
    this.pool.push({ element, cells, index: -1, entry: null });
    // The place of a row in the pool is its index modulo the size, so that a new size moves all of them.
    this.refresh();
  }

  fill(row, index, entry) {
    row.index = index;
    row.entry = entry;
    const [at, name, text, marks, from] = row.cells;
    const entryMarks = entry.marks;
    row.element.setAttribute("aria-rowindex", index + 2);
    row.element.dataset.kind = entry.kind;
    row.element.dataset.severity = entryMarks[0]?.[1] ?? "";
    at.textContent = time(entry.at);
    name.textContent = oneLine(entry.name, 80);
    text.textContent = entry.summary;
    from.textContent = oneLine(entry.source.vendor ?? entry.source.launch ?? "", 24);
    marks.replaceChildren(...entryMarks.map(([word, severity]) => make("span", { className: `mark ${severity}` }, word)));
  }

  /** Draws again what is in view: marks may have changed. */
  refresh() {
    for (const row of this.pool) row.index = -1;
    this.schedule();
  }

  indexOf(entry) {
    if (this.places?.size !== this.entries.length) this.places = new Map(this.entries.map((each, index) => [each, index]));
    return this.places.get(entry) ?? -1;
  }

  /** Makes an entry the active one, and scrolls only if it is out of view. */
  activate(index, { extend = false } = {}) {
    const entry = this.entries[Math.max(0, Math.min(index, this.entries.length - 1))];
    if (!entry) return;
    if (extend) {
      const [from, to] = [this.active ? this.indexOf(this.active) : index, this.indexOf(entry)].sort((a, b) => a - b);
      for (let place = Math.max(from, 0); place <= to; place++) this.selected.add(this.entries[place]);
    } else {
      this.selected.clear();
    }
    this.active = entry;
    this.reveal(this.indexOf(entry));
    this.schedule();
    this.onChange();
  }

  move(by, options) { this.activate(this.active ? this.indexOf(this.active) + by : by > 0 ? 0 : this.entries.length - 1, options); }

  /** Goes to the next entry for which a condition holds, in either direction. */
  find(step, holds) {
    const start = this.active ? this.indexOf(this.active) : step > 0 ? -1 : this.entries.length;
    for (let index = start + step; index >= 0 && index < this.entries.length; index += step) {
      if (holds(this.entries[index])) return this.activate(index);
    }
  }

  toggle(entry) {
    if (!this.selected.delete(entry)) this.selected.add(entry);
    this.schedule();
    this.onChange();
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
// The details of one entry: what to do with it, what is wrong with it, its params as a tree, and what changed since the one before.

class Detail {
  /** `actions`: copy(text, what), filter(term), go(entry). */
  constructor(actions) {
    this.actions = actions;
    this.element = $("detail");
  }

  show(entry, chosen) {
    const parts = entry ? this.parts(entry, chosen) : [make("p", { className: "hint" }, "Select an entry.")];
    this.element.replaceChildren(...parts.filter(Boolean));
    this.element.scrollTop = 0;
  }

  parts(entry, chosen) {
    const { source } = entry;
    return [
      make("h2", {}, oneLine(entry.name, 200)),
      make("p", { className: "facts" }, `#${entry.number} · ${time(entry.at)} s · ${source.vendor ?? entry.kind} `,
        ...entry.marks.map(([word, severity]) => make("span", { className: `mark ${severity}` }, word))),
      ...problems(source).map((text) => make("p", { className: "problem" }, visible(text))),
      this.buttons(entry, chosen),
      entry.changes.length > 0 && section("Against the other session", changeTable(entry.changes)),
      Object.keys(entry.params).length > 0 && section("Params", this.tree(entry.params, "", entry)),
      this.change(entry),
      source.context && section("Context", this.tree(source.context, "", entry, false)),
      source.headers?.length && section("Header fields", table(source.headers)),
      source.body && section(`Body, ${count(source.bodySize ?? source.body.length, "byte")}`,
        whole("pre", { tabIndex: 0, role: "region", ariaLabel: "Body" }, json(parsedBody(source), 2) ?? source.body, 4000)),
      section("Delivery", table(facts(source))),
    ];
  }

  buttons(entry, chosen) {
    const swift = swiftFor(chosen.length > 1 ? chosen : [entry]);
    const title = chosen.length > 1 ? `Copy ${chosen.length} in order as Swift` : entry.source.isUnmatched ? "Copy the stub" : "Copy as Swift";
    const button = (text, hint, action) => make("button", { title: hint, onclick: action }, text);
    const { copy, filter } = this.actions;
    return make("div", {},
      make("div", { className: "tools", role: "toolbar", "aria-label": "Entry" },
        swift && button(title, "c", () => copy(swift, "Swift")),
        button("Copy JSON", "The entry as it stands in session.json", () => copy(json(entry.source, 2), "JSON")),
        button("Only this name", "Filter by this name", () => filter(`name:${quoted(entry.name)}`))),
      swift && make("pre", { className: "swift", tabIndex: 0, role: "region", "aria-label": "As Swift" }, visible(swift, 4000)));
  }

  /** A list that nests; every leaf can be made a term of the filter. */
  tree(value, path, entry, filters = true) {
    const members = Object.entries(value);
    const shown = members.slice(0, 500).map(([key, child]) => {
      const childPath = path ? `${path}.${key}` : key;
      const label = make("span", { className: "key" }, oneLine(key, 120));
      if (isContainer(child) && Object.keys(child).length) {
        const size = Array.isArray(child) ? `[${child.length}]` : `{${Object.keys(child).length}}`;
        // Children are made when they are first opened: a value may be deep and wide.
        const details = make("details", {}, make("summary", {}, label, ` ${size}`));
        details.addEventListener("toggle", () => {
          if (details.open && details.children.length === 1) details.append(this.tree(child, childPath, entry, filters));
        });
        details.open = childPath.split(".").length < 3 && Object.keys(child).length <= 40;
        if (details.open) details.append(this.tree(child, childPath, entry, filters));
        return make("li", {}, details);
      }
      return make("li", {}, label, " ", leaf(child), filters && !isContainer(child) && plain(child).length < 200 && /^[^\s":=<>!|]+$/.test(childPath)
        ? make("button", { className: "quiet", title: "Filter for this value", "aria-label": `Filter for this ${oneLine(key, 60)}`,
          onclick: () => this.actions.filter(`${childPath}=${quoted(plain(child))}`) }, "filter") : null);
    });
    if (members.length > 500) shown.push(make("li", { className: "hint" }, `${members.length - 500} more`));
    return make("ul", { className: "tree" }, ...shown);
  }

  change({ previous, params, kind, at }) {
    if (kind !== "event" || !previous) return null;
    const changes = differences(previous.params, params);
    const link = make("button", { className: "quiet", onclick: () => this.actions.go(previous) }, `#${previous.number}`);
    const heading = make("span", {}, "Since the one before, ", link, `, ${time(at - previous.at)} s earlier`);
    return section(heading, changes.length ? changeTable(changes) : make("p", { className: "hint" }, "No param changed."));
  }
}

/** Whatever else the entry says of itself. */
const facts = (source) => Object.entries(source)
  .filter(([name, value]) => !isContainer(value) && !["kind", "name", "number", "milliseconds", "body", "swift", "reason"].includes(name))
  .map(([name, value]) => ({ name, value: plain(value) }));

/** What is wrong with an entry, in sentences. */
const problems = (source) => [
  ...(source.findings ?? []).map(located), source.reason && located({ ...source, message: source.reason }), source.problem,
  source.fault && `Injected fault: ${source.fault}`,
  source.isUnmatched && `No stub answers it.${source.nearestStub ? ` The nearest: ${source.nearestStub}` : ""}`,
].filter(Boolean);

const located = ({ path, message }) => `${path ? `${path}: ` : ""}${message}`;

/** A text that is cut, with a button that shows all of it. */
function whole(tag, properties, text, length) {
  const element = make(tag, properties, visible(text, length));
  if (text.length <= length) return element;
  const all = make("button", { className: "quiet", onclick: () => (element.textContent = visible(text, Infinity), all.remove()) }, "show all");
  return make("span", {}, element, " ", all);
}

function leaf(value) {
  const kind = value === null ? "null" : typeof value === "bigint" ? "number" : typeof value;
  return whole("span", { className: `value ${kind}` }, json(value), 600);
}

const section = (title, content) => make("section", {}, make("h3", {}, title), content);

const table = (pairs) => make("dl", { className: "pairs" }, ...pairs.flatMap(({ name, value }) =>
  [make("dt", {}, oneLine(name, 80)), make("dd", {}, visible(String(value), 600))]));

const changeTable = (changes) => make("ul", { className: "tree changes" }, ...changes.slice(0, 200).map(({ path, before, after }) =>
  make("li", {}, make("span", { className: "key" }, oneLine(path, 120)), " ",
    before !== undefined && make("del", {}, visible(plain(before), 200)), " ",
    after !== undefined && make("ins", {}, visible(plain(after), 200)))));
// The feed of a running server: one request after the other, each answered when there is something new.

class Feed {
  /** `take` gets each answer; `say` gets "live", "ended" or "refused" when that changes. */
  constructor(token, take, say) {
    [this.token, this.take, this.say] = [token, take, say];
    [this.cursor, this.wait] = [{}, 250];
    this.unanswered = new Set();
  }

  async run() {
    for (;;) {
      try {
        const known = { ...this.cursor, unanswered: [...this.unanswered].slice(0, 100) };
        const answer = await fetch(`feed?${new URLSearchParams(known)}`, { headers: { Authorization: `Bearer ${this.token}` } });
        if (answer.status === 401 || answer.status === 403) return this.say("refused");
        if (!answer.ok) throw new Error(`status ${answer.status}`);
        const part = parseExactly(await answer.text());
        [this.cursor, this.wait] = [part.cursor, 250];
        for (const entry of part.entries) this.unanswered[entry.isAnswered === false ? "add" : "delete"](entry.number);
        this.say("live");
        this.take(part);
        // A busy app is asked for several entries at once, at a pace that the eye follows.
        if (!part.isMore) await new Promise((resume) => setTimeout(resume, 60));
      } catch {
        this.say("ended");
        await new Promise((resume) => setTimeout(resume, this.wait));
        this.wait = Math.min(this.wait * 2, 4000);
      }
    }
  }
}
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
</script>
</body>
</html>

"""##
}
