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
