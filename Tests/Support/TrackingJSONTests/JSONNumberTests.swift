import TestSupport
@testable import TrackingJSON

/// RFC 8259 6, at all edges.
final class JSONNumberTests: XCTestCase {
  func testIntegersAreExactToBothEndsOf64Bits() {
    check("0", "int 0")
    check("-0", "int 0")
    check("7", "int 7")
    check("-7", "int -7")
    check("10", "int 10")
    check("9007199254740992", "int 9007199254740992")
    check("9007199254740993", "int 9007199254740993")
    check("-9007199254740993", "int -9007199254740993")
    check("9223372036854775807", "int 9223372036854775807")
    check("-9223372036854775808", "int -9223372036854775808")
    check("9223372036854775808", "unsigned 9223372036854775808")
    check("18446744073709551615", "unsigned 18446744073709551615")
  }

  func testNumbersThatNoValueHoldsAreTheNearestOnesIfThatIsAllowed() throws {
    for (text, value): (String, TrackingValue) in [
      ("123456789012345678901234", .double(1.2345678901234568e23)),
      ("-18446744073709551617", .double(-18446744073709551616)),
      ("1e999", .double(.greatestFiniteMagnitude)), ("-1e999", .double(-.greatestFiniteMagnitude)), ("1e-999", 0),
      ("9007199254740993", 9_007_199_254_740_993),
    ] {
      let read = try JSONReader.read(Array(text.utf8), maximumDepth: 1) { (reader) throws(JSONError) in
        reader.largeNumber = .rounded
        return try reader.value()
      }
      XCTAssertEqual(read, value, text)
    }
  }

  func testAnIntegerThatNoValueHoldsIsATextIfItsDigitsCount() throws {
    for (text, value): (String, TrackingValue) in [
      ("123456789012345678901234", "123456789012345678901234 (an integer)"),
      ("-18446744073709551617", "-18446744073709551617 (an integer)"), ("18446744073709551616", 18446744073709551616.0),
      ("1e999", .double(.greatestFiniteMagnitude)), ("1.5", 1.5), ("9007199254740993", 9_007_199_254_740_993),
    ] {
      let read = try JSONReader.read(Array(text.utf8), maximumDepth: 1) { (reader) throws(JSONError) in
        reader.largeNumber = .spelled
        return try reader.value()
      }
      XCTAssertEqual(read, value, text)
    }
  }

  func testIntegersBeyond64BitsAreTakenWhereADoubleHoldsThemExactly() {
    check("18446744073709551616", "double 1.8446744073709552e+19")
    check("-9223372036854777856", "double -9.223372036854778e+18")
    check("-18446744073709551616", "double -1.8446744073709552e+19")
    check("36893488147419103232", "double 3.6893488147419103e+19")
    check("10000000000000000000000", "double 1e+22")
    check("-10000000000000000000000", "double -1e+22")
    // 2^100
    check("1267650600228229401496703205376", "double 1.2676506002282294e+30")
    check("41538374868278621028243970633760768", "double 4.153837486827862e+34")
    // 2^117, whose neighbours are further away than 64 bits can tell.
    check("166153499473114484112975882535043072", "double 1.661534994731145e+35")
    check("-166153499473114484112975882535043072", "double -1.661534994731145e+35")
    // The largest double, and 2^1023.
    check(Self.largestDouble, "double 1.7976931348623157e+308")
    check(Self.powerOf1023, "double 8.98846567431158e+307")
  }

  func testIntegersThatNeitherFormHoldsAreRefusedAndNotRounded() {
    for text in [
      "18446744073709551617", "-9223372036854775809", "-18446744073709551615", "100000000000000000000000",
      "1267650600228229401496703205377", "1267650600228229401496703205375",
      "166153499473114484112975882535043073", "166153499473114484112975882535043071",
      "166153499473114484112975882535108608",
    ] {
      check(text, "@0: neither 64 bits nor a double hold the integer \(text)")
    }
    let long = String(repeating: "9", count: 300)
    check(long, "@0: neither 64 bits nor a double hold the integer \(long.prefix(40))\u{2026}")
    check(" -" + long, "@1: neither 64 bits nor a double hold the integer -\(long.prefix(39))\u{2026}")
  }

  func testFractionsAndExponentsGiveTheNearestDouble() {
    check("0.1", "double 0.1")
    check("-0.1", "double -0.1")
    check("9.5", "double 9.5")
    check("1e22", "double 1e+22")
    check("1e23", "double 1e+23")
    check("1.7976931348623157e308", "double 1.7976931348623157e+308")
    check("-1.7976931348623157e308", "double -1.7976931348623157e+308")
    check("5e-324", "double 5e-324")
    check("2.2250738585072014e-308", "double 2.2250738585072014e-308")
    check("2.2250738585072011e-308", "double 2.225073858507201e-308")
    check("0.30000000000000004", "double 0.30000000000000004")
    check("3.141592653589793238462643383279", "double 3.141592653589793")
    check("179769313486231570000.1", "double 1.7976931348623157e+20")
    // Halfway between two doubles, and a hair above it.
    check("9007199254740993.00000000000000000000000001", "int 9007199254740994")
    check("9007199254740992.99999999999999999999999999", "int 9007199254740992")
  }

