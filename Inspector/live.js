// The feed of a running server: one request after the other, each with a response when there is something new.

class Feed {
  /** `take` gets each response; `say` gets "live", "ended" or "refused". */
  constructor(token, take, say) {
    [this.token, this.take, this.say] = [token, take, say];
    this.cursor = {};
    this.pending = new Set();
  }

  stop() { this.isStopped = true; }

  /** Shows a test of the run, or follows from test to test again. */
  choose(number) {
    this.chosen = number;
    this.request?.abort();
  }

  async run() {
    while (!this.isStopped) {
      try {
        const { chosen } = this;
        const known = { ...this.cursor, pending: [...this.pending].slice(0, 100), ...(chosen && { chosen }) };
        this.request = new AbortController();
        const response = await fetch(`feed?${new URLSearchParams(known)}`, { headers: { Authorization: `Bearer ${this.token}` }, signal: this.request.signal });
        if (response.status === 401 || response.status === 403) return this.say("refused");
        if (!response.ok) throw new Error(`status ${response.status}`);
        const part = parseExactly(await response.text());
        if (this.isStopped) return;
        if (part.cursor.test !== this.cursor.test) this.pending.clear();
        this.cursor = part.cursor;
        for (const entry of part.entries) this.pending[entry.hasResponse === false ? "add" : "delete"](entry.number);
        this.say("live");
        this.take(part);
        // Collects the entries of an app for a moment, of a busy one for a longer one.
        if (!part.isMore) await new Promise((resume) => setTimeout(resume, Math.min(60 + part.entries.length / 4, 300)));
      } catch (error) {
        if (error.name === "AbortError") continue;
        if (!this.isStopped) this.say("ended");
        await new Promise((resume) => setTimeout(resume, 1000));
      }
    }
  }
}
