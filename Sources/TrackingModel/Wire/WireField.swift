/// The header fields by which a double and a verifier recognize each other.
package enum WireField {
  /// The session's token, in requests, and in responses to requests that had the right one.
  package static let session = "Tracking-Session"
  /// `<process token>.<n>.<process name>`, unique for each double: `LaunchName`.
  package static let launch = "Tracking-Launch"
  /// The number of the first event in the body among all events that its double tracked.
  package static let sequence = "Tracking-Sequence"
}

/// The paths of a verifier that aren't for events.
package enum WirePath {
  /// Receives, as plain text, what is wrong with the launch of an app, and fails the test.
  package static let problem: StaticString = "/tracking-problem"
  /// Receives the requests of stubbed sessions in an app, as JSON.
  package static let requests: StaticString = "/tracking-requests"
  /// Sends the table of stubs whose name is the request's body, as JSON.
  package static let stubs: StaticString = "/tracking-stubs"
  /// Tells whether the session with the token in the request is the server's.
  ///
  /// With `WireField.launch` it is a double's hello. Neither is recorded.
  package static let session: StaticString = "/tracking-session"
}
