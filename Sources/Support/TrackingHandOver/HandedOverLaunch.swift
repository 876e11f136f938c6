import TrackingModel

/// The part of a process's launch that a test passes: the verifier's address, and the stubs of the app's sessions.
package struct HandedOverLaunch: Hashable, Codable, Sendable {
  /// The variables, with their values as they were passed.
  package let environment: [String: String]
  /// The launch arguments, each with its value behind it.
  package let arguments: [String]

  /// `nil` if nothing was passed.
  package init?(environment: [String: String], arguments: [String]) {
    let names = Set([LaunchVariable.url, .session, .stubs].map(\.name))
    self.environment = environment.filter { names.contains($0.key) }
    // One argument may be meant to pass several values.
    let places = Set([LaunchVariable.url, .session, .scenario].compactMap { $0.argument(in: arguments)?.places })
    self.arguments = places.sorted { $0.lowerBound < $1.lowerBound }.flatMap { arguments[$0] }
    guard !self.environment.isEmpty || !self.arguments.isEmpty else { return nil }
  }

  /// The verifier's address; `nil` if there is none, or an invalid one.
  package var endpoint: TrackingEndpoint? {
    TrackingEndpoint(environment: environment) ?? TrackingEndpoint(arguments: arguments)
  }
}
