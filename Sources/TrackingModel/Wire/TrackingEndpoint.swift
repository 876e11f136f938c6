import Foundation

/// The address of a verifier and the token of its session, which a test passes to the app it launches.
///
/// ```swift
/// app.launchEnvironment.merge(verifier.endpoint.launchEnvironment) { $1 }          // in the test
/// let endpoint = TrackingEndpoint(environment: ProcessInfo.processInfo.environment)   // in the app
/// ```
public struct TrackingEndpoint: Hashable, Sendable {
  /// The URL to which events are posted, for example `http://[::1]:50123`.
  public var url: URL
  /// The token that tells the server which session the app belongs to; `nil` if the server requires none.
  public var session: String?

  /// Creates an endpoint, for example one with a fixed port.
  public init(url: URL, session: String? = nil) {
    self.url = url
    self.session = session
  }

  /// Reads the endpoint from `TRACKING_URL` and `TRACKING_SESSION`; `nil` without an `http` URL that has a host.
  public init?(environment: [String: String]) {
    guard case .endpoint(let endpoint) = Self.passed(in: environment) else { return nil }
    self = endpoint
  }

  /// Reads the endpoint from launch arguments; `nil` without an `http` URL that has a host.
  ///
  /// They are `-TrackingURL u` and `-TrackingSession s`, as in ``launchArguments``, or use the variables' names in a form that test tools pass:
  /// `-TRACKING_URL u`, `--TRACKING_URL u`, `TRACKING_URL=u`. The last value of a repeated name counts.
  public init?(arguments: [String]) {
    guard case .endpoint(let endpoint) = Self.passed(in: arguments) else { return nil }
    self = endpoint
  }

  /// The environment variables that pass the endpoint to a launched app.
  ///
  /// Some launchers lose equals signs, so values have `%3D` for an equals sign, and `%25` for a percent sign.
  public var launchEnvironment: [String: String] {
    LaunchVariable.url.environment(url.absoluteString)
      .merging(session.map(LaunchVariable.session.environment) ?? [:]) { $1 }
  }

  /// The launch arguments that pass the endpoint to a launched app: `["-TrackingURL", "http://[::1]:50123"]`, then `-TrackingSession` and the token
  /// if there is one.
  public var launchArguments: [String] {
    LaunchVariable.url.arguments(url.absoluteString) + (session.map(LaunchVariable.session.arguments) ?? [])
  }
}

extension TrackingEndpoint {
  /// The result of reading an endpoint that a test may have passed.
  package enum Passed {
    case nothing
    case endpoint(TrackingEndpoint)
    /// An invalid endpoint, with the text in place of the URL, if any.
    case malformed(url: String?)
    /// A launch argument that appears to pass an endpoint, in an unsupported form.
    case misspelt(argument: String)
  }

  package static func passed(in environment: [String: String]) -> Passed {
    Passed(LaunchVariable.url.value(in: environment), LaunchVariable.session.value(in: environment))
  }

  package static func passed(in arguments: [String]) -> Passed {
    let found = [LaunchVariable.url, .session].map { $0.argument(in: arguments) }
    if let misspelt = found.compactMap(\.self).first(where: { $0.value == nil }) {
      return .misspelt(argument: misspelt.shownText)
    }
    return Passed(found[0]?.value, found[1]?.value)
  }
}

extension TrackingEndpoint.Passed {
  fileprivate init(_ url: String?, _ session: String?) {
    if let address = url.flatMap(URL.init(string:)), address.scheme?.lowercased() == "http",
      let host = address.host, !host.isEmpty
    {
      self = .endpoint(TrackingEndpoint(url: address, session: session))
    } else {
      self = url == nil && session == nil ? .nothing : .malformed(url: url)
    }
  }
}
