import Foundation
import StubModel
import TrackingSecrets

/// The order of a recording's secrets, which doesn't depend on the order of its exchanges.
///
/// Secrets are compared by the places where they are: first by exchange, then by the place in it. Exchanges are compared by what they say
/// without secrets, then by the secrets in them whose order is known, as often as that tells more of them apart. The rest stays as it arrived.
struct PlaceholderOrder {
  /// The placeholders, each once.
  let placeholders: [String]
  /// For each placeholder, its places in words: `GET /a: answer body`.
  private let places: [String: [String]]

  /// - Parameters:
  ///   - exchanges: The exchanges with any distinct placeholders.
  ///   - positions: Where the placeholders are.
  init(_ exchanges: [RecordedExchange], _ positions: [RedactedPosition]) {
    let inExchanges = Dictionary(grouping: positions, by: \.exchange).mapValues { positions in
      positions.enumerated().map { (placeholder: $1.placeholder, place: Place($1.place, ordinal: $0)) }
        .sorted { $0.place < $1.place }
    }
    let alike = Dictionary(uniqueKeysWithValues: inExchanges.keys.map { ($0, Exchange(exchanges[$0])) })
    var exchangeRanks = Self.ranks(of: alike) { $0 < $1 }
    var ranks: [String: Int] = [:]
    for _ in 0..<Self.mostRounds {
      var occurrences: [String: [Occurrence]] = [:]
      for (exchange, secrets) in inExchanges {
        for (placeholder, place) in secrets {
          occurrences[placeholder, default: []].append(Occurrence(exchangeRanks[exchange] ?? 0, place))
        }
      }
      let known = Set(ranks.values).count
      ranks = Self.ranks(of: occurrences.mapValues { $0.sorted() }) { $0.lexicographicallyPrecedes($1) }
      let count = Set(ranks.values).count
      guard count > known, count < ranks.count else { break }
      exchangeRanks = Self.ranks(
        of: inExchanges.reduce(into: [:]) { holdings, next in
          holdings[next.key] = [exchangeRanks[next.key] ?? 0] + next.value.map { ranks[$0.placeholder] ?? 0 }
        }
      ) { (left: [Int], right) in left.lexicographicallyPrecedes(right) }
    }
    var arrival: [String: Int] = [:]
    for (index, position) in positions.enumerated() where arrival[position.placeholder] == nil {
      arrival[position.placeholder] = index
    }
    placeholders = arrival.keys.sorted {
      (ranks[$0] ?? 0, arrival[$0] ?? 0) < (ranks[$1] ?? 0, arrival[$1] ?? 0)
    }
    places = Dictionary(grouping: positions, by: \.placeholder).mapValues {
      $0.map { Placeholders.unnumbered("\(exchanges[$0.exchange].request.line): \($0.place)") }
    }
  }

  /// A chain of tokens, each sent for the next one, would take a round for each; its exchanges arrive in order anyway.
  private static let mostRounds = 8

  /// The places of values in their order; equal values have the same.
  private static func ranks<Key, Value>(
    of values: [Key: Value], by precedes: (Value, Value) -> Bool
  ) -> [Key: Int] {
    let sorted = values.sorted { precedes($0.value, $1.value) }
    var ranks: [Key: Int] = [:]
    for (index, (key, value)) in sorted.enumerated() {
      let isLikeTheLast = index > 0 && !precedes(sorted[index - 1].value, value)
      ranks[key] = isLikeTheLast ? ranks[sorted[index - 1].key] : index
    }
    return ranks
  }

  /// The numbers that secrets in the same places had in an earlier recording.
  ///
  /// - Parameter earlier: Its places: `GET /a: answer body: [redacted token 1]`.
  func numbers(like earlier: [String]) -> [String: Int] {
    struct Spot: Hashable {
      let place: String
      let kind: SecretKind
    }
    var known: [Spot: ArraySlice<Int>] = [:]
    for line in earlier {
      guard let end = line.range(of: ": [redacted ", options: .backwards),
        let (kind, number) = Placeholders.parts(of: line[end.lowerBound...].dropFirst(2))
      else { continue }
      let place = Placeholders.unnumbered(String(line[..<end.lowerBound]))
      known[Spot(place: place, kind: kind), default: []].append(number)
    }
    known = known.mapValues { $0.sorted()[...] }
    var taken: Set<String> = []
    var numbers: [String: Int] = [:]
    for placeholder in placeholders {
      guard let kind = Placeholders.parts(of: placeholder)?.kind else { continue }
      let free = Set(places[placeholder] ?? []).compactMap { place -> Int? in
        let spot = Spot(place: place, kind: kind)
        while let first = known[spot]?.first, taken.contains("\(kind) \(first)") { known[spot]?.removeFirst() }
        return known[spot]?.first
      }
      guard let number = free.min() else { continue }
      taken.insert("\(kind) \(number)")
      numbers[placeholder] = number
    }
    return numbers
  }

  /// A secret in an exchange.
  private struct Occurrence: Comparable {
    let exchange: Int
    let place: Place

    init(_ exchange: Int, _ place: Place) { (self.exchange, self.place) = (exchange, place) }

    static func < (left: Occurrence, right: Occurrence) -> Bool {
      left.exchange == right.exchange ? left.place < right.place : left.exchange < right.exchange
    }
  }

  /// A place in an exchange, in the order of reading; header fields and cookies, which come in any order, by their names.
  private struct Place: Comparable {
    let section: Int
    let name: String
    let ordinal: Int

    /// - Parameters:
    ///   - name: The place in words: `answer body token`.
    ///   - ordinal: The number of places in front of it.
    init(_ name: String, ordinal: Int) {
      let isHeader = name.hasPrefix("request header") || name.hasPrefix("answer header")
      section = (name.hasPrefix("request") ? 0 : 2) + (isHeader ? 0 : 1)
      self.name = isHeader ? Placeholders.unnumbered(name) : ""
      self.ordinal = isHeader ? 0 : ordinal
    }

    static func < (left: Place, right: Place) -> Bool {
      (left.section, left.name, left.ordinal) < (right.section, right.name, right.ordinal)
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
