import Foundation
import StubModel

extension TrackingServer {
  /// Accepts events in formats of SDKs.
  ///
  /// ```swift
  /// try server.accept(.segment, .postHog)
  /// ```
  ///
  /// If several formats fit a request, the one accepted first is tried first. May be called before or after `start()`.
  ///
  /// - Throws: `StubError` if a path or a response of a format isn't valid.
  public func accept(_ formats: AcceptedFormat...) throws {
    for format in formats { stubs.accept(try PreparedFormat(format), of: formatOwner) }
  }

  /// Accepts events in a custom format.
  ///
  /// - Throws: `StubError` if a path or a response of the format isn't valid.
  public func accept(_ format: some EventFormat) throws {
    try accept(AcceptedFormat(format))
  }

  /// Returns the URL to configure an SDK with, so that its events arrive at this server; `nil` while the server isn't running.
  public func url(for format: AcceptedFormat) -> URL? {
    baseURL.map(format.address(at:))
  }

  /// `http://127.0.0.1:PORT`, which every HTTP client accepts.
  private var baseURL: URL? {
    endpoint?.url.port.flatMap { URL(string: "http://127.0.0.1:\($0)") }
  }
}
