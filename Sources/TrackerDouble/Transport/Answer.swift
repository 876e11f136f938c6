/// What a server answered to a POST.
struct Answer: Hashable {
  var status: Int
  /// The words after the status, for people.
  var phrase: String
  /// The value of `Tracking-Session`.
  var session: String?
  /// Empty when the server did not say how long it is, or when it is longer than anything worth showing.
  var body: [UInt8] = []
  /// Whether the connection can carry another request.
  var keepsConnection: Bool

  /// The status with its phrase: `400 Bad Request`.
  var statusText: String {
    phrase.isEmpty ? "\(status)" : "\(status) \(phrase)"
  }
}
