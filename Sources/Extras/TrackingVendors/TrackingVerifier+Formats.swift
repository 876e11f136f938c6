import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer
// One import brings the verifier, the vendors' formats and the calls that accept them.
@_exported import TrackingVerifier
@_exported import VendorFormats

extension TrackingVerifier {
  /// Accepts the events that analytics SDKs send in the given formats.
  ///
  /// ```swift
  /// import TrackingVendors
  ///
  /// verifier.accept(.segment, .postHog.keeping(.screen))
  /// app.launchEnvironment["POSTHOG_HOST"] = verifier.url(for: .postHog).absoluteString
  /// ```
  ///
  /// The events are recorded like any others, and the SDK gets the vendor's usual responses, including those to its startup requests unless a
  /// stub matches. A redelivered event is recorded once. Only tracked events count; `keeping(_:)` adds screens, identities and so on.
  ///
  /// If several formats share a path, the body decides, and the one accepted first is tried first; accepting a format again replaces the earlier one.
  /// An invalid path fails the test at the line of the call. Formats stay accepted until the verifier stops.
  public func accept(
    _ formats: AcceptedFormat...,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    register(formats, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Accepts events in a custom format: a ``JSONEventFormat``, or a type that conforms to `EventFormat`.
  ///
  /// An invalid path fails the test at the line of the call.
  public func accept(
    _ format: some EventFormat,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    register([AcceptedFormat(format)], at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Returns the URL to configure an SDK with, so that its events arrive at this verifier; contains the path or the key that the SDK needs.
  ///
  /// Before a successful `start()` the test fails, as for `endpoint`.
  public func url(for format: AcceptedFormat) -> URL {
    format.address(at: baseURL)
  }

  /// The events that SDKs delivered again after the server had recorded them; each is recorded once.
  public var redeliveredEvents: [TrackingEvent] {
    redeliveries.filter { !$0.isConflicting }.map(\.event)
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes when an SDK delivers an event again: `.redelivered(.named("purchase"))`.
  ///
  /// The SDK didn't learn that the first delivery had succeeded, and sent the event again with the same id and content. It is recorded once.
  public static func redelivered(_ pattern: EventPattern) -> TrackingCheck<CheckOutcome> { .redelivery(of: pattern) }
}
