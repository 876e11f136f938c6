import Foundation
import TrackingModel

extension StubResponse {
  /// Returns the response with another status, and optionally a reason phrase.
  public func with(status: Int, reason: String? = nil) -> StubResponse {
    changed(self) { result in
      result.status = status
      result.reason = reason
    }
  }

  /// Returns the response with a header field, which replaces fields with the same name.
  ///
  /// `Set-Cookie` is added instead: a response may set several cookies, each on its own line (RFC 6265 3).
  public func with(header name: String, _ value: String) -> StubResponse {
    guard name.lowercased() != "set-cookie" else { return adding(header: name, value) }
    return changed(self) { $0.headers[name] = value }
  }

  /// Returns the response with an additional header field, keeping others with the same name.
  public func adding(header name: String, _ value: String) -> StubResponse {
    changed(self) { $0.headers.lines.append(NamedText(name: name, value: value)) }
  }

  /// Returns the response with a delay, in seconds, before the first byte.
  public func delayed(by seconds: TimeInterval) -> StubResponse {
    changed(self) { $0.delay = seconds }
  }

  /// Unavailable: renamed ``delayed(by:)``.
  @available(*, unavailable, renamed: "delayed(by:)")
  public func delay(_ seconds: TimeInterval) -> StubResponse { delayed(by: seconds) }

  /// Unavailable: a delay belongs to a response.
  @available(*, unavailable, message: "a delay belongs to a result: write .ok.delayed(by: 2)")
  public static func delay(_ seconds: TimeInterval) -> StubResponse { ok.delayed(by: seconds) }

  /// Returns the response, held back until the test opens a gate, for any number of requests.
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

  /// Returns the response with its head sent at once, and its body when the test opens a gate.
  public func body(after gate: StubGate) -> StubResponse {
    changed(self) { $0.bodyStart = .gate(ByIdentity(gate)) }
  }

  /// Returns the response with its head sent at once, and its body some seconds later.
  public func body(after seconds: TimeInterval) -> StubResponse {
    changed(self) { $0.bodyStart = .delay(seconds) }
  }

  /// Returns the response with its body sent in pieces over a number of seconds.
  public func dribbled(over seconds: TimeInterval, pieces: Int = 10) -> StubResponse {
    changed(self) { $0.dribble = Dribble(over: seconds, pieces: pieces) }
  }

  /// Returns the response with an injected fault.
  public func failing(_ fault: HTTPFault) -> StubResponse {
    changed(self) { $0.fault = fault }
  }
}

package func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var copy = value
  change(&copy)
  return copy
}
