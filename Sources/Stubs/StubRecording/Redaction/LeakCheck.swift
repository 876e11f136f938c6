import Foundation
import StubModel

/// Looks for secrets in exchanges once more, and leaves out the values that have one.
///
/// Only the parts that an app or a backend sends are looked at: the recording's own times and numbers may be equal to a secret by chance.
struct LeakCheck {
  private let secrets: SecretTable
  private(set) var leaks: [SecretLeak] = []

  init(_ secrets: SecretTable) {
    self.secrets = secrets
  }

  mutating func checked(_ exchange: RecordedExchange, at index: Int) -> RecordedExchange {
    guard !secrets.isEmpty else { return exchange }
    var exchange = exchange
    var request = exchange.request
    var found: [SecretLeak] = []
    func without(_ text: String, _ place: String, inURL: Bool = false) -> String? {
      guard let leak = secrets.leak(in: Array(text.utf8)) else { return nil }
      found.append(SecretLeak(request: "", place: place, placeholder: leak))
      return inURL ? string(PercentEncoding.encoded(Array(leak.utf8))) : leak
    }
    // A method has no place for a placeholder.
    if without(request.method, "method") != nil { request.method = "REDACTED" }
    if let path = without(request.path, "path", inURL: true) { request.path = "/\(path)" }
    if let query = request.query.flatMap({ without($0, "query", inURL: true) }) { request.query = query }
    func fields(_ headers: MessageHeaders, of side: String) -> MessageHeaders {
      MessageHeaders(
        lines: headers.lines.compactMap { field in
          if without(field.name, "name of a field in the \(side) header") != nil { return nil }
          return .init(
            name: field.name, value: without(field.value, "\(side) header \(field.name)") ?? field.value)
        })
    }
    func body(_ body: Data, of side: String, _ headers: inout MessageHeaders) -> Data {
      guard !body.isEmpty else { return body }
      let bytes = [UInt8](body)
      guard let leak = secrets.leak(in: UTF16Text(bytes)?.bytes ?? bytes) else { return body }
      found.append(SecretLeak(request: "", place: "\(side) body", placeholder: leak))
      let isJSON = headers["Content-Type"]?.lowercased().contains("json") == true
      let new = Data((isJSON ? "\"\(leak)\"" : leak).utf8)
      if headers["Content-Length"] != nil { headers["Content-Length"] = "\(new.count)" }
      return new
    }
    request.headers = fields(request.headers, of: "request")
    request.body = body(request.body, of: "request", &request.headers)
    var answer = exchange.answer
    answer.headers = fields(answer.headers, of: "answer")
    answer.body = body(answer.body, of: "answer", &answer.headers)
    guard !found.isEmpty else { return exchange }
    (exchange.request, exchange.answer) = (request, answer)
    for var leak in found {
      leak.request = request.line
      leaks.append(leak)
    }
    return exchange
  }
}
