// A client of `tracking serve` for tests in Node 20 or later. Copy it beside your tests.
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"

/** Starts a server, unless `tracking serve -- npm test` has. One at a time runs a test: share it between tests, and not between files, which run at the same time. */
export async function serve(...options) {
  const session = "tracking-session.json"
  let folder, server, failed = false, variables = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("TRACKING_")))
  if (!variables.TRACKING_SERVE_URL) {
    folder = mkdtempSync(join(tmpdir(), "tracking-"))
    const file = join(folder, "serve.env")
    server = spawn("tracking", ["serve", "--write-env", file, "--save", session, ...options], { stdio: ["ignore", "ignore", "inherit"] })
    while (!existsSync(file)) {
      assert.equal(server.exitCode ?? server.signalCode, null, "tracking serve has ended; its reason is above")
      await setTimeout(50)
    }
    variables = Object.fromEntries([...readFileSync(file, "utf8").matchAll(/export (\w+)='(.*)'/g)].map((line) => line.slice(1)))
  }

  async function send(method, name, body) {
    const headers = { Authorization: `Bearer ${variables.TRACKING_SERVE_TOKEN}` }
    const response = await fetch(variables.TRACKING_SERVE_URL + name, { method, headers, body: body && JSON.stringify(body) })
    // A check that can't be read is 400, and the body says what is wrong, and where.
    if (!response.ok) assert.fail(`${method} ${name}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  return {
    variables,
    async begin(test) {
      await send("DELETE", "stubs")
      await send("POST", "marks", { asDefault: true, test })
    },
    stub: (...stubs) => send("POST", "stubs", stubs),
    async wait(check) {
      const { passed, message } = await send("POST", "wait", check)
      failed ||= !passed
      if (!passed) assert.fail(message)
    },
    /** Waits after an action for what arrives from its beginning on. */
    async expect(check, action) {
      const { mark } = await send("POST", "marks")
      await action()
      await this.wait({ ...check, since: mark })
    },
    async finish() {
      const { passed, failures } = await send("POST", "finish")
      failed ||= !passed
      if (passed) return
      const text = failures.map(({ message }) => message).join("\n\n")
      // node:test shows only the first error of a test, which may have been a wait's.
      console.error(text)
      assert.fail(text)
    },
    /** Ends the server. After a failed check, the session and a report of it stay in the current folder. */
    async stop() {
      if (!server) return
      server.kill()
      if ((server.exitCode ?? server.signalCode) === null) await once(server, "exit")
      if (failed) spawnSync("tracking", ["report", session, "--output", "tracking-report.html"], { stdio: "inherit" })
      else rmSync(session, { force: true })
      rmSync(folder, { recursive: true })
    },
  }
}
