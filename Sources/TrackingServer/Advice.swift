/// The words in which messages say what to do: the calls of a test, or the options of the command `tracking serve`.
package enum Advice: Sendable {
  case calls, options

  /// How the pages of an origin may send requests: `add it to allowedOrigins`.
  func allowing(_ origin: String) -> String {
    switch self {
    case .calls: "add \(origin) to allowedOrigins"
    case .options: "allow \(origin) with --allow-origin"
    }
  }

  /// How events of a vendor are read, from the name of the static member for its format.
  func accepting(_ member: String) -> String {
    switch self {
    case .calls: "accept(.\(member))"
    case .options: "--accept \(member.lowercased())"
    }
  }

  /// How a full journal gets room.
  var emptying: String {
    switch self {
    case .calls: "reset the verifier"
    case .options: "end `tracking serve` and start it again"
    }
  }

  /// What makes events of other items that SDKs send.
  package var keeping: String {
    switch self {
    case .calls: "keeping(_:)"
    case .options: "--keep"
    }
  }

  /// What hands the server's address over to an app.
  package var launchVariables: String {
    switch self {
    case .calls: "`launchEnvironment`"
    case .options: "TRACKING_URL"
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
