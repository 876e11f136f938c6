import Foundation

/// The method, URL and body of a request, without the numbers of redacted values.
struct RequestKey: Hashable {
  let request: String
  let body: Data
  var epoch: Int?

  init(_ exchange: RecordedExchange) {
    request = Placeholders.unnumbered(exchange.request.origin + exchange.request.line)
    body = Placeholders.unnumbered(exchange.request.body)
    epoch = exchange.epoch
  }

  var inAnyEpoch: RequestKey { changed(self) { $0.epoch = nil } }
}

extension RecordedExchange.Answer {
  /// Whether both say the same, but for the numbers of redacted values.
  func isLike(_ other: RecordedExchange.Answer) -> Bool {
    status == other.status
      && (body == other.body || Placeholders.unnumbered(body) == Placeholders.unnumbered(other.body))
  }
}

extension [RecordedExchange] {
  /// The exchanges but for those that others are like, each once.
  func without(_ others: [RecordedExchange]) -> [RecordedExchange] {
    var others = Dictionary(grouping: others, by: RequestKey.init)
    return filter { exchange in
      let place = others[RequestKey(exchange)]?.firstIndex { $0.answer.isLike(exchange.answer) }
      guard let place else { return true }
      others[RequestKey(exchange)]?.remove(at: place)
      return false
    }
  }
}
