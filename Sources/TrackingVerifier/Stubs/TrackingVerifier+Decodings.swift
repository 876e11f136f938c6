import Foundation
import StubModel
import TrackingModel
import TrackingPatterns
import TrackingServer

extension TrackingVerifier {
  /// Reads requests as events that an SDK sends in its own format.
  ///
  /// ```swift
  /// verifier.decodeEvents(at: "/v1/batch", with: SegmentBatch())
  /// ```
  ///
  /// They are answered with 200. A request that the decoding refuses is answered with 400 and is a rejected submission. Events of a `TrackerDouble` are
  /// not decoded, even if the decoding is at `/`. Without a method, requests of all methods are read.
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

  /// Waits for a beacon that has a key with this value; of a key that it has several times, with this value among others.
  ///
  /// ```swift
  /// verifier.decodeEvents(at: "/", with: BeaconDecoding())
  /// verifier.verifyBeaconReceived(key: "t", value: "httpRequest")
  /// ```
  ///
  /// - Returns: The beacon as an event, or `nil` after the test has been failed, at the line of the call. See <doc:AskingQuestions>.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func verifyBeaconReceived(
    key: String, value: String, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return ask(beacon(key, value, since: mark, timeout, location)).event
  }

  /// Waits for a beacon that has a key with this value; of a key that it has several times, with this value among others.
  ///
  /// - Returns: The beacon as an event, or `nil` after the test has been failed, at the line of the call. See <doc:AskingQuestions>.
  @discardableResult
  public func verifyBeaconReceived(
    key: String, value: String, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(beacon(key, value, since: mark, timeout, location)).event
  }

  private func beacon(
    _ key: String, _ value: String, since mark: Mark?, _ timeout: TimeInterval?, _ location: CodeLocation
  ) -> AskableQuestion {
    let isValue = ValueMatcher.equal(to: value)
    var pattern = EntryPattern.params([.custom(key: key): .one(of: [isValue, .contains(element: isValue)])])
    pattern.isOfBeacons = true
    return question(.one(pattern), "a beacon with \(key): \(value)", since: mark, timeout, location)
  }
}
