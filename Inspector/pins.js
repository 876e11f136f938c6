// What the test would notice of its entries, where mutants of the timeline were requested.

/** A member of an object; the name comes from an app, and may be one that all objects inherit. */
const own = (object, name) => (isContainer(object) && Object.hasOwn(object, name) ? object[name] : undefined);

const pins = { check: ["pinned", "good"], plan: ["pinned by the plan", "good"], returned: ["returned", "good"], untried: ["not tried", ""] };

const isLoose = ({ pinned }) => !own(pins, pinned);

/** What passes unnoticed, and what would notice it. */
const hint = ({ pinned, partly, planned, noticed, passing, untried, suggestion }) => [planned?.length && `the plan notices ${planned.join(", ")}`, passing && `${passing} passes`, untried && `${untried} wasn't tried`,
  partly === "check" && `${noticed ?? "another change"} is noticed`, suggestion && `${suggestion} would notice`,
  pinned === "discarded" && "unless the test checks the returned event itself"].filter(Boolean).join(", ");

/** Whether a param is pinned; its path is the tree's: `items.0.price` is `items[].price`. */
function pin(mutants, path) {
  const found = own(mutants?.params, path) ?? own(mutants?.params, path.replace(/\.\d+(?=\.|$)/g, "[]"));
  return found ? [" ", badge(own(pins, found.pinned) ?? ["not pinned", "odd"]), " ", (isLoose(found) || found.untried) && make("span.hint", oneLine(hint(found), 200))] : [];
}

/** The number of an event's params that are pinned, of those that are pinned or not. */
function pinnedOf({ params = {} } = {}) {
  const all = Object.values(params).filter(({ pinned }) => pinned !== "returned" && pinned !== "untried");
  return all.length ? `${all.filter(({ pinned }) => pinned === "check" || pinned === "plan").length} of ${all.length}` : "";
}

const weakest = (name, { waits: [wait] = [] }) => (wait ? `Weakest check: ${wait.words}, ${wait.assertion}` : `No check looks for ${name}`);

/** The weakest check about an entry, and the changes that the test notices. */
const noticed = ({ mutants, name }) => mutants && section("Noticed by the test", make("p", {},
  visible([weakest(name, mutants), mutants.waits?.[0]?.line ?? mutants.suggestion].filter(Boolean).join(", ")), " ",
  ...(mutants.noticed ?? []).map((change) => badge([oneLine(change, 20), "good"]))));

/** The events that no check looks for, and the params that can change unnoticed, first those of the event that has most of them. */
function mutantsCard({ tried, noticed, leftOut, events, requests }) {
  if (leftOut) return card("note", "Not tried", leftOut);
  const all = Object.entries({ ...events, ...requests })
    .map(([name, subject]) => ({ name, subject, params: Object.entries(subject.params ?? {}).filter(([, param]) => isLoose(param)) }));
  const loose = all.filter(({ params }) => params.length).sort((a, b) => b.params.length - a.params.length);
  const unexpected = all.filter(({ subject }) => subject.suggestion);
  const [{ name, subject } = {}] = [...loose, ...unexpected];
  return card("note", `${noticed} of ${count(tried, "change")} noticed`, name ? weakest(name, subject) : "No param can change unnoticed", subject?.waits?.[0]?.line,
    [...unexpected.map(({ name, subject }) => `${name}: no check notices that it is missing, ${subject.suggestion} would`),
      ...loose.flatMap(({ name, params }) => params.map(([path, param]) => `${name}.${path}: ${hint(param)}`))].join("\n"));
}
