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
    this.alternatives = this.alternatives.map((terms) => terms.filter(Boolean)).filter((terms) => terms.length);
    this.isEmpty = this.alternatives.length === 0;
  }

  matches(entry) {
    return this.isEmpty || this.alternatives.some((terms) => terms.every((holds) => holds(entry)));
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
    if (operator in orders && Number.isNaN(Number(value))) {
      this.problem = `${key}${operator} needs a number`;
      return null;
    }
    const field = Filter.fields[key] ?? (({ params, source }) => {
      const param = valueAt(params, key);
      return param === undefined ? valueAt(source, key) : param;
    });
    const holds = comparison(operator, value);
    return (entry) => {
      const found = field(entry);
      return found === undefined ? operator === "!=" && entry.kind === "event" : holds(found);
    };
  }
}

/** Names besides params and members of session.json; a param of that name is `params.name`. */
Filter.fields = {
  __proto__: null,
  name: (entry) => entry.name,
  from: (entry) => entry.from || undefined,
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

const orders = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b };

function comparison(operator, value) {
  const [text, number] = [value.toLowerCase(), Number(value)];
  const equals = (found) => plain(found).toLowerCase() === text || found === number;
  if (operator === "=") return equals;
  if (operator === "!=") return (found) => !equals(found);
  if (operator === ":") return (found) => plain(found).toLowerCase().includes(text);
  return (found) => (typeof found === "string" ? found.trim() !== "" : /number|bigint/.test(typeof found))
    && orders[operator](Number(found), number);
}
