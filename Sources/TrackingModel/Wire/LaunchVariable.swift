import Foundation

/// A value that a test hands over to the app it launches: in a variable of the environment, or after a launch argument.
///
/// The variables of apps under their own names hold plain values and are none of these.
package struct LaunchVariable: Hashable, Sendable {
  /// The variable's name: `TRACKING_URL`.
  package let name: String
  /// The launch argument in front of the value, in the style of user defaults: `-TrackingURL`; `nil` if there is none.
  package let argument: String?

  /// The path to which events are posted.
  package static let url = LaunchVariable(name: "TRACKING_URL", argument: "-TrackingURL")
  /// The session's token.
  package static let session = LaunchVariable(name: "TRACKING_SESSION", argument: "-TrackingSession")
  /// The launch argument in front of a scenario's name, which has no variable.
  package static let scenarioArgument = "-StubScenario"
  /// A table of stubs, or `fetch:` and the name under which the verifier keeps one that is too large for a variable, or `file:` and the path of one.
  package static let stubs = LaunchVariable(name: "TRACKING_STUBS", argument: nil)

  /// The value that an environment hands over.
  package func value(in environment: [String: String]) -> String? {
    environment[name].map(Self.unescaped)
  }

  /// The launch argument that hands the value over; `nil` if there is none.
  ///
  /// The forms are those in which tools for tests pass arguments: `-TRACKING_URL u` (Detox and Maestro, which write the hyphen
  /// themselves), `--TRACKING_URL u`, `TRACKING_URL=u`, and the same with `TrackingURL`. One that differs from them only in its case, its
  /// hyphens and its underscores is meant to be this one, and has no value.
  package func argument(in arguments: [String]) -> LaunchArgument? {
    guard let argument else { return nil }
    let names = [name, String(argument.dropFirst())]
    var similar: LaunchArgument?
    for (index, text) in arguments.enumerated() {
      let word = text.drop { $0 == "-" }
      let found = word.prefix { $0 != "=" }
      guard Self.letters(of: found) == Self.letters(of: Substring(name)) else { continue }
      let hasValue = found.endIndex < word.endIndex
      let value =
        hasValue ? String(word[found.endIndex...].dropFirst()) : index + 1 < arguments.count ? arguments[index + 1] : ""
      let end = min(index + (hasValue ? 1 : 2), arguments.count)
      if names.contains(String(found)) {
        return LaunchArgument(text: text, places: index..<end, value: Self.unescaped(value))
      }
      similar = similar ?? LaunchArgument(text: text, places: index..<end, value: nil)
    }
    return similar
  }

  /// A name without what tells its spellings apart.
  private static func letters(of name: Substring) -> String {
    name.filter { $0 != "-" && $0 != "_" }.lowercased()
  }

  /// The variable with a value.
  package func environment(_ value: String) -> [String: String] {
    [name: Self.escaped(value)]
  }

  /// The launch argument with a value.
  package func arguments(_ value: String) -> [String] {
    argument.map { [$0, Self.escaped(value)] } ?? []
  }

  /// A value without equals signs, which some launchers lose: `%3D`, and `%25` for a percent sign.
  private static func escaped(_ value: String) -> String {
    value.replacing("%", with: "%25").replacing("=", with: "%3D")
  }

  private static func unescaped(_ value: String) -> String {
    value.replacing("%3D", with: "=").replacing("%25", with: "%")
  }
}

/// A launch argument that hands a value over, or is meant to.
package struct LaunchArgument: Hashable, Sendable {
  /// The argument without a value that follows it: `-TRACKING_URL`, `TRACKING_URL=http://[::1]:50123`.
  package let text: String
  /// Its places among the launch arguments, with that of a value that follows it.
  package let places: Range<Int>
  /// The value, empty if the argument is the last one; `nil` if the argument isn't spelt as it is read.
  package let value: String?
}

/// The header fields by which a double and a verifier recognize each other.
package enum WireField {
  /// The session's token, in requests, and in answers to requests that had the right one.
  package static let session = "Tracking-Session"
  /// `<process token>.<n>.<process name>`, unique for each double: `LaunchName`.
  package static let launch = "Tracking-Launch"
  /// The number of the first event in the body among all events that its double tracked.
  package static let sequence = "Tracking-Sequence"
}

/// The paths of a verifier that aren't for events.
package enum WirePath {
  /// Takes, as plain text, what is wrong with the way in which an app was launched, and fails the test.
  package static let problem: StaticString = "/tracking-problem"
  /// Receives the requests that stubbed sessions in an app were asked, as JSON.
  package static let requests: StaticString = "/tracking-requests"
  /// Sends the table of stubs whose name is the request's body, as JSON.
  package static let stubs: StaticString = "/tracking-stubs"
  /// Answers whether the session with the token in the request is the server's.
  ///
  /// With `WireField.launch` it is a double's hello. Neither is recorded.
  package static let session: StaticString = "/tracking-session"
}

/// The path that lets a device use a server on another machine: `/~` and the pairing token, in front of every other path.
package enum PairingPath {
  private static let prefix = "/~"
  /// 128 bits, as hexadecimal digits.
  private static let tokenLength = 32

  /// The pairing path at the beginning of a path; `nil` if there is none.
  package static func prefix(of path: String) -> String? {
    guard path.hasPrefix(prefix) else { return nil }
    let token = path.dropFirst(prefix.count).prefix { $0 != "/" }
    guard token.utf8.count == tokenLength, token.allSatisfy(\.isHexDigit) else { return nil }
    return "\(prefix)\(token)"
  }
}
