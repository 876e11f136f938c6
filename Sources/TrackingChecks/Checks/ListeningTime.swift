import Foundation
import TrackingServer

/// A check that listens for a time and passes because nothing more arrives: it has `within:`, from the start of the wait, and no timeout.
package struct ListeningTime: Sendable {
  package enum Kind: Sendable {
    case absence
    /// A count that may be 0.
    case count(EventCount)
    case nothingElse
  }

  package let kind: Kind
  /// `nil` for the settling time.
  package let seconds: TimeInterval?

  init(_ kind: Kind, within seconds: TimeInterval?) {
    (self.kind, self.seconds) = (kind, seconds)
  }

  /// Thirty years, which no test waits for.
  static let longest: TimeInterval = 1e9

  var times: WaitTimes? { seconds.map { WaitTimes(timeout: $0, settling: $0) } }

  package var subject: String {
    switch kind {
    case .absence: "an absence"
    case .count: "a count that may be 0"
    case .nothingElse: "nothingElse"
    }
  }

  /// Explains, for a test in Swift, what to write in place of a timeout.
  func refusal(ofTimeout timeout: TimeInterval) -> String {
    let time = Self.literal(timeout.isFinite ? timeout : 2)
    let subject = if case .nothingElse = kind { "`nothingElse`" } else { "A\(subject.dropFirst())" }
    if let seconds {
      return
        "\(subject) has no timeout: leave out `timeout: \(Self.literal(timeout))`, since `within: \(Self.literal(seconds))` ends it."
    }
    let instead =
      switch kind {
      case .absence: ".none(of: …, within: \(time))"
      case .count(let count):
        count.most == 0 ? ".none(of: …, within: \(time))" : ".count(...\(count.most ?? 0), of: …, within: \(time))"
      case .nothingElse: ".nothingElse(within: \(time))"
      }
    return "\(subject) has no timeout: write `\(instead)` instead of `timeout: \(Self.literal(timeout))`."
  }

  /// The number as it is written in Swift and in JSON: `2`, `0.5`.
  package static func literal(_ seconds: TimeInterval) -> String {
    Int(exactly: seconds).map { "\($0)" } ?? (seconds == .infinity ? ".infinity" : "\(seconds)")
  }
}

/// The times of a wait, in seconds.
package struct WaitTimes {
  var timeout: TimeInterval
  /// Whether the call, not the configuration, sets the timeout.
  var isTimeoutOfCall = false
  /// The silence after which a check passes unless it has failed.
  var settling: TimeInterval
  /// Whether silence from before the wait counts towards `settling`.
  var countsEarlierSilence = false
}
