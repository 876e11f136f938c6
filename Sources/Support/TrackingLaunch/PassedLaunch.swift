import TrackingModel

/// The values that a test passed at launch: the verifier's address, and the stubs of the app's sessions.
package struct PassedLaunch: Equatable, Codable, Sendable {
  /// The variables with their raw values.
  package let environment: [String: String]
  /// Each argument precedes its value.
  package let arguments: [String]

  package init?(environment: [String: String], arguments: [String]) {
    let names = Set([LaunchVariable.url, .session, .stubs].map(\.name))
    self.environment = environment.filter { names.contains($0.key) }
    // One argument may be meant to pass several values.
    let places = Set([LaunchVariable.url, .session, .scenario].compactMap { $0.argument(in: arguments)?.places })
    self.arguments = places.sorted { $0.lowerBound < $1.lowerBound }.flatMap { arguments[$0] }
    guard !self.environment.isEmpty || !self.arguments.isEmpty else { return nil }
  }

  package var endpoint: TrackingEndpoint? {
    TrackingEndpoint(environment: environment) ?? TrackingEndpoint(arguments: arguments)
  }
}