  func testWholeNumbersWrittenAsDoublesAreIntegers() {
    check("3.0", "int 3")
    check("1e3", "int 1000")
    check("1E+3", "int 1000")
    check("1200e-2", "int 12")
    check("0.1e1", "int 1")
    check("92233720368547758070e-1", "int 9223372036854775807")
    check("-922337203685477580800e-2", "int -9223372036854775808")
    check("18446744073709551615000000e-6", "unsigned 18446744073709551615")
    check("9223372036854775807.000", "int 9223372036854775807")
    check("100200.300e1", "int 1002003")
    check("9007199254740993.0", "int 9007199254740993")
    check("9007199254740993.00000000000000000000", "int 9007199254740993")
    check("0.10000000000000000000000e1", "int 1")
    check("-75.88929473E17", "int -7588929473000000000")
    check("922337203685477580.7e1", "int 9223372036854775807")
    check("-92233720368547758080e-1", "int -9223372036854775808")
    check("-9223372036854775.808e3", "int -9223372036854775808")
    check("1844674407370955161.5e1", "unsigned 18446744073709551615")
    check("1e19", "unsigned 10000000000000000000")
    check("-1e19", "double -1e+19")
    check("-0.0", "int 0")
    check("0e0", "int 0")
    check("-0e-5", "int 0")
    check("0.0e999999999999999999999999", "int 0")
    check("0e-999999999999999999999999", "int 0")
    check("1e00000000000000000000000000000000000002", "int 100")
  }

  func testNumbersThatNoDoubleHoldsAreRefused() {
    check("1e400", "@0: a double cannot hold the number 1e400")
    check("-1e309", "@0: a double cannot hold the number -1e309")
    check("1.7976931348623159e308", "@0: a double cannot hold the number 1.7976931348623159e308")
    check("1e-400", "@0: a double cannot hold the number 1e-400")
    check("-1e-400", "@0: a double cannot hold the number -1e-400")
    check("1e999999999999999999999", "@0: a double cannot hold the number 1e999999999999999999999")
    check("1e-999999999999999999999", "@0: a double cannot hold the number 1e-999999999999999999999")
    check("0." + String(repeating: "0", count: 400) + "1", "@0: a double cannot hold the number 0.\(zeros(38))\u{2026}")
  }

  func testAnInvalidNumberIsRefusedAtItsFirstWrongByte() {
    check("-", "@1: expected a digit, found the end of the text")
    check("-a", "@1: expected a digit, found \"a\"")
    check("--1", "@1: expected a digit, found \"-\"")
    check("+1", "@0: expected a value, found \"+\"")
    check(".5", "@0: expected a value, found \".\"")
    check("1.", "@2: expected a digit after the point, found the end of the text")
    check("1.e1", "@2: expected a digit after the point, found \"e\"")
    check("1e", "@2: expected a digit in the exponent, found the end of the text")
    check("1e+", "@3: expected a digit in the exponent, found the end of the text")
    check("1e-x", "@3: expected a digit in the exponent, found \"x\"")
    check("01", "@0: a number must not start with 0")
    check("-01", "@0: a number must not start with 0")
    check("00", "@0: a number must not start with 0")
    check("00.5", "@0: a number must not start with 0")
    check("1.2.3", "@3: expected the end of the text, found \".\"")
    check("1e2e3", "@3: expected the end of the text, found \"e\"")
    check("0x10", "@1: expected the end of the text, found \"x\"")
    check("1_000", "@1: expected the end of the text, found \"_\"")
    check("NaN", "@0: expected a value, found \"N\"")
    check("Infinity", "@0: expected a value, found \"I\"")
    check("-Infinity", "@1: expected a digit, found \"I\"")
    // A digit of another script.
    check("１", "@0: expected a value, found the byte 0xEF")
  }

  private static let powerOf1023 =
    "8988465674311579538646525953945123668089884894711532863671504057886633790275048156635423866120376801"
    + "0560056939935696678829394884407208311246423715319737062188883946712432742638151109800623047059726541"
    + "4760425028844190753411712314407369565552704136185816752553422931491199736229692398581524176781648121"
    + "12068608"
  private static let largestDouble =
    "1797693134862315708145274237317043567980705675258449965989174768031572607800285387605895586327668781"
    + "7154045895351438246423432132688946418276846754670353751698604991057655128207624549009038932894407586"
    + "8508455133942304583236903222948165808559332123348274797826204144723168738177180919299881250404026184"
    + "124858368"

  private func zeros(_ count: Int) -> String {
    String(repeating: "0", count: count)
  }

  private func check(
    _ text: String, _ wanted: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(JSONParsing(text).description, wanted, text.prefix(60).description, file: file, line: line)
  }
}
