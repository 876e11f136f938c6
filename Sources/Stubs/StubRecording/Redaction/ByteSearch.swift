/// Finds many texts in one pass: at each match of a text's first eight bytes, one bounded lookup for each length decides.
struct ByteSearch: Sendable {
  struct Match {
    let range: Range<Int>
    let needle: Int
  }

  /// Shorter texts can't be found; of longer ones only the beginning is compared.
  private static let (shortest, longest) = (8, 1_024)

  private let needles: [[UInt8]]
  private var known: [[UInt8]: Int] = [:]
  /// The lengths of needles by their first eight bytes, longest first.
  private var lengths: [UInt64: [Int]] = [:]
  private var mayBegin = [Bool](repeating: false, count: 1 << 16)

  /// Of equal texts, the first is found.
  init(_ needles: [[UInt8]]) {
    self.needles = needles
    for (index, needle) in needles.enumerated() where needle.count >= Self.shortest {
      let head = Array(needle.prefix(Self.longest))
      if known[head] != nil { continue }
      known[head] = index
      let start = needle.prefix(Self.shortest).reduce(0) { $0 << 8 | UInt64($1) }
      if lengths[start]?.contains(head.count) != true { lengths[start, default: []].append(head.count) }
      mayBegin[Self.hash(start)] = true
    }
    lengths = lengths.mapValues { $0.sorted(by: >) }
  }

  /// The leftmost matches, the longest at each place, without overlaps.
  func matches(in text: [UInt8]) -> [Match] {
    guard !known.isEmpty else { return [] }
    var matches: [Match] = []
    text.withUnsafeBufferPointer { text in
      mayBegin.withUnsafeBufferPointer { mayBegin in
        var window: UInt64 = 0
        var (index, free) = (0, 0)
        while index < text.count {
          window = window &<< 8 | UInt64(text[index])
          index &+= 1
          guard mayBegin[Self.hash(window)], index - free >= Self.shortest,
            let match = match(beginningWith: window, at: index - Self.shortest, in: text)
          else { continue }
          matches.append(match)
          index = match.range.upperBound
          free = index
        }
      }
    }
    return matches
  }

  private func match(beginningWith start: UInt64, at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Match? {
    for length in lengths[start] ?? [] where index + length <= text.count {
      guard let needle = known[Array(text[index..<index + length])] else { continue }
      let rest = zip(needles[needle].dropFirst(length), text[(index + length)...]).prefix { $0 == $1 }
      return Match(range: index..<index + length + Array(rest).count, needle: needle)
    }
    return nil
  }

  private static func hash(_ start: UInt64) -> Int {
    Int(truncatingIfNeeded: (start &* 0x9E37_79B9_7F4A_7C15) &>> 48)
  }
}
