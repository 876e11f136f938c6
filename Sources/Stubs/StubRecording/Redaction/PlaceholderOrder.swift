import Foundation
import StubModel

/// The order of a recording's secrets: that of their places in the recording, so it doesn't depend on the order in which requests arrived.
struct PlaceholderOrder {
  /// The placeholders, each once.
  let placeholders: [String]

  /// - Parameters:
  ///   - exchanges: The exchanges with any distinct placeholders.
  ///   - positions: Where the placeholders are.
  init(_ exchanges: [RecordedExchange], _ positions: [RedactedPosition]) {
    var ranks: [Int: Int] = [:]
    for (rank, index) in ExchangeOrder.indices(of: exchanges).enumerated() { ranks[index] = rank }
    let places = positions.enumerated().map { ordinal, position in
      // Header fields and cookies come in any order, so their names decide.
      let isHeader = position.place.hasPrefix("request header") || position.place.hasPrefix("answer header")
      let section = (position.place.hasPrefix("request") ? 0 : 2) + (isHeader ? 0 : 1)
      let name = isHeader ? Placeholders.unnumbered(position.place) : ""
      return (key: (ranks[position.exchange] ?? 0, section, name, ordinal), placeholder: position.placeholder)
    }
    var known: Set<String> = []
    placeholders = places.sorted { $0.key < $1.key }.map(\.placeholder).filter { known.insert($0).inserted }
  }
}
