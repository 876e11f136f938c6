import TrackingModel

/// The wording of remedies in messages: the calls of a test, or the options of `tracking serve`.
package enum Vocabulary: Sendable {
  case calls, options

  /// The end of the sentence that lists the allowed host names.
  var addingHost: String {
    switch self {
    case .calls: ", or add it to allowedHosts"
    case .options: ", or allow it with --allow-host"
    }
  }

  func allowing(_ origin: String) -> String {
    switch self {
    case .calls: "add \(origin) to allowedOrigins"
    case .options: "allow \(origin) with --allow-origin"
    }
  }

  func accepting(_ member: String) -> String {
    switch self {
    case .calls: "accept(.\(member))"
    case .options: "--accept \(member.lowercased())"
    }
  }

  /// A hint for a path that looks like a check; `nil` for a test's server, since only the command runs checks.
  func hint(onCheckSentTo path: String) -> String? {
    guard self == .options, ["ask", "finish", "marks", "wait"].contains(where: { path.hasSuffix("/\($0)") }) else {
      return nil
    }
    return "; checks are sent to /-tracking/v1/wait"
  }

  /// The call or option that accepts other vendors' formats.
  var accepting: String {
    switch self {
    case .calls: "accept(_:)"
    case .options: "--accept"
    }
  }

  /// The end of the sentence about a limit that a request exceeds: the way to raise it; empty for the command, whose limits are fixed.
  func raising(_ limit: String) -> String {
    switch self {
    case .calls: "; raise the server's limits.\(limit)"
    case .options: ""
    }
  }

  /// The way to make room in a full journal.
  var emptying: String {
    switch self {
    case .calls: "reset the verifier"
    case .options: "end `tracking serve` and start it again"
    }
  }

  /// The call or option that turns more kinds of items into events.
  package var keeping: String {
    switch self {
    case .calls: "keeping(_:)"
    case .options: "--keep"
    }
  }

  /// The part of a launch that holds the server's address.
  package var launchVariables: String {
    switch self {
    case .calls: "`launchEnvironment`"
    case .options: LaunchVariable.url.name
    }
  }

  /// A hint on an app with another session's token.
  package var strangerHint: String {
    switch self {
    case .calls: "is an app that an earlier test launched still running?"
    case .options: "was it launched with the \(LaunchVariable.session.name) of another or an earlier server?"
    }
  }

  /// The URL that the app's backend has in a test.
  package var backendURL: String {
    switch self {
    case .calls: "`verifier.baseURL`"
    case .options: "the server's URL as its backend's"
    }
  }
}
