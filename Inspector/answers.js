// The answer first: failures and open waits as cards, with the difference at the top and links to the entries that they name.

/** The number of the entry that a failure's text is about; undefined if it names none. */
function subject(text) {
  const found = /Nearest is #(\d+)/.exec(text) ?? [...text.split(/^Received/m)[0].matchAll(/#(\d+)/g)].at(-1) ?? /#(\d+)/.exec(text);
  return found ? Number(found[1]) : undefined;
}

/** A text in which `#3` leads to that entry. */
const linked = (text) => text.split(/(#\d+)/).map((part, place) => {
  const entry = place % 2 && page.session.byNumber.get(Number(part.slice(1)));
  return entry ? quiet(part, () => page.go(entry)) : part;
});

/** A failure's text: what differs from the nearest entry first, and what was received folded, because the timeline has it. */
function answer(text) {
  const parts = visible(text, 20000).split("\n\n").filter(Boolean);
  const [nearest, received] = ["Nearest", "Received"].map((word) => parts.filter((part) => part.startsWith(word)));
  const rest = parts.filter((part) => !nearest.includes(part) && !received.includes(part));
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

function card(state, progress, question, location, text) {
  const head = [badge([visible(progress, 80), { failed: "bad", open: "open" }[state] ?? "odd"]),
    make("span.question", oneLine(question, 240)), make("span.location", oneLine(location ?? "", 80))];
  const properties = { className: "card", "data-key": `${state} ${question} ${location}`, "data-subject": (text && subject(text)) ?? "" };
  // The first line is the question.
  const rest = text?.startsWith(question) ? text.slice(question.length).trimStart() : text;
  if (!rest) return make("div", properties, ...head);
  return make("details", properties, make("summary", ...head), ...answer(rest));
}
