import Foundation

/// Finds many texts at once in bytes, in one pass.
struct ByteSearch: Sendable {
  private let needles: [[UInt8]]
  /// The needles by their first four bytes, the longest first.
  private var buckets: [UInt32: [Int]] = [:]
  /// A bit for each pair of bytes that begins a needle.
  private var pairs = [UInt64](repeating: 0, count: 1024)

  struct Match {
    let range: Range<Int>
    let needle: Int
  }

  /// A search for texts of at least four bytes.
  init(_ needles: [[UInt8]]) {
    self.needles = needles
    for (index, needle) in needles.enumerated() where needle.count >= 4 {
      buckets[Self.start(needle, 0), default: []].append(index)
      let pair = Int(needle[0]) << 8 | Int(needle[1])
      pairs[pair >> 6] |= 1 << UInt64(pair & 63)
    }
    for start in buckets.keys { buckets[start]?.sort { (-needles[$0].count, $0) < (-needles[$1].count, $1) } }
  }

  var isEmpty: Bool { buckets.isEmpty }

  /// The matches, leftmost first and longest at its place, without overlaps.
  func matches(in text: [UInt8]) -> [Match] {
    guard !isEmpty else { return [] }
    var matches: [Match] = []
    text.withUnsafeBufferPointer { text in
      pairs.withUnsafeBufferPointer { pairs in
        var index = 0
        while index + 4 <= text.count {
          let pair = Int(text[index]) << 8 | Int(text[index + 1])
          if pairs[pair >> 6] & 1 << UInt64(pair & 63) != 0, let match = match(at: index, in: text) {
            matches.append(match)
            index = match.range.upperBound
          } else {
            index += 1
          }
        }
      }
    }
    return matches
  }

  private func match(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Match? {
    for needle in buckets[Self.start(text, index)] ?? [] {
      let end = index + needles[needle].count
      if end <= text.count, text[index..<end].elementsEqual(needles[needle]) {
        return Match(range: index..<end, needle: needle)
      }
    }
    return nil
  }

  private static func start(_ text: some RandomAccessCollection<UInt8>, _ index: Int) -> UInt32 {
    (0..<4).reduce(0) { start, byte in start << 8 | UInt32(text[text.index(text.startIndex, offsetBy: index + byte)]) }
  }
}

/// A text as another reader sees it, with the way back to its bytes.
struct TextView {
  let bytes: [UInt8]
  let form: SecretLeak.Form
  /// For each byte and the end, its offset in the source; `nil` if the view is the source.
  private let offsets: [Int]?

  /// The offsets in the source of a range of the view.
  func source(of range: Range<Int>) -> Range<Int> {
    offsets.map { $0[range.lowerBound]..<$0[range.upperBound] } ?? range
  }

  /// The text as it is, and without percent-encoding and escapes where it has any.
  static func all(of text: [UInt8]) -> [TextView] {
    var views = [TextView(bytes: text, form: .plain, offsets: nil)]
    if text.contains(UInt8(ascii: "%")) {
      views.append(TextView(text, .percentEncoded) { PercentText.byte(in: text, at: $0) })
    }
    // In a form, a plus sign is a space. It may be the only thing in it that is encoded.
    if text.contains(UInt8(ascii: "+")) {
      views.append(
        TextView(text, .percentEncoded) { index in
          text[index] == UInt8(ascii: "+") ? ([UInt8(ascii: " ")], 1) : PercentText.byte(in: text, at: index)
        })
    }
    if text.contains(UInt8(ascii: "\\")) {
      views.append(TextView(text, .escaped) { EscapedText.scalar(in: text, at: $0) })
    }
    return views
  }

  private init(bytes: [UInt8], form: SecretLeak.Form, offsets: [Int]?) {
    self.bytes = bytes
    self.form = form
    self.offsets = offsets
  }

  /// A view by a rule that decodes what begins at an offset; `nil` keeps the byte.
  private init(_ text: [UInt8], _ form: SecretLeak.Form, decode: (Int) -> (bytes: [UInt8], length: Int)?) {
    var bytes: [UInt8] = []
    var offsets: [Int] = []
    bytes.reserveCapacity(text.count)
    offsets.reserveCapacity(text.count + 1)
    var index = 0
    while index < text.count {
      let (decoded, length) = decode(index) ?? ([text[index]], 1)
      bytes += decoded
      offsets += decoded.map { _ in index }
      index += length
    }
    self.init(bytes: bytes, form: form, offsets: offsets + [index])
  }
}

/// Percent-encoding (RFC 3986 2.1) of bytes.
enum PercentText {
  /// The byte that a percent sign encodes.
  static func byte(in text: [UInt8], at index: Int) -> (bytes: [UInt8], length: Int)? {
    guard text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = hex(text[index + 1]),
      let low = hex(text[index + 2])
    else { return nil }
    return ([high << 4 | low], 3)
  }

  static func decoded(_ text: [UInt8], plusIsSpace: Bool = false) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if plusIsSpace, text[index] == UInt8(ascii: "+") {
        decoded.append(UInt8(ascii: " "))
        index += 1
      } else if let (bytes, length) = byte(in: text, at: index) {
        decoded += bytes
        index += length
      } else {
        decoded.append(text[index])
        index += 1
      }
    }
    return decoded
  }

  /// Encodes everything but unreserved characters (RFC 3986 2.3).
  static func encoded(_ text: [UInt8]) -> [UInt8] {
    text.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        [byte]
      default: [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
      }
    }
  }

  static func hex(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

/// The escapes of JSON strings (RFC 8259 7), read leniently: what isn't an escape is text.
private enum EscapedText {
  static func scalar(in text: [UInt8], at index: Int) -> (bytes: [UInt8], length: Int)? {
    guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else { return nil }
    switch text[index + 1] {
    case UInt8(ascii: "n"): return ([10], 2)
    case UInt8(ascii: "r"): return ([13], 2)
    case UInt8(ascii: "t"): return ([9], 2)
    case UInt8(ascii: "b"): return ([8], 2)
    case UInt8(ascii: "f"): return ([12], 2)
    case UInt8(ascii: "u"):
      guard let unit = unit(in: text, at: index) else { return nil }
      if let scalar = Unicode.Scalar(unit) { return (Array(UTF8.encode(scalar) ?? .init()), 6) }
      guard UTF16.isLeadSurrogate(unit), let low = self.unit(in: text, at: index + 6), UTF16.isTrailSurrogate(low)
      else { return nil }
      return (Array(UTF8.encode(UTF16.decode(UTF16.EncodedScalar([unit, low]))) ?? .init()), 12)
    case let other: return ([other], 2)
    }
  }

  private static func unit(in text: [UInt8], at index: Int) -> UInt16? {
    guard index + 6 <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
      return nil
    }
    return text[index + 2..<index + 6].reduce(UInt16?.some(0)) { unit, byte in
      guard let unit, let digit = PercentText.hex(byte) else { return nil }
      return unit << 4 | UInt16(digit)
    }
  }
}
