/// Finds secret values in texts, as they are and in base64.
///
/// Values may be added later: the search has levels, each over at most half as many values as the one before it, so that an addition doesn't
/// build all of them again.
struct SecretSearch: Sendable {
  /// A value, with the index of its secret.
  struct Value: Sendable {
    let text: [UInt8]
    let secret: Int
  }

  /// A form of a value.
  struct Needle: Sendable {
    let secret: Int
    /// In base64, the number of characters of its first group that are in front of it; `nil` for the value as it is.
    let base64Offset: Int?
    /// Whether it has digits only: then it isn't a part of a longer number.
    let isNumber: Bool
  }

  private struct Level: Sendable {
    let values: [Value]
    let search: ByteSearch
    let needles: [Needle]

    init(_ values: [Value]) {
      self.values = values
      // Values before their forms in base64: credentials that were sent in base64 are found as they are.
      var texts = values.map(\.text)
      var needles = values.map {
        Needle(secret: $0.secret, base64Offset: nil, isNumber: $0.text.allSatisfy { 0x30...0x39 ~= $0 })
      }
      for value in values {
        for core in Base64.cores(of: value.text) {
          texts.append(core.text)
          needles.append(Needle(secret: value.secret, base64Offset: core.offset, isNumber: false))
        }
      }
      search = ByteSearch(texts)
      self.needles = needles
    }
  }

  private var levels: [Level] = []

  var isEmpty: Bool { levels.isEmpty }

  /// Adds values; of equal ones, the first is found.
  mutating func add(_ values: [Value]) {
    guard !values.isEmpty else { return }
    var values = values
    while let smallest = levels.last, smallest.values.count <= 2 * values.count {
      values = smallest.values + values
      levels.removeLast()
    }
    levels.append(Level(values))
  }

  /// The values in a text, leftmost first and longest at its place, without overlaps.
  func matches(in text: [UInt8]) -> [(range: Range<Int>, needle: Needle)] {
    var matches = levels.flatMap { level in
      level.search.matches(in: text).map { (range: $0.range, needle: level.needles[$0.needle]) }
    }
    matches.removeAll { $0.needle.isNumber && text.continuesNumber(at: $0.range) }
    guard levels.count > 1 else { return matches }
    return matches.longestWithoutOverlaps(\.range)
  }
}

extension [UInt8] {
  /// Whether digits are in front of a range or behind it.
  fileprivate func continuesNumber(at range: Range<Int>) -> Bool {
    func isDigit(_ index: Int) -> Bool { indices.contains(index) && 0x30...0x39 ~= self[index] }
    return isDigit(range.lowerBound - 1) || isDigit(range.upperBound)
  }
}
