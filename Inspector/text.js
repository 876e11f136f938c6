"use strict";
// Everything that came from an app is hostile text: it reaches the page through textContent alone, cut, with invisible characters spelled out.

const $ = (id) => document.getElementById(id);

/** An element such as `p.hint`, with properties if the first part is an object, and with children; strings become text nodes. */
function make(name, ...parts) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  element.className = classes.join(" ");
  const properties = parts[0]?.constructor === Object ? parts.shift() : {};
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...parts.filter(Boolean));
  return element;
}

/** A button that looks like a link. */
const quiet = (text, onclick, properties) => make("button.quiet", { onclick, ...properties }, text);

// Controls, bidirectional marks, fillers and other invisible characters. Joiners and variation selectors stay: words and emoji need them.
const invisible = /(?![\t\n\r\u200c\u200d\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const codePoint = (character, length = 4) => character.codePointAt(0).toString(16).toUpperCase().padStart(length, "0");

/** Text as it can be shown: cut, and with every invisible character as its code point. */
function visible(text, length = 2000) {
  let shown = text.length > length ? text.slice(0, length) : text;
  shown = shown.replace(invisible, (character) => `⟨U+${codePoint(character)}⟩`);
  return text.length > length ? `${shown}… (${grouped(text.length)} characters)` : shown;
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

const signed = (milliseconds) => `${milliseconds < 0 ? "−" : "+"}${time(Math.abs(milliseconds))}`;

const grouped = (number) => number.toLocaleString("en");

const count = (number, noun) => `${grouped(number)} ${number === 1 ? noun : `${noun}s`.replace(/ys$/, "ies")}`;

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
