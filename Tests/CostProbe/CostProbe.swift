import TestSupport
import TrackingPlan
import TrackingServer
import TrackingVerifier

/// Measures allocations, system calls and bytes per operation for `Scripts/check costs`, and prints a line of JSON for each figure.
///
/// Runs with a library preloaded that counts them; exits with 77 without it.
@main
enum CostProbe {
  static func main() throws {
    guard let counter = Counter() else {
      FileHandle.standardError.write(Data("the counting library is not preloaded\n".utf8))
      exit(77)
    }
    measureCallSites(counter)
    try measureServer(counter)
    try measurePlan(counter)
    measureWaits(counter)
    exit(EXIT_SUCCESS)
  }

  // MARK: Call sites

  /// The cost of the app's call without that of its tracker.
  private static func measureCallSites(_ counter: Counter) {
    struct Nowhere: TrackerProtocol {
      func trackEvent(_ event: TrackingEvent) {}
    }
    let tracker = Nowhere()
    let event = TrackingEvent(name: "button_tapped", params: ["screen": "main_screen", "index": 7, "price": 19.99])
    counter.measure("a call of track with its line", times: 1_000) { tracker.track(event) }
  }

  // MARK: Server

  private static let event = #"{"name":"button_tapped","params":{"screen":"main_screen","index":7,"price":19.99}}"#

  private static func post(_ body: String) -> String {
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static func measureServer(_ counter: Counter) throws {
    var configuration = TrackingServer.Configuration()
    configuration.limits.journalEvents = .max
    configuration.limits.journalBodyBytes = .max
    let server = TrackingServer(configuration: configuration)
    try server.start()
    defer { server.stop() }
    let client = counter.client(port: server.endpoint?.url.port ?? 0)
    let one = post(event)
    let batch = post("[" + [String](repeating: event, count: 100).joined(separator: ",") + "]")
    let sited = event.replacing("}}", with: #"},"at":"Shop/CheckoutModel.swift:41"}"#)
    let sitedBatch = post("[" + [String](repeating: sited, count: 100).joined(separator: ",") + "]")
    counter.measure("a request with one event", times: 1_000) { client.exchange(one, expecting: 204) }
    counter.measure("an event in a batch of 100", times: 200, each: 100, withBytes: true) {
      client.exchange(batch, expecting: 204)
    }
    counter.measure("an event with its line in a batch of 100", times: 200, each: 100, withBytes: true) {
      client.exchange(sitedBatch, expecting: 204)
    }

    let verifier = TrackingVerifier(with: .idle())
    verifier.start()
    defer { verifier.stop() }
    verifier.stub(.get, "/books/42", .json(["id": 42]))
    let requesting = counter.client(port: verifier.endpoint.url.port ?? 0)
    let get = "GET /books/42 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    counter.measure("a request that a stub responds to", times: 1_000) { requesting.exchange(get, expecting: 200) }
  }

  // MARK: Plan

  private static func measurePlan(_ counter: Counter) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "costs-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let text = """
      {"plan": "Costs", "events": {"button_tapped": {"description": "A button.", "params": {
        "screen": {"type": "string", "minLength": 1}, "index": {"type": "integer", "minimum": 0},
        "price": {"type": "number", "minimum": 0}}}}}
      """
    try Data(text.utf8).write(to: file)
    let plan = try TrackingPlan(contentsOf: file)
    let event = TrackingEvent(name: "button_tapped", params: ["screen": "main_screen", "index": 7, "price": 19.99])
    counter.measure("an event judged by a plan", times: 1_000) { _ = plan.findings(in: event) }
  }

  // MARK: Waits

  private static func measureWaits(_ counter: Counter) {
    let verifier = TrackingVerifier(with: .idle())
    let tracker = verifier.tracker
    let event = TrackingEvent(name: "button_tapped", params: ["screen": "main_screen", "index": 7, "price": 19.99])
    counter.measure("an event tracked in process, and a wait that finds it", times: 500) {
      tracker.trackEvent(event)
      verifier.wait(for: .named("button_tapped"))
      verifier.reset()
    }
    // Another thread tracks each event when the wait has begun.
    let turn = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while true {
        counter.ignoring {
          turn.wait()
          usleep(1_000)
        }
        tracker.trackEvent(event)
      }
    }
    counter.measure("a wait that an event ends", times: 200) {
      _ = counter.ignoring { turn.signal() }
      verifier.wait(for: .named("button_tapped"))
      verifier.reset()
    }
  }

}
