// The shape of a session that the page can show, and what is wrong with one that has another.

const strings = (names) => Object.fromEntries(names.split(" ").map((name) => [name, "string"]));
const shape = (names) => ({
  ...strings(`kind! ${names} path at launch process vendor body stub problem fault nearestStub`),
  number: "number", milliseconds: "number", bodySize: "number", params: {}, context: {},
  bodyBase64: "string", findings: [strings("message! path")], headers: [strings("name! value")],
  response: { ...strings("body bodyBase64"), bodySize: "number", milliseconds: "number", fields: [strings("name! value")] },
});
const subjects = { "*": {
  noticed: ["string"], waits: [strings("line! words! assertion!")], suggestion: "string", params: { "*": { ...strings("pinned! passing suggestion noticed"), planned: ["string"] } },
} };
const shapes = { __proto__: null, event: shape("name!"), request: shape("method! target!"), rejection: shape("reason!"), note: shape("name text") };

/** The members that the page relies on, with their types; `!` marks what must be there, and `*` is any name. A file may be made by hand. */
Session.shape = {
  title: "string", isServed: "boolean", began: "string", omittedEntries: "number", tests: [{ name: "string", "from!": "number", until: "number" }], failures: [strings("message! location")],
  waits: [strings("check! location progress state nearestMiss")], lost: [{ "count!": "number", "numbers!": [["number"]] }],
  plan: { ...strings("name digest"), "events!": [{ ...strings("name! description owner deprecated swift"), params: [{ ...strings("name! swift! type"), cases: {} }] }] },
  mutants: { tried: "number", noticed: "number", leftOut: "string", events: subjects, requests: subjects },
  entries: [(entry) => shapes[entry?.kind] ?? shapes.note],
};

/** The first member that is missing or has another type, such as `entries[2].name is not a string`; empty if all members fit. */
function mismatch(value, shape, place = "") {
  if (typeof shape === "function") return mismatch(value, shape(value), place);
  if (typeof shape === "string") return typeof value === shape ? "" : `${place} is ${value === undefined ? "missing" : `not a ${shape}`}`;
  const isList = Array.isArray(shape);
  if (!isContainer(value) || Array.isArray(value) !== isList) return `${place} is not an ${isList ? "array" : "object"}`;
  const each = shape[isList ? 0 : "*"];
  for (const key of Object.keys(each ? value : shape)) {
    const name = each ? key : key.replace("!", "");
    if (!each && value[name] == null && name === key) continue;
    const wrong = mismatch(value[name], each ?? shape[key], isList ? `${place}[${key}]` : place ? `${place}.${name}` : name);
    if (wrong) return wrong;
  }
  return "";
}
