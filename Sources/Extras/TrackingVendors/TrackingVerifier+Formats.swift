import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer
// One import provides the verifier, the vendors' formats and the calls that accept them.
@_exported import TrackingVerifier
@_exported import VendorFormats

extension TrackingVerifier {
  /// Accepts the events that analytics SDKs send in these formats.
  ///
  /// ```swift
  /// import TrackingVendors
  ///
  /// verifier.accept(.segment, .postHog.keeping(.screen))
  /// app.launchEnvironment["POSTHOG_HOST"] = verifier.url(for: .postHog).absoluteString
  /// ```
  ///
  /// They are events like any others, and get the responses of the vendor's server. The format also responds to an SDK's startup requests, unless a
  /// stub of the test matches. An event that is delivered again is recorded once. Only tracked events count; `keeping(_:)` adds screens, identities
  /// and so on.
  ///
  /// Of several formats at one path, the body decides, and the one accepted first is tried first; accepting a format again replaces the earlier one.
  /// An invalid path fails the test at the line of the call. Formats stay accepted until the verifier stops.
  public func accept(
    _ formats: AcceptedFormat...,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    register(formats, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Accepts events in another format: a ``JSONEventFormat``, or a type that conforms to `EventFormat`.
  ///
  /// A path with an error in it fails the test at the line of the call.
  public func accept(
    _ format: some EventFormat,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    register([AcceptedFormat(format)], at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// The URL to configure an SDK with, so that its events arrive here: the server's, with the path or the key that the SDK wants.
  ///
  /// Before a successful `start()` the test fails, as for `endpoint`.
  public func url(for format: AcceptedFormat) -> URL {
    format.address(at: baseURL)
  }

  /// The events that SDKs delivered again after the server had recorded them; they are recorded once.
  public var redeliveredEvents: [TrackingEvent] {
    redeliveries.filter { !$0.isConflicting }.map(\.event)
  }
}

extension TrackingCheck<CheckOutcome> {
  /// An SDK has delivered an event again, which was recorded once: `.redelivered(.named("purchase"))`.
  ///
  /// The app's SDK did not learn that the first delivery had succeeded, and tried again, with the same id and the same content.
  public static func redelivered(_ pattern: EventPattern) -> TrackingCheck<CheckOutcome> { .redelivery(of: pattern) }
}
