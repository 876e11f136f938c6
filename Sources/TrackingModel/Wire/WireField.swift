/// The names of the header fields by which a double and a verifier tell each other who they are.
package enum WireField {
  /// The token of the session, in requests; in answers only to a request that had the right one.
  package static let session = "Tracking-Session"
  /// `<process token>.<n>`, unique for each double.
  package static let launch = "Tracking-Launch"
  /// The number, among all that its double tracked, of the first event in the body.
  package static let sequence = "Tracking-Sequence"
}

/// The paths of a verifier that are not for events.
package enum WirePath {
  /// Takes, as plain text, what is wrong with the way in which an app was launched; it fails the test.
  package static let problem: StaticString = "/tracking-problem"
  /// Where an app reports the requests that its stubbed sessions were asked.
  package static let requests: StaticString = "/tracking-requests"
}
