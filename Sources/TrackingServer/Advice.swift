import TrackingModel

/// The words in which messages say what to do: the calls of a test, or the options of the command `tracking serve`.
package enum Advice: Sendable {
  case calls, options

  /// The end of the sentence that lists the allowed host names: the way to allow another.
  var addingHost: String {
    switch self {
    case .calls: ", or add it to allowedHosts"
    case .options: ", or allow it with --allow-host"
    }
  }

  /// The way to let the pages of an origin send requests: `add it to allowedOrigins`.
  func allowing(_ origin: String) -> String {
    switch self {
    case .calls: "add \(origin) to allowedOrigins"
    case .options: "allow \(origin) with --allow-origin"
    }
  }

  /// The way to read a vendor's events, from the name of the static member for its format.
  func accepting(_ member: String) -> String {
    switch self {
    case .calls: "accept(.\(member))"
    case .options: "--accept \(member.lowercased())"
    }
  }

  /// The end of the sentence about a path at which nothing is served, if checks may have been meant; only the command takes them.
  func hint(onCheckSentTo path: String) -> String? {
    guard self == .options, ["ask", "finish", "marks", "wait"].contains(where: { path.hasSuffix("/\($0)") }) else {
      return nil
    }
    return "; checks are sent to /-tracking/v1/wait"
  }

  /// The call or option for formats of others.
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

  /// The call or option that makes events of other items that SDKs send.
  package var keeping: String {
    switch self {
    case .calls: "keeping(_:)"
    case .options: "--keep"
    }
  }

  /// The part of a launch with the server's address.
  package var launchVariables: String {
    switch self {
    case .calls: "`launchEnvironment`"
    case .options: LaunchVariable.url.name
    }
  }

  /// The URL of the app's backend in a test.
  package var backendURL: String {
    switch self {
    case .calls: "`verifier.baseURL`"
    case .options: "the server's URL as its backend's"
    }
  }
}
