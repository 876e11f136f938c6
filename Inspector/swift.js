// Entries as lines of a test.

/** A Swift string literal; whatever a reader could not see is escaped, and marks that join the character before them. */
function swiftString(text) {
  const escaped = text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t")
    .replace(/(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/gu, (character) => `\\u{${codePoint(character, 0)}}`);
  return `"${escaped}"`;
}

/** A matcher's literal; what changes from run to run is `.any`. */
function swiftMatcher(value, indent) {
  if (isVolatile(value)) return ".any";
  if (value === null) return "nil";
  if (typeof value === "string") return swiftString(value);
  if (typeof value === "bigint" && value > 2n ** 63n - 1n) return `.equal(to: ${value} as UInt64)`;
  if (!isContainer(value)) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) return layout("[", value.map((element) => swiftMatcher(element, inner)), "]", indent);
  const members = Object.keys(value).sort().map((key) => `${swiftString(key)}: ${swiftMatcher(value[key], inner)}`);
  return members.length ? layout("[", members, "]", indent) : "[:]";
}

/** On one line if it is short, else one element a line. */
function layout(open, elements, close, indent) {
  const line = `${open}${elements.join(", ")}${close}`;
  if (line.length + indent.length <= 90 && !line.includes("\n")) return line;
  return `${open}\n${elements.map((element) => `${indent}  ${element},\n`).join("")}${indent}${close}`;
}

/** The event as a value of its generated type, if the plan names one that can hold it; `.any` has no place in it. */
function typedSwift({ kind, params, planned }) {
  if (kind !== "event" || !planned?.swift || [...leaves(params).values()].some(isVolatile)) return undefined;
  const values = new Map(Object.entries(params));
  const parts = planned.params.map((param) => {
    const value = values.get(param.name);
    if (!values.delete(param.name)) return param.isOptional ? "" : undefined;
    const text = typedValue(value, param);
    return text && `${param.swift}: ${text}`;
  });
  // Params that are left have no property.
  return values.size || parts.includes(undefined) ? undefined : `${planned.swift}(${parts.filter(Boolean).join(", ")})`;
}

/** A value of a param's type in Swift; undefined if the type can't hold it, or isn't a simple one. */
function typedValue(value, { type, cases, isOptional, isNullable }) {
  // A generated type leaves out an optional param that is nil.
  if (value === null) return isNullable && !isOptional ? "nil" : undefined;
  if (type === "choice") return Object.hasOwn(cases, value) ? `.${cases[value]}` : undefined;
  if (type === "string" && typeof value === "string") return swiftString(value);
  if (type === "boolean" && typeof value === "boolean" || type === "number" && typeof value === "number") return String(value);
  return type === "integer" && (Number.isSafeInteger(value) || typeof value === "bigint" && value < 2n ** 63n) ? String(value) : undefined;
}

function swiftPattern(entry, indent, byName) {
  const { source } = entry;
  if (entry.kind === "request") {
    const body = parsedBody(source);
    const condition = isContainer(body) && !Array.isArray(body) ? `, body: .jsonSubset(${swiftMatcher(body, indent)})` : "";
    return `.request(${swiftMethod(source.method)}, ${swiftString(source.target.split("?")[0])}${condition})`;
  }
  const typed = !byName && typedSwift(entry);
  if (typed) return `.equal(to: ${typed})`;
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

/** A request's path with parameters for the identifiers in it. */
function stubPath({ target }) {
  let ids = 0;
  return target.split("?")[0].split("/").map((part) => /^\d+$/.test(part) || isVolatile(part) ? `:id${ids++ || ""}` : part).join("/");
}

/** The stub for an unmatched request. */
function swiftStub({ source }) {
  const result = source.method === "DELETE" ? ".status(204)" : source.method === "POST" ? ".json([:], status: 201)" : ".json([:])";
  return `verifier.stub(${swiftMethod(source.method)}, ${swiftString(stubPath(source))}, ${result})`;
}

/** The entries that a test can wait for. */
const waitableOf = (entries) => entries.filter(({ kind }) => kind === "event" || kind === "request");

/** What a test would write for these entries; `byName` without the types of events. */
function swiftFor(entries, byName = false) {
  const waitable = waitableOf(entries);
  if (waitable.length === 0) return "";
  if (waitable.length > 1) {
    const patterns = waitable.map((entry) => `  ${swiftPattern(entry, "  ", byName)},\n`).join("");
    return `verifier.wait(for: .inOrder([\n${patterns}]))`;
  }
  const [entry] = waitable;
  if (entry.source.isUnmatched) return swiftStub(entry);
  return `verifier.wait(for: ${!byName && typedSwift(entry) || swiftPattern(entry, "", byName)})`;
}
