// The feed of a running server: one request after the other, each answered when there is something new.

class Feed {
  /** `take` gets each answer; `say` gets "live", "ended" or "refused" when that changes. */
  constructor(token, take, say) {
    [this.token, this.take, this.say] = [token, take, say];
    [this.after, this.revision, this.wait] = [0, 0, 250];
  }

  async run() {
    for (;;) {
      try {
        const answer = await fetch(`feed?after=${this.after}&revision=${this.revision}`, {
          headers: { Authorization: `Bearer ${this.token}` }, cache: "no-store",
        });
        if (answer.status === 401 || answer.status === 403) return this.say("refused");
        if (!answer.ok) throw new Error(`status ${answer.status}`);
        const part = parseExactly(await answer.text());
        if (part.next < this.after) throw new Error("another server");
        [this.after, this.revision, this.wait] = [part.next, part.revision, 250];
        this.say("live");
        this.take(part);
      } catch {
        this.say("ended");
        await new Promise((resume) => setTimeout(resume, this.wait));
        this.wait = Math.min(this.wait * 2, 4000);
      }
    }
  }
}
