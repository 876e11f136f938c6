import Foundation

/// A value that was left out of an exchange because it still had a secret after the redaction.
package struct SecretLeak: Error, Hashable, Sendable, CustomStringConvertible {
  package var request: String
  /// The place in the exchange: `response body`, `request header Accept`.
  package var place: String
  package var placeholder: String

  package var description: String {
    "\(request): the \(place) is left out, because it still had the value of \(placeholder)"
  }
}

/// Searches exchanges for secrets once more, and leaves out the values that have one.
struct LeakCheck {
  let secrets: SecretTable
  private(set) var leaks: [SecretLeak] = []

  mutating func checked(_ exchange: RecordedExchange) -> RecordedExchange {
    var new = exchange
    let first = leaks.count
    // A method has no place for a placeholder.
    if leak(in: Array(new.request.method.utf8), "method") != nil { new.request.method = "REDACTED" }
    func encoded(_ leak: String) -> String { string(PercentEncoding.encoded(Array(leak.utf8))) }
    new.request.path = leak(in: Array(new.request.path.utf8), "path").map { "/\(encoded($0))" } ?? new.request.path
    new.request.query = leak(in: Array((new.request.query ?? "").utf8), "query").map(encoded) ?? new.request.query
    check(&new.request.headers, &new.request.body, of: "request")
    check(&new.response.headers, &new.response.body, of: "response")
    for index in first..<leaks.count { leaks[index].request = new.request.line }
    return new
  }

  private mutating func leak(in text: [UInt8], _ place: String) -> String? {
    guard let leak = secrets.leak(in: text) else { return nil }
    leaks.append(SecretLeak(request: "", place: place, placeholder: leak))
    return leak
  }

  private mutating func check(_ headers: inout MessageHeaders, _ body: inout Data, of side: String) {
    headers.lines = headers.lines.compactMap { field in
      if leak(in: Array(field.name.utf8), "name of a field in the \(side) header") != nil { return nil }
      let leak = leak(in: Array(field.value.utf8), "\(side) header \(field.name)")
      return NamedText(name: field.name, value: leak ?? field.value)
    }
    guard let leak = leak(in: [UInt8](body), "\(side) body") else { return }
    body = Data((headers["Content-Type"]?.lowercased().contains("json") == true ? "\"\(leak)\"" : leak).utf8)
    if headers["Content-Length"] != nil { headers["Content-Length"] = "\(body.count)" }
  }
}
