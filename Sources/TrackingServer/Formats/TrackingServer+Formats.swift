import Foundation
import StubModel

extension TrackingServer {
  /// Accepts events in these formats of SDKs.
  ///
  /// ```swift
  /// try server.accept(.segment, .postHog)
  /// ```
  ///
  /// Of several formats that fit a request, the one accepted first is tried first. May be called before `start()` and after it.
  ///
  /// - Throws: `StubError` if a path or a response of a format isn't valid.
  public func accept(_ formats: AcceptedFormat...) throws {
    for format in formats { stubs.accept(try PreparedFormat(format), of: formatOwner) }
  }

  /// Accepts events in another format.
  ///
  /// - Throws: `StubError` if a path or a response of the format isn't valid.
  public func accept(_ format: some EventFormat) throws {
    try accept(AcceptedFormat(format))
  }

  /// The URL to configure an SDK with, so that its events arrive here; `nil` while the server is not running.
  public func url(for format: AcceptedFormat) -> URL? {
    baseURL.map(format.address(at:))
  }

  /// `http://127.0.0.1:PORT`, which every HTTP client takes; `nil` while the server is not running.
  private var baseURL: URL? {
    endpoint?.url.port.flatMap { URL(string: "http://127.0.0.1:\($0)") }
  }
}
