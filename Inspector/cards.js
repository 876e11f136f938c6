// The headline first: failures and open waits as cards, with the difference at the top and links to the entries that they name.

/** The number of the entry that a failure's text is about; undefined if it names none. */
function subject(text) {
  const found = /Nearest is #(\d+)/.exec(text) ?? [...text.split(/^Received/m)[0].matchAll(/#(\d+)/g)].at(-1);
  return found ? Number(found[1]) : undefined;
}

/** A text in which `#3` leads to that entry. */
const linked = (text) => text.split(/(#\d+)/).map((part, place) => {
  const entry = place % 2 && page.session.byNumber.get(Number(part.slice(1)));
  return entry ? quiet(part, () => page.go(entry)) : part;
});

/** Failures by their first lines, which are headlines. A match that came late leads the failure of its wait. */
function failedChecks(failures) {
  const all = [];
  for (const { message, location } of failures) {
    const [check, ...lines] = message.split("\n");
    const rest = lines.join("\n");
    const early = /^(A matching|The check passed) /.test(check) && all.find((other) => other.location === location);
    if (early) early.rest = `${check}\n${rest}\n\n${early.rest}`;
    else all.push({ check, location, rest });
  }
  return all;
}

/** The lines of what was received that say more of an entry than that it was expected. */
const telling = (received) => received.flatMap((text) => text.split("\n")).filter((line) => /^ +#\d+ +\S+ m?s {2,}(?!matches |\d+ of )\S+( \S+)* {2,}\S/.test(line)).slice(0, 6);

/** A failure's text: what differs from the nearest entry first, and what was received folded, because the timeline has it. */
function explanation(text) {
  const parts = visible(text, 20000).split("\n\n").filter(Boolean);
  const [nearest, received] = ["Nearest", "Received"].map((word) => parts.filter((part) => part.startsWith(word)));
  const rest = parts.filter((part) => !nearest.includes(part) && !received.includes(part));
  if (nearest.length === 0 && telling(received).length > 0) rest.push(telling(received).join("\n"));
  const shown = (parts) => {
    const lines = parts.join("\n\n").split("\n").flatMap((line) => {
      const tag = { "-": "del", "+": "ins", "!": "ins" }[/^ {4}([-+!]) /.exec(line)?.[1]];
      return [...(tag ? [make(tag, line)] : linked(line)), "\n"];
    });
    const element = block("Failure");
    element.append(...lines.slice(0, -1));
    return element;
  };
  return [parts.length > received.length && shown([...nearest, ...rest]),
    received.length > 0 && make("details", make("summary", "Received"), shown(received))];
}

function card(state, progress, check, location, text) {
  const head = [badge([visible(progress, 80), { failed: "bad", open: "open" }[state] ?? "odd"]),
    make("span.check", oneLine(check, 400)), make("span.location", oneLine(location ?? "", 80))];
  const properties = { className: "card", "data-key": `${state} ${check} ${location}`, "data-subject": subject(`${check}\n\n${text ?? ""}`) ?? "" };
  if (!text?.trim()) return make("div", properties, ...head);
  return make("details", properties, make("summary", ...head), ...explanation(text));
}

/** The cards of a session: failures, waits, lost events, and the notes of a report. */
const stateCards = (failed, { waits, lost, mutants, omittedEntries: omitted }) => [
  ...failed.map(({ check, location, rest }) => card("failed", "Failed", check, location, rest)),
  ...waits.map((wait) => card(wait.state ?? "open", wait.progress ?? "waiting", wait.check, wait.location, wait.nearestMiss)),
  ...lost.map((loss) => card("failed", "Lost", `${count(loss.count, "event")} of launch ${loss.launch} never arrived`, undefined,
    loss.numbers.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(", "))),
  ...[mutants && mutantsCard(mutants), omitted && card("note", "Cut", `${count(omitted, "entry")} left out of this report: the oldest, and very large ones. session.json has all.`)].filter(Boolean),
];
