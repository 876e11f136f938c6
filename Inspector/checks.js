// Entries as checks and stubs of a test in another language.

const changes = (value) => [value, ...leaves(value).values()].some(isVolatile);

/** The values that are equal in each run, with their paths. */
const steady = (value, path) => !changes(value) ? [[path, value]] : isContainer(value)
  ? Object.entries(value).flatMap(([key, child]) => steady(child, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`)) : [];

function checkPattern({ kind, name, params, source }) {
  const values = (object, each) => Object.fromEntries(Object.entries(object).flatMap(each));
  if (kind === "event") return { event: name, ...(Object.keys(params).length ? { params: values(params, ([key, value]) => steady(value, key)) } : {}) };
  const body = parsedBody(source);
  return { request: `${source.method} ${source.target.split("?")[0]}`, ...(isContainer(body) && !Array.isArray(body) ? { body: values(body, ([key, value]) => changes(value) ? [] : [[key, value]]) } : {}) };
}

/** The JSON that checks these entries, or the stub for an unmatched request. */
function checkFor(entries) {
  const asked = waitableOf(entries);
  if (asked.length > 1) return json({ inOrder: asked.map(checkPattern) });
  if (!asked[0]?.source.isUnmatched) return asked[0] ? json(checkPattern(asked[0])) : "";
  return json({ request: `${asked[0].source.method} ${stubPath(asked[0].source)}`, json: {} });
}
