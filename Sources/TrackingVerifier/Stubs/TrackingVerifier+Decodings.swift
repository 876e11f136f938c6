import Foundation
import StubModel
import TrackingModel
import TrackingPatterns
import TrackingServer

extension TrackingVerifier {
  /// Takes requests as events that an SDK sends in a format of its own.
  ///
  /// ```swift
  /// verifier.decodeEvents(at: "/v1/batch", with: SegmentBatch())
  /// ```
  ///
  /// They are answered 200. What the decoding refuses is answered 400 and is a rejected submission. The events that a `TrackerDouble` sends stay as they are, also
  /// where the decoding is at `/`. Without a method, requests of any are read.
  public func decodeEvents(
    _ method: StubEndpoint.Method? = nil, at path: StubPath, with decoding: some EventDecoding,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    stopAtTheEndOfTheTest()
    do throws(StubError) {
      server.stubs.install(decoding, for: try StubMatcher(StubEndpoint(method, path, [])), of: stubOwner)
    } catch {
      refuse("The decoding", error, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
    }
  }

  /// Waits for a beacon that has a key with this value.
  ///
  /// ```swift
  /// verifier.decodeEvents(at: "/", with: BeaconDecoding())
  /// verifier.verifyBeaconReceived(key: "t", value: "httpRequest")
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The beacon as an event, or `nil` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func verifyBeaconReceived(
    key: String, value: String, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> TrackingEvent? {
    wait(
      for: Self.beacon(key, value), since: mark, timeout: timeout, fileID: fileID, file: file, line: line,
      column: column)
  }

  /// Waits for a beacon that has a key with this value.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The beacon as an event, or `nil` after the test has been failed, at the line of the call.
  @discardableResult
  public func verifyBeaconReceived(
    key: String, value: String, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    await wait(
      for: Self.beacon(key, value), since: mark, timeout: timeout, fileID: fileID, file: file, line: line,
      column: column)
  }

  private static func beacon(_ key: String, _ value: String) -> EventPattern {
    .params([.custom(key: key): .equal(to: value)])
  }
}
