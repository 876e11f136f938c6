import TestSupport

@testable import TrackingJSON

/// The reader against Foundation's: what both accept they read alike.
final class JSONAgreementTests: XCTestCase {
  func testRandomValuesAreReadAsFoundationReadsThem() {
    var random = RandomCases.generator(seed: 1)
    for _ in 0..<RandomCases.count(400) {
      let text = Self.text(&random, depth: 0)
      XCTAssertTrue(agrees(Array(text.utf8)), "refused: \(text)")
    }
  }

  func testRandomlySpoiledTextsAreReadAsFoundationReadsThemOrRefused() {
    var random = RandomCases.generator(seed: 2)
    let spoilers = Array("{}[]\",:0123456789.eE+-tfn\\u/ \n\0\u{7F}".utf8) + [0x80, 0xC3, 0xED, 0xA0, 0xEF, 0xFF]
    var accepted = 0
    for _ in 0..<RandomCases.count(1_500) {
      var bytes = Array(Self.text(&random, depth: 0).utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = spoilers.randomElement(using: &random)!
        case 1: bytes.insert(spoilers.randomElement(using: &random)!, at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      if agrees(bytes) { accepted += 1 }
    }
    // Otherwise the texts are all spoiled, or one of the readers refuses everything, and nothing is compared.
    XCTAssertGreaterThan(accepted, RandomCases.count(150))
    XCTAssertLessThan(accepted, RandomCases.count(1_350))
  }

  func testRandomNumbersAreReadAsFoundationReadsThem() {
    var random = RandomCases.generator(seed: 3)
    for _ in 0..<RandomCases.count(3_000) {
      let bits = Double(bitPattern: .random(in: .min ... .max, using: &random))
      if bits.isFinite { check("\(bits)", is: bits) }
      let int = Int.random(in: .min ... .max, using: &random)
      XCTAssertEqual(JSONParsing("\(int)").description, "int \(int)")
      let digits = (0..<Int.random(in: 1...40, using: &random)).map { _ in "\(Int.random(in: 0...9, using: &random))" }
      let text = "1.\(digits.joined())e\(Int.random(in: -320...320, using: &random))"
      if let expected = Double(text), expected.isFinite, expected != 0 {
        check(text, is: expected)
      } else {
        XCTAssertTrue(JSONParsing(text).isError, text)
      }
    }
  }

  private func check(_ text: String, is expected: Double, file: StaticString = #filePath, line: UInt = #line) {
    switch JSONParsing(text) {
    // A whole number is carried exactly, whatever the distance to the nearest double.
    case .value(.int(let value)): XCTAssertEqual(Double(value), expected, text, file: file, line: line)
    case .value(.unsigned(let value)): XCTAssertEqual(Double(value), expected, text, file: file, line: line)
    case .value(let value): XCTAssertEqual(value, .double(expected), text, file: file, line: line)
    case .error(let error): XCTFail("\(text): \(error)", file: file, line: line)
    }
  }

  func testValuesWrittenByTheModelAreReadUnchanged() {
    var random = RandomCases.generator(seed: 4)
    for _ in 0..<RandomCases.count(300) {
      let text = Self.text(&random, depth: 0)
      guard case .value(let value) = JSONParsing(text) else { return XCTFail("refused: \(text)") }
      var writer = JSONWriter()
      writer.write(value)
      XCTAssertEqual(JSONParsing(writer.bytes), .value(value))
    }
  }

  /// Compares the results of the two readers of a text; `false` if either refuses it, or Foundation isn't exact.
  private func agrees(_ bytes: [UInt8], file: StaticString = #filePath, line: UInt = #line) -> Bool {
    // Foundation on Linux reads 17126374911223347.46 as the integer 17126374911223347, and the nearest double is …348.
    guard !String(decoding: bytes, as: UTF8.self).contains(/[0-9]{16,}\.[0-9]/) else { return false }
    guard case .value(let value) = JSONParsing(bytes),
      let expected = try? JSONDecoder().decode(TrackingValue.self, from: Data(bytes))
    else { return false }
    XCTAssertEqual(value, expected, String(decoding: bytes, as: UTF8.self), file: file, line: line)
    return true
  }

  /// A JSON text: now and then with white space, escapes and characters of all planes.
  private static func text(_ random: inout SeededGenerator, depth: Int) -> String {
    let space = ["", "", "", " ", "\n", "\t \r\n"].randomElement(using: &random)!
    let kind = Int.random(in: 0..<(depth > 4 ? 6 : 8), using: &random)
    let count = Int.random(in: 0...4, using: &random)
    switch kind {
    case 0: return space + ["null", "true", "false"].randomElement(using: &random)!
    case 1, 2: return space + number(&random)
    case 3, 4, 5: return space + string(&random)
    case 6:
      return space + "[" + (0..<count).map { _ in text(&random, depth: depth + 1) }.joined(separator: ",") + space + "]"
    default:
      let members = (0..<count).map { index in
        // Numbered, so that each is unique.
        "\"\(index)" + string(&random).dropFirst() + space + ":" + text(&random, depth: depth + 1)
      }
      return space + "{" + members.joined(separator: ",") + space + "}"
    }
  }

  private static func number(_ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: "\(Int.random(in: -1_000...1_000, using: &random))"
    case 1: "\(Int.random(in: .min ... .max, using: &random))"
    case 2: "\(UInt64.random(in: .min ... .max, using: &random))"
    case 3: "\(Double.random(in: -1e6...1e6, using: &random))"
    default:
      "\(Int.random(in: -99...99, using: &random)).\(UInt32.random(in: .min ... .max, using: &random))E\(Int.random(in: -30...30, using: &random))"
    }
  }

  private static func string(_ random: inout SeededGenerator) -> String {
    let pieces = (0..<Int.random(in: 0...6, using: &random)).map { _ -> String in
      switch Int.random(in: 0..<6, using: &random) {
      case 0: [#"\n"#, #"\""#, #"\\"#, #"\/"#, #"\u00e9"#, #"\uD83D\uDE00"#, #"\u0000"#].randomElement(using: &random)!
      case 1: ["ä", "日", "😀", "e\u{301}", "\u{10FFFF}"].randomElement(using: &random)!
      default: ["a", "screen", "_", " ", "0"].randomElement(using: &random)!
      }
    }
    return "\"" + pieces.joined() + "\""
  }
}
