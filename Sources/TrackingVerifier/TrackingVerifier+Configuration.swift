import Foundation
import TrackingServer

extension TrackingVerifier {
  /// How a verifier is set up.
  public struct Configuration: Sendable {
    /// How its server is set up.
    public var server: TrackingServer.Configuration
    /// Seconds for which a wait waits unless it says otherwise.
    public var timeout: TimeInterval
    /// Where failures go.
    public var reporter: any FailureReporter

    /// A configuration; each value has a default that suits tests.
    public init(
      server: TrackingServer.Configuration = .init(),
      timeout: TimeInterval = 5,
      reporter: any FailureReporter = XCTestReporter()
    ) {
      self.server = server
      self.timeout = timeout
      self.reporter = reporter
    }
  }
}
