import Foundation
import TrackingModel
import TrackingPatterns
import TrackingChecks
import TrackingVerifier

// A beacon is an event of a format that carries text only, such as `.beacons(at:)` or `.instana`.

extension TrackingVerifier {
  /// Waits for a beacon in which a key has the given value, or has it among several values.
  ///
  /// ```swift
  /// import TrackingVendors
  ///
  /// verifier.accept(.beacons(at: "/"))
  /// verifier.verifyBeaconReceived(key: "t", value: "httpRequest")
  /// ```
  ///
  /// - Returns: The beacon as an event, or `nil` after failing the test at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func verifyBeaconReceived(
    key: String, value: String, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> TrackingEvent? {
    waitForEvent(
      .beacon(key, value), called: "a beacon with \(key): \(value)", since: mark, timeout: timeout,
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Waits for a beacon in which a key has the given value, or has it among several values.
  ///
  /// - Returns: The beacon as an event, or `nil` after failing the test at the line of the call.
  @discardableResult
  public func verifyBeaconReceived(
    key: String, value: String, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    await waitForEvent(
      .beacon(key, value), called: "a beacon with \(key): \(value)", since: mark, timeout: timeout,
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Returns the values of one param in all events that have it, in the order of arrival.
  ///
  /// If a beacon has a key several times, each of its values is included.
  public func values(for param: TrackingParam) -> [TrackingValue] {
    events.flatMap { event -> [TrackingValue] in
      guard let value = event.params[param] else { return [] }
      if event.isBeacon, case .array(let values) = value { return values }
      return [value]
    }
  }
}

extension EventPattern {
  fileprivate static func beacon(_ key: String, _ value: String) -> EventPattern {
    let isValue = ValueMatcher.equal(to: value)
    return .params([.custom(key: key): .one(of: [isValue, .contains(element: isValue)])])
      .and(.satisfying("a beacon: its format carries text only") { $0.isBeacon })
  }
}

extension TrackingEvent {
  fileprivate var isBeacon: Bool { origin?.isText ?? false }
}
