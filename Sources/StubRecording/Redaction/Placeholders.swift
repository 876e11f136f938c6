import Foundation
import StubModel

/// The placeholders of secrets, without their numbers: two recordings of the same flow may number them differently.
enum Placeholders {
  /// `[redacted token 2]` as it is, and as it is written in a URL.
  private static let forms = [("[redacted ", " ", "]"), ("%5Bredacted%20", "%20", "%5D")].map {
    (opening: Array($0.utf8), space: Array($1.utf8), end: Array($2.utf8))
  }

  /// A text with `[redacted token]` in place of `[redacted token 2]`.
  static func unnumbered(_ text: [UInt8]) -> [UInt8] {
    forms.reduce(text) { text, form in
      var edits: [(range: Range<Int>, bytes: [UInt8])] = []
      var rest = text[...]
      while let start = rest.firstRange(of: form.opening) {
        rest = rest[start.upperBound...]
        // The longest kind and number are shorter.
        guard let end = rest.prefix(30).firstRange(of: form.end),
          let space = text[start.upperBound..<end.lowerBound].firstRange(of: form.space)
        else { continue }
        edits.append((space.lowerBound..<end.lowerBound, []))
        rest = rest[end.upperBound...]
      }
      return text.replacing(edits)
    }
  }

  /// The kind and the number of a placeholder.
  static func parts(of placeholder: some StringProtocol) -> (kind: SecretKind, number: Int)? {
    let words = placeholder.dropFirst().dropLast().split(separator: " ")
    guard words.count == 3, let kind = SecretKind(rawValue: String(words[1])), let number = Int(words[2]) else {
      return nil
    }
    return (kind, number)
  }

  static func unnumbered(_ text: String) -> String {
    text.contains("redacted") ? String(decoding: unnumbered(Array(text.utf8)), as: UTF8.self) : text
  }

  /// A body: compact if it is JSON.
  static func unnumbered(_ body: Data) -> Data {
    let compact = (try? JSONText(body).compact) ?? body
    return Data(unnumbered([UInt8](compact)))
  }
}

/// The order of a recording's secrets, which doesn't depend on the order of its exchanges.
///
/// Secrets are compared by all the places where they are, and places by their exchanges: path, method, query, body, answer. What these hold of
/// secrets is left out of the comparison.
struct PlaceholderOrder {
  /// The placeholders, each once.
  let placeholders: [String]
  /// For each placeholder, its places in words: `GET /a: answer body`.
  private var places: [String: [String]] = [:]

  /// - Parameters:
  ///   - exchanges: The exchanges with any distinct placeholders.
  ///   - positions: Where the placeholders are.
  init(_ exchanges: [RecordedExchange], _ positions: [RedactedPosition]) {
    let involved = Set(positions.map(\.exchange)).sorted().map { ($0, Exchange(exchanges[$0])) }
      .sorted { $0.1 < $1.1 }
    var ranks: [Int: Int] = [:]
    for (place, (index, exchange)) in involved.enumerated() {
      let isLikeTheLast = place > 0 && !(involved[place - 1].1 < exchange)
      ranks[index] = isLikeTheLast ? ranks[involved[place - 1].0] : place
    }
    var places: [String: [Place]] = [:]
    var arrival: [String] = []
    var ordinals: [Int: Int] = [:]
    for position in positions {
      ordinals[position.exchange, default: 0] += 1
      let place = Place(
        exchange: ranks[position.exchange] ?? 0, name: Placeholders.unnumbered(position.place),
        ordinal: ordinals[position.exchange] ?? 0)
      if places[position.placeholder] == nil { arrival.append(position.placeholder) }
      places[position.placeholder, default: []].append(place)
    }
    let sorted = places.mapValues { $0.sorted() }
    for position in positions {
      let line = "\(exchanges[position.exchange].request.line): \(position.place)"
      self.places[position.placeholder, default: []].append(Placeholders.unnumbered(line))
    }
    placeholders = arrival.enumerated().sorted { left, right in
      let (a, b) = (sorted[left.element] ?? [], sorted[right.element] ?? [])
      return a == b ? left.offset < right.offset : a.lexicographicallyPrecedes(b)
    }.map(\.element)
  }

  /// The numbers of the placeholders that were in the same places of an earlier recording.
  func numbers(like earlier: [String]) -> [String: Int] {
    var known: [String: [(kind: SecretKind, number: Int)]] = [:]
    for line in earlier {
      guard let end = line.range(of: ": [redacted ", options: .backwards),
        let parts = Placeholders.parts(of: line[end.lowerBound...].dropFirst(2))
      else { continue }
      known[Placeholders.unnumbered(String(line[..<end.lowerBound])), default: []].append(parts)
    }
    var taken: Set<String> = []
    var numbers: [String: Int] = [:]
    for placeholder in placeholders {
      guard let kind = Placeholders.parts(of: placeholder)?.kind else { continue }
      let candidates = (places[placeholder] ?? []).lazy.flatMap { known[$0] ?? [] }
        .filter { $0.kind == kind && !taken.contains("\($0)") }
      guard let found = candidates.min(by: { $0.number < $1.number }) else { continue }
      taken.insert("\(found)")
      numbers[placeholder] = found.number
    }
    return numbers
  }

  /// A place in an exchange, in the order of reading; header fields and cookies, which come in any order, by their names.
  private struct Place: Comparable {
    let exchange: Int
    let section: Int
    let name: String
    let ordinal: Int

    init(exchange: Int, name: String, ordinal: Int) {
      self.exchange = exchange
      let isHeader = name.hasPrefix("request header") || name.hasPrefix("answer header")
      section = (name.hasPrefix("request") ? 0 : 2) + (isHeader ? 0 : 1)
      self.name = isHeader ? name : ""
      self.ordinal = isHeader ? 0 : ordinal
    }

    static func < (left: Place, right: Place) -> Bool {
      (left.exchange, left.section, left.name, left.ordinal)
        < (right.exchange, right.section, right.name, right.ordinal)
    }
  }

  /// An exchange without the numbers of its placeholders, by which it is compared; its epoch may depend on the arrival.
  private struct Exchange {
    let line: String
    let body: Data
    let status: Int
    let answer: Data

    init(_ exchange: RecordedExchange) {
      let request = exchange.request
      line = Placeholders.unnumbered("\(request.path) \(request.method) \(request.query ?? "")")
      body = Placeholders.unnumbered(request.body)
      status = exchange.answer.status
      answer = Placeholders.unnumbered(exchange.answer.body)
    }

    static func < (left: Exchange, right: Exchange) -> Bool {
      if left.line != right.line { return left.line < right.line }
      if left.body != right.body { return left.body.lexicographicallyPrecedes(right.body) }
      if left.status != right.status { return left.status < right.status }
      return left.answer != right.answer && left.answer.lexicographicallyPrecedes(right.answer)
    }
  }
}
