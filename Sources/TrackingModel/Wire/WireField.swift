/// The header fields by which a double and a verifier recognize each other.
package enum WireField {
  /// The session's token, in requests, and in responses to requests with the right token.
  package static let session = "Tracking-Session"
  /// Unique for each double: see `LaunchName`.
  package static let launch = "Tracking-Launch"
  /// The number of the body's first event, among all events that its double tracked.
  package static let sequence = "Tracking-Sequence"
}

/// The paths of a verifier for other requests than events.
package enum WirePath {
  /// Receives, as plain text, what is wrong with the launch of an app, and fails the test.
  package static let problem: StaticString = "/tracking-problem"
  /// Receives the requests of stubbed sessions in an app, as JSON.
  package static let requests: StaticString = "/tracking-requests"
  /// Receives, as plain text, the number of a reported request whose delayed response the app gets now.
  package static let responses: StaticString = "/tracking-responses"
  /// Sends the stub table named in the request's body, as JSON.
  package static let stubs: StaticString = "/tracking-stubs"
  /// Tells whether the request's token is that of the server's session; with `WireField.launch`, it is a double's hello (neither is recorded).
  package static let session: StaticString = "/tracking-session"
  package static let all = [problem, requests, responses, stubs, session]
}
