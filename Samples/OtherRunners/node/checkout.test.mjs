// Run it with `node --test --test-reporter spec --test-reporter-destination stdout --test-reporter junit --test-reporter-destination results.xml`; `tracking` must be in PATH.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { after, afterEach, before, beforeEach, test } from "node:test"
import { serve } from "./tracking.mjs"

const path = fileURLToPath(new URL("../app.py", import.meta.url))
const overloaded = { request: "POST /orders", responses: [{ status: 503 }, { status: 201, json: { id: 7, total: 120 } }] }
let tracking, ended

function buy() {
  const env = { ...process.env, ...tracking.variables, SHOP_BACKEND: tracking.variables.TRACKING_URL }
  ended = once(spawn("python3", [path, "lamp", "2"], { env, stdio: "inherit" }), "exit")
}

before(async () => { tracking = await serve() })
after(() => tracking.stop())

beforeEach(async ({ name }) => {
  await tracking.begin(name)
  await tracking.stub(overloaded)
})

afterEach(async () => {
  await ended
  await tracking.finish()
})

test("a purchase is tracked once", async () => {
  await tracking.expect({ event: "purchase", params: { total: 120, currency: "EUR" } }, buy)
  await tracking.wait({ noDuplicates: { within: 1 } })
})

test("an overloaded backend gets the order again", async () => {
  buy()
  const order = { request: "POST /orders", body: { sku: "lamp", quantity: 2 } }
  await tracking.wait({ inOrder: [{ ...order, responded: 503 }, { ...order, responded: 201 }, { event: "purchase" }] })
})

test("nothing is tracked before the consent", async () => {
  buy()
  await tracking.wait({ none: { event: "product_viewed" }, before: { event: "consent_given" } })
})
