/// Why a request is not taken, as a status and a sentence for whoever sent it.
///
/// After a refusal nobody can say where the next request would begin, so the connection is closed behind the answer.
struct Refusal: Error, Equatable {
  let status: Int
  /// One sentence that says what to change.
  let reason: String

  init(status: Int, reason: String) {
    self.status = status
    self.reason = reason
  }

  /// A request that is malformed or that two parsers could read differently.
  static func badRequest(_ reason: String) -> Refusal {
    Refusal(status: 400, reason: reason)
  }
}
