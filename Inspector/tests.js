// The tests of a run: the page follows from one to the next, unless the reader chooses one.

class Tests {
  static badges = { running: ["running", "open"], passed: ["passed", "good"], failed: ["failed", "bad"] };

  /** `choose` gets a test's number, or undefined to follow again. */
  constructor(choose) {
    Object.assign(this, { element: $("tests"), choose, all: new Map(), list: make("ul.tree"), heading: make("summary") });
    this.element.append(make("details", this.heading, this.list));
  }

  /** Takes the tests that have changed, the number of the one that is shown, and whether the reader has chosen it. */
  take(changed, shown, isChosen) {
    for (const test of changed) this.all.set(test.number, test);
    const tests = [...this.all.values()];
    this.element.hidden = tests.length < 2;
    const number = (state) => tests.filter((test) => test.state === state).length;
    const current = this.all.get(shown);
    this.heading.replaceChildren(`${count(tests.length, "test")} `, ...["failed", "passed"].filter(number).map((state) => badge([`${number(state)} ${state}`, Tests.badges[state][1]])),
      " ", oneLine(current?.title ?? "", 120), isChosen && make("button", { onclick: () => this.choose() }, "Follow the run") || "");
    const focused = document.activeElement.dataset.test;
    // The newest first; of a very long run, the last ones.
    this.list.replaceChildren(...tests.slice(-500).reverse().map(({ number, title, state, isKept }) => make("li", badge(Tests.badges[state]), " ",
      quiet(oneLine(title, 200), () => this.choose(number), { "data-test": number, disabled: !isKept, ariaCurrent: number === shown }))));
    if (focused) this.list.querySelector(`[data-test="${Number(focused)}"]`)?.focus();
  }
}
