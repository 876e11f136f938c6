import TestSupport
@testable import TrackingChecks

@testable import TrackingServer
@testable import TrackingVerifier

extension Exhibit {
  /// Failures of the delivery of events.
  static let ofDelivery = [
    Exhibit(
      "A rejected body", test: "verifier.stop()",
      did: "sent an event without a name; the app of an earlier test is still running.", .delivery, .testEnded,
      zero: "the first arrival"
    ) {
      $0.add("cart_shown", at: 0)
      $0.reject(body: "{\"params\": {\"price\": 9.5}}")
      $0.reject(RejectedSubmission.otherSessionReason, body: "{}", status: 403)
    },
    Exhibit(
      "Lost events", test: "verifier.stop()", did: "tracked six events, of which three never arrived.", .delivery,
      .testEnded, zero: "the first arrival"
    ) {
      $0.add("app_opened", at: 0, launch: "k3j.1", sequence: 1)
      $0.add("checkout_started", at: 120, launch: "k3j.1", sequence: 4)
      $0.add("receipt_shown", at: 460, launch: "k3j.1", sequence: 6)
    },
    Exhibit(
      "An app that crashed", test: "verifier.wait(for: .named(\"purchase\"))",
      did: "crashed 0.4 s after it had shown the cart.", .one(.named("purchase"))
    ) {
      $0.add("app_opened", at: 0, launch: "k3j.1", sequence: 1)
      $0.add("cart_shown", ["items": 2], at: 300, launch: "k3j.1", sequence: 2)
      $0.close(at: 700)
    },
  ]

  /// Requests of the app to its backend.
  static let ofRequests = [
    Exhibit(
      "An unexpected request", test: "configuration.checksAtStop = [.delivery, .noUnmatchedRequests]",
      did: "requested a picture twice, by a path that has no stub.", .noUnmatchedRequests, .testEnded,
      zero: "the first arrival"
    ) {
      $0.request("GET", "/1.0/books", status: 200, stub: StubEndpoint(.get, "/1.0/books", .ok), at: 0)
      for time in [40, 90] {
        $0.request(
          "GET", "/covers/42.png",
          nearest: "GET /covers/*/large: the path is /covers/42.png, not /covers/*/large", at: time)
      }
    },
    Exhibit(
      "A different request",
      test: "verifier.wait(for: .request(.post, \"/orders\", body: .jsonSubset([\"n\": 2])))",
      did: "ordered one piece.", .one(.request(.post, "/orders", body: .jsonSubset(["n": 2])))
    ) {
      $0.request("GET", "/1.0/books", status: 200, stub: StubEndpoint(.get, "/1.0/books", .ok), at: 10)
      $0.request("POST", "/orders", body: "{\"n\": 1}", status: 201, stub: StubEndpoint(.post, "/orders", .ok), at: 120)
    },
    Exhibit(
      "No request", test: "verifier.wait(for: .request(.get, \"/1.0/books\"))",
      did: "was launched with another base URL.", .one(.request(.get, "/1.0/books"))
    ) { $0.connections = 0 },
    Exhibit(
      "One request too many", test: "verifier.wait(for: .request(.post, \"/orders\"), count: 1)",
      did: "ordered twice.", .count(1, of: .request(.post, "/orders"))
    ) {
      $0.request("POST", "/orders", status: 201, stub: StubEndpoint(.post, "/orders", .ok), at: 120)
      $0.request("POST", "/orders", status: 201, stub: StubEndpoint(.post, "/orders", .ok), at: 130)
    },
  ]

  /// Failures about late entries, extras after a wait, and a cancelled wait.
  static let ofTime = [
    Exhibit(
      "A match after the deadline", test: "verifier.wait(for: .named(\"purchase\"))",
      did: "took 5.14 s for it, while the failure was written.", .one(.named("purchase"))
    ) {
      $0.add("cart_shown", at: 10)
      $0.add("purchase", ["total": 30], at: 5140)
    },
    Exhibit(
      "A match after the wait had failed", test: "verifier.wait(for: .named(\"purchase\"))",
      did: "took 5.14 s for it; the wait had failed before, and `stop()` reports the late event.",
      late: .passedLate(by: .milliseconds(140)), .one(.named("purchase"))
    ) { $0.add("purchase", ["total": 30], at: 5140) },
    Exhibit(
      "Extras after the wait", test: "verifier.wait(for: .named(\"purchase\"), count: 1)",
      did: "tracked two more after the wait had returned; `stop()` reports them.", late: .exceeded,
      .count(1, of: .named("purchase"))
    ) {
      $0.add("purchase", ["total": 31], at: 700)
      $0.add("purchase", ["total": 32], at: 900)
    },
    Exhibit(
      "An extra beyond an expectation", test: "verifier.expectation(for: .named(\"purchase\"), count: 1)",
      did: "tracked two; XCTest accepts the first, and `stop()` reports the second.",
      late: .expectationExceeded, .count(1, of: .named("purchase"))
    ) { $0.add("purchase", ["total": 31], at: 900) },
    Exhibit(
      "A cancelled wait", test: "await verifier.wait(for: .named(\"purchase\"))",
      did: "tracked something else before the test's time limit ended its task.", .one(.named("purchase")),
      .cancelled
    ) { $0.add("cart_shown", at: 10) },
  ]
}
