import Foundation
import StubModel

/// A text as another reader sees it, with the way back to its bytes.
struct TextView {
  let bytes: [UInt8]
  /// The encoding that was decoded first; `nil` for the text as it is.
  let coding: TextCoding?
  /// The decoded parts, the outermost encoding first.
  private let layers: [Layer]

  private struct Layer {
    /// The decoded parts, in order.
    var units: [Unit] = []

    struct Unit {
      let view: Range<Int>
      let source: Range<Int>
      let coding: TextCoding
    }

    /// The number of units that begin before an offset of the view.
    func count(before offset: Int) -> Int {
      units.indices.partition { units[$0].view.lowerBound < offset }
    }

    /// The bytes before decoding; a unit belongs to the range if any of its bytes does.
    func source(of range: Range<Int>) -> Range<Int> {
      let before = count(before: range.lowerBound + 1)
      var start = range.lowerBound
      if before > 0 {
        let unit = units[before - 1]
        start =
          start < unit.view.upperBound
          ? unit.source.lowerBound : unit.source.upperBound + start - unit.view.upperBound
      }
      guard !range.isEmpty else { return start..<start }
      let upTo = count(before: range.upperBound)
      guard upTo > 0 else { return start..<range.upperBound }
      let unit = units[upTo - 1]
      return start..<unit.source.upperBound + max(range.upperBound - unit.view.upperBound, 0)
    }

    /// Whether something percent-encoded is in a range.
    func hasPercent(in range: Range<Int>) -> Bool {
      var index = count(before: range.lowerBound)
      if index > 0, units[index - 1].view.upperBound > range.lowerBound { index -= 1 }
      while index < units.count, units[index].view.lowerBound < range.upperBound {
        if units[index].coding == .percent || units[index].coding == .form { return true }
        index += 1
      }
      return false
    }
  }

  init(_ text: [UInt8]) {
    self.init(bytes: text, coding: nil, layers: [])
  }

  private init(bytes: [UInt8], coding: TextCoding?, layers: [Layer]) {
    self.bytes = bytes
    self.coding = coding
    self.layers = layers
  }

  /// The view without some encodings; `nil` if nothing in it is encoded.
  func decoded(_ codings: [TextCoding]) -> TextView? {
    bytes.withUnsafeBufferPointer { text in
      // Those whose first byte isn't in the text would only take time.
      let codings = codings.filter { coding in coding.firstBytes.contains { text.place(of: $0, from: 0) != nil } }
      let firstBytes = codings.flatMap(\.firstBytes)
      var (decoded, layer): ([UInt8], Layer) = ([], Layer())
      var (index, copied) = (0, 0)
      var unit: [UInt8] = []
      while let next = text.place(ofAny: firstBytes, from: index) {
        index = next + 1
        for coding in codings {
          guard let length = coding.decode(text, at: next, into: &unit) else { continue }
          if layer.units.isEmpty { decoded.reserveCapacity(text.count) }
          decoded += UnsafeBufferPointer(rebasing: text[copied..<next])
          layer.units.append(
            Layer.Unit(view: decoded.count..<decoded.count + unit.count, source: next..<next + length, coding: coding))
          decoded += unit
          unit.removeAll(keepingCapacity: true)
          (index, copied) = (next + length, next + length)
          break
        }
      }
      guard let first = layer.units.first?.coding else { return nil }
      decoded += UnsafeBufferPointer(rebasing: text[copied...])
      return TextView(bytes: decoded, coding: coding ?? first, layers: layers + [layer])
    }
  }

  /// The ways in which a text can be read: as it is, without one of its encodings, and without several, one inside of the other.
  static func all(of text: [UInt8]) -> [TextView] {
    let plain = TextView(text)
    guard text.count >= ByteSearch.shortest, isEncoded(text) else { return [plain] }
    let single = [TextCoding.percent, .escapes, .references].compactMap { plain.decoded([$0]) }
    let hasPlus = text.withUnsafeBufferPointer { $0.place(of: UInt8(ascii: "+"), from: 0) != nil }
    let form = hasPlus ? plain.decoded([.form]) : nil
    return [plain] + single + [form].compactMap(\.self) + nested(of: text).dropFirst(single.count > 1 ? 0 : 1)
  }

  /// Whether anything may be encoded, which in most texts nothing is.
  private static func isEncoded(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { text in
      text.place(of: UInt8(ascii: "%"), from: 0) != nil || text.place(of: UInt8(ascii: "\\"), from: 0) != nil
        || text.place(of: UInt8(ascii: "&"), from: 0) != nil || text.place(of: UInt8(ascii: "+"), from: 0) != nil
    }
  }

  /// A text without its encodings, again and again, because one URL may be an item of another.
  static func nested(of text: [UInt8]) -> [TextView] {
    var views: [TextView] = []
    while views.count < deepest, let next = (views.last ?? TextView(text)).decoded([.percent, .escapes, .references]) {
      views.append(next)
    }
    return views
  }

  /// The largest number of encodings inside of each other that are decoded.
  ///
  /// Without a limit, `%25252525` would take the square of its length.
  private static let deepest = 4

  /// The offsets in the text of a range of the view.
  func source(of range: Range<Int>) -> Range<Int> {
    layers.reversed().reduce(range) { $1.source(of: $0) }
  }

  /// The number of times that the bytes at a range, and the byte before them, are percent-encoded in the text.
  func percentDepth(at range: Range<Int>) -> Int {
    var (depth, outer) = (0, range)
    for layer in layers.reversed() {
      // With the `=` or `?` before it, which shows how the text around it is encoded.
      outer = max(outer.lowerBound - 1, 0)..<outer.upperBound
      if layer.hasPercent(in: outer) { depth += 1 }
      outer = layer.source(of: outer)
    }
    return depth
  }
}

extension TextCoding {
  func decoded(_ text: [UInt8]) -> [UInt8] {
    TextView(text).decoded([self])?.bytes ?? text
  }

  /// The bytes that something in this encoding begins with.
  fileprivate var firstBytes: [UInt8] {
    switch self {
    case .percent: [0x25]
    case .form: [0x25, 0x2B]
    case .escapes: [0x5C]
    case .references: [0x26]
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The next place of one of some bytes, each of which may begin something encoded.
  func place(ofAny bytes: [UInt8], from start: Int) -> Int? {
    if bytes.count < 2 { return bytes.first.flatMap { place(of: $0, from: start) } }
    var index = start
    while index < count {
      let byte = self[index]
      if byte == 0x25 || byte == 0x26 || byte == 0x2B || byte == 0x5C, bytes.contains(byte) { return index }
      index &+= 1
    }
    return nil
  }
}
