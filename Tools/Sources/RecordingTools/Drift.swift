import Foundation
@_spi(TrackingCommand) import StubRecording

/// The changes of a backend since it was recorded.
///
/// ```swift
/// let drift = try await Drift(of: BackendRecording(contentsOf: folder), against: URL(string: "https://staging.example")!)
/// for finding in drift.findings { print(finding) }
/// ```
public struct Drift: Sendable {
  /// The effect of a change on an app.
  public enum Severity: String, Hashable, Codable, Sendable, Comparable, CaseIterable {
    /// Something is new; most apps ignore it.
    case note
    /// Something that was recorded is gone, or is missing in some elements.
    case warning
    /// A type, the status or the media type has changed.
    case error

    /// The order from ``note`` to ``error``.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// One change.
  public struct Finding: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The severity.
    public var severity: Severity
    /// The request: `GET /books?page=2`.
    public var request: String
    /// The place in the answer: `items[].price`; empty for the answer as a whole.
    public var place: String
    /// The change, in words.
    public var reason: String

    /// For example `error: GET /books: items[].price was a whole number, and is a string`.
    public var description: String {
      "\(severity): \(request): \(place.isEmpty ? "" : "\(place) ")\(reason)"
    }
  }

  /// The changes, in the order of the recording.
  public internal(set) var findings: [Finding] = []
  /// The number of requests that were sent.
  public internal(set) var asked = 0
  /// The recorded requests that were not sent, with the reason.
  public internal(set) var skipped: [String] = []

  /// The most severe of the findings; `nil` without any.
  public var worst: Severity? { findings.map(\.severity).max() }

  // MARK: Without a network

  /// Checks a recording's age without sending requests.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - mostSeconds: The greatest age in seconds.
  ///   - now: The current time.
  public static func age(of recording: BackendRecording, atMost mostSeconds: TimeInterval, now: Date = Date())
    -> Finding?
  {
    guard let oldest = recording.exchanges.min(by: { $0.date < $1.date }) else { return nil }
    let age = now.timeIntervalSince(oldest.date)
    guard age > mostSeconds else { return nil }
    return Finding(
      severity: .error, request: oldest.request.line, place: "",
      reason: "was recorded \(words(age)) ago, which is longer than \(words(mostSeconds))")
  }

  private static func words(_ seconds: TimeInterval) -> String {
    let (count, unit) = seconds < 86_400 ? (Int(seconds / 3_600), "hour") : (Int(seconds / 86_400), "day")
    return count.counted(as: unit)
  }

  /// The differences of an answer from the recorded one: in status, media type, and the shape of its JSON.
  ///
  /// Values aren't compared, and neither is the content of other types.
  public static func findings(
    of request: String, recorded: RecordedExchange.Answer, fresh: RecordedExchange.Answer
  ) -> [Finding] {
    func finding(_ severity: Severity, _ place: String, _ reason: String) -> Finding {
      Finding(severity: severity, request: request, place: place, reason: reason)
    }
    guard recorded.status == fresh.status else {
      return [finding(.error, "", "status changed from \(recorded.status) to \(fresh.status)")]
    }
    let (before, now) = (mediaType(recorded), mediaType(fresh))
    guard before == now else {
      return [finding(.error, "", "was \(before ?? "of no type"), and is \(now ?? "of no type")")]
    }
    guard let before = try? JSONTree(json: recorded.body).value else {
      guard recorded.body.isEmpty != fresh.body.isEmpty else { return [] }
      return [finding(.warning, "", recorded.body.isEmpty ? "had no content, and has" : "has no content any more")]
    }
    guard let now = try? JSONTree(json: fresh.body).value else { return [finding(.error, "", "isn't JSON any more")] }
    return JSONShape([before]).drift(to: JSONShape([now])).map { finding($0.severity, $0.path, $0.reason) }
  }

  private static func mediaType(_ answer: RecordedExchange.Answer) -> String? {
    answer.headers["Content-Type"]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
  }
}
