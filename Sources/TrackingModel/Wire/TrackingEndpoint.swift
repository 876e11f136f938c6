import Foundation

/// The address of a verifier and the token of its session, which a test passes to the app that it launches.
///
/// ```swift
/// app.launchEnvironment.merge(verifier.endpoint.launchEnvironment) { $1 }          // in the test
/// let endpoint = TrackingEndpoint(environment: ProcessInfo.processInfo.environment)   // in the app
/// ```
public struct TrackingEndpoint: Hashable, Sendable {
  /// The URL to which events are posted, for example `http://[::1]:50123`.
  public var url: URL
  /// The token that distinguishes this session's server and apps from others; `nil` if the server requires none.
  public var session: String?

  /// An endpoint at a URL, for example one with a fixed port.
  public init(url: URL, session: String? = nil) {
    self.url = url
    self.session = session
  }

  /// The endpoint that an environment has in `TRACKING_URL` and `TRACKING_SESSION`; `nil` without an `http` URL that has a host.
  public init?(environment: [String: String]) {
    guard case .endpoint(let endpoint) = Self.passed(in: environment) else { return nil }
    self = endpoint
  }

  /// The endpoint that launch arguments have; `nil` without an `http` URL that has a host.
  ///
  /// They are `-TrackingURL u` and `-TrackingSession s`, as in ``launchArguments``, or have the names of the variables in a form that other test
  /// tools pass: `-TRACKING_URL u`, `--TRACKING_URL u`, `TRACKING_URL=u`. If a name is given twice, the last value counts.
  public init?(arguments: [String]) {
    guard case .endpoint(let endpoint) = Self.passed(in: arguments) else { return nil }
    self = endpoint
  }

  /// The variables that hand this endpoint over to a launched app.
  ///
  /// No value holds an equals sign, which some launchers lose: it is written `%3D`, and a percent sign `%25`.
  public var launchEnvironment: [String: String] {
    LaunchVariable.url.environment(url.absoluteString)
      .merging(session.map(LaunchVariable.session.environment) ?? [:]) { $1 }
  }

  /// The launch arguments that hand this endpoint over, in the style of user defaults: `-TrackingURL http://[::1]:50123`.
  public var launchArguments: [String] {
    LaunchVariable.url.arguments(url.absoluteString) + (session.map(LaunchVariable.session.arguments) ?? [])
  }
}

extension TrackingEndpoint {
  /// The result of reading an endpoint that a test may have passed.
  package enum Passed {
    case nothing
    case endpoint(TrackingEndpoint)
    /// An invalid endpoint: the text in place of the URL, if there is one.
    case malformed(url: String?)
    /// A launch argument that is meant to pass an endpoint, and isn't spelt as one that is read.
    case misspelt(argument: String)
  }

  /// Reads the endpoint in an environment.
  package static func passed(in environment: [String: String]) -> Passed {
    Passed(LaunchVariable.url.value(in: environment), LaunchVariable.session.value(in: environment))
  }

  /// Reads the endpoint in launch arguments.
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
