import Foundation

/// Where a verifier listens, and the token of its session: what a test hands over to the app that it launches.
///
/// ```swift
/// app.launchEnvironment.merge(verifier.endpoint.environment) { $1 }          // in the test
/// let endpoint = TrackingEndpoint(environment: ProcessInfo.processInfo.environment)   // in the app
/// ```
public struct TrackingEndpoint: Hashable, Sendable {
  /// Where events are posted, for example `http://[::1]:50123`.
  public var url: URL
  /// The token that tells this session's server and apps from those of others; `nil` when the server asks for none.
  public var session: String?

  /// An endpoint at a URL, for example one with a fixed port.
  public init(url: URL, session: String? = nil) {
    self.url = url
    self.session = session
  }

  /// The endpoint that an environment hands over in `TRACKING_URL` and `TRACKING_SESSION`; `nil` without an `http` URL that has a host.
  public init?(environment: [String: String]) {
    self.init(url: environment[Self.urlVariable], session: environment[Self.sessionVariable])
  }

  /// The endpoint that launch arguments hand over after `-TrackingURL` and `-TrackingSession`; `nil` without an `http` URL that has a host.
  public init?(arguments: [String]) {
    self.init(environment: Self.environment(from: arguments))
  }

  private init?(url text: String?, session: String?) {
    guard let url = text.map(Self.unescaped).flatMap(URL.init(string:)), url.scheme?.lowercased() == "http",
      let host = url.host, !host.isEmpty
    else { return nil }
    self.init(url: url, session: session.map(Self.unescaped))
  }

  /// The variables that hand this endpoint over to a launched app.
  ///
  /// No value holds an equals sign, which some launchers lose: it is written `%3D`, and a percent sign `%25`.
  public var environment: [String: String] {
    var variables = [Self.urlVariable: Self.escaped(url.absoluteString)]
    variables[Self.sessionVariable] = session.map(Self.escaped)
    return variables
  }

  /// The launch arguments that hand this endpoint over, in the style of user defaults: `-TrackingURL http://[::1]:50123`.
  public var launchArguments: [String] {
    [Self.urlArgument, Self.escaped(url.absoluteString)]
      + (session.map { [Self.sessionArgument, Self.escaped($0)] } ?? [])
  }

  /// Whether an environment hands over anything at all, well-formed or not.
  package static func isHandedOver(in environment: [String: String]) -> Bool {
    environment[urlVariable] != nil || environment[sessionVariable] != nil
  }

  /// What launch arguments hand over, as the variables that would hand over the same; an argument without a value hands over nothing useful, but
  /// something.
  package static func environment(from arguments: [String]) -> [String: String] {
    var variables: [String: String] = [:]
    for (name, variable) in [(urlArgument, urlVariable), (sessionArgument, sessionVariable)] {
      guard let index = arguments.firstIndex(of: name) else { continue }
      variables[variable] = index + 1 < arguments.count ? arguments[index + 1] : ""
    }
    return variables
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "=", with: "%3D")
  }

  private static func unescaped(_ text: String) -> String {
    text.replacingOccurrences(of: "%3D", with: "=").replacingOccurrences(of: "%25", with: "%")
  }

  package static let urlVariable = "TRACKING_URL"
  package static let sessionVariable = "TRACKING_SESSION"
  private static let urlArgument = "-TrackingURL"
  private static let sessionArgument = "-TrackingSession"
}
