import Foundation
import TrackingModel

extension StubResponse {
  /// The same with another status, and optionally with its own reason phrase.
  public func with(status: Int, reason: String? = nil) -> StubResponse {
    changed(self) { result in
      result.status = status
      result.reason = reason
    }
  }

  /// The same with a header field, which replaces those of that name.
  ///
  /// `Set-Cookie` is added instead: a response may set several cookies, each on its own line (RFC 6265 3).
  public func with(header name: String, _ value: String) -> StubResponse {
    guard name.lowercased() != "set-cookie" else { return adding(header: name, value) }
    return changed(self) { $0.headers[name] = value }
  }

  /// The same with an additional header field, also if it has one of that name.
  public func adding(header name: String, _ value: String) -> StubResponse {
    changed(self) { $0.headers.lines.append(NamedText(name: name, value: value)) }
  }

  /// The same, some seconds later.
  public func delayed(by seconds: TimeInterval) -> StubResponse {
    changed(self) { $0.delay = seconds }
  }

  /// Its name is ``delayed(by:)``.
  @available(*, unavailable, renamed: "delayed(by:)")
  public func delay(_ seconds: TimeInterval) -> StubResponse { delayed(by: seconds) }

  /// A delay belongs to a result.
  @available(*, unavailable, message: "a delay belongs to a result: write .ok.delayed(by: 2)")
  public static func delay(_ seconds: TimeInterval) -> StubResponse { ok.delayed(by: seconds) }

  /// The same, held back until the test opens a gate, for any number of requests.
  ///
  /// ```swift
  /// let gate = StubGate()
  /// verifier.stub(.get, "/books", .json(file: "books").held(by: gate))
  /// // ... look at what the app shows while it waits ...
  /// gate.open()
  /// ```
  public func held(by gate: StubGate) -> StubResponse {
    changed(self) { $0.gate = gate }
  }

  /// The same, with its head sent at once and its body when the test opens a gate.
  public func body(after gate: StubGate) -> StubResponse {
    changed(self) { $0.bodyStart = .gate(ByIdentity(gate)) }
  }

  /// The same, with its head sent at once and its body some seconds later.
  public func body(after seconds: TimeInterval) -> StubResponse {
    changed(self) { $0.bodyStart = .delay(seconds) }
  }

  /// The same, with its body sent in pieces over a number of seconds.
  public func dribbled(over seconds: TimeInterval, pieces: Int = 10) -> StubResponse {
    changed(self) { $0.dribble = Dribble(over: seconds, pieces: pieces) }
  }

  /// The same with an injected fault.
  public func failing(_ fault: HTTPFault) -> StubResponse {
    changed(self) { $0.fault = fault }
  }
}

/// A copy of a value with a change.
package func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var copy = value
  change(&copy)
  return copy
}
