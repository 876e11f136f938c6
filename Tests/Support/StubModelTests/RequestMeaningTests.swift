import TestSupport
import TrackingModel
import XCTest

@testable import StubModel

/// Requests that are equal by meaning, compared with a second evaluation that sorts what it knows before it is written.
final class RequestMeaningTests: XCTestCase {
  // MARK: Models

  private indirect enum Value {
    case null
    case bool(Bool)
    case number(Int)
    case text(String)
    case array([Value])
    case object([(name: String, value: Value)])

    /// A text that is equal for equal values.
    var normal: String {
      switch self {
      case .null: "null"
      case .bool(let value): "\(value)"
      case .number(let value): "\(value)"
      case .text(let text): quoted(text)
      case .array(let values): "[\(values.map(\.normal).joined(separator: ","))]"
      case .object(let members): "{\(sorted(members.map { (quoted($0.name), $0.value.normal) }))}"
      }
    }
  }

  private enum Body {
    case none
    case json(Value)
    case form([(name: String, value: String)])
    case parts([(name: String, fileName: String?, content: Value?, text: String)])
    case plain(String)

    var normal: String {
      switch self {
      case .none: return ""
      case .form(let fields):
        return fields.isEmpty ? "" : "form \(sorted(fields.map { (quoted($0.name), quoted($0.value)) }))"
      case .json(let value): return "json \(value.normal)"
      case .plain(let text): return text.isEmpty ? "" : "plain \(quoted(text))"
      case .parts(let parts):
        let pairs = parts.map {
          (quoted($0.name), "\($0.fileName ?? "-") \($0.content.map { "json \($0.normal)" } ?? quoted($0.text))")
        }
        return "parts \(sorted(pairs))"
      }
    }
  }

  private struct Model {
    var method: ReceivedRequest.Method = .post
    var path = "/a"
    var query: [(name: String, value: String)] = []
    var body = Body.none

    var normal: String {
      "\(method) \(path) \(sorted(query.map { (quoted($0.name), quoted($0.value)) })) \(body.normal)"
    }
  }

  // MARK: Random models

  private var random = SeededGenerator(seed: 1)

  private func pick<Element>(_ values: Element...) -> Element {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private func list<Element>(_ most: Int, _ make: () -> Element) -> [Element] {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in make() }
  }

  private func name() -> String { pick("a", "b", "c", "\u{e9}", "e\u{301}") }
  private func word() -> String { pick("", "1", "x y", "\u{fc}", "u\u{308}", "a=b&c", "\u{FFFD}") }
  private func fields() -> [(name: String, value: String)] { list(3) { (name(), word()) } }

  private func value(depth: Int = 2) -> Value {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 8), using: &random) {
    case 0: .null
    case 1: .bool(pick(true, false))
    case 2: .number(pick(0, 1, -3, 1_200, Int.max, Int.max - 1))
    case 3: .text(word())
    case 4: .array(list(3) { value(depth: depth - 1) })
    default: .object(list(4) { (name(), value(depth: depth - 1)) })
    }
  }

  private func body() -> Body {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .none
    case 1: .plain(word())
    case 2, 3: .form(fields())
    case 4:
      .parts(list(3) { (name(), pick(nil, "f.txt"), pick(nil, value(depth: 1)), pick("", "x", "{\"a\":1}")) })
    default: .json(value())
    }
  }

  private func model() -> Model {
    Model(method: pick(.post, .post, .put), path: pick("/a", "/a", "/b"), query: pick([], fields()), body: body())
  }

  /// A model that often is equal to another one.
  private func neighbour(of model: Model) -> Model {
    var other = model
    switch Int.random(in: 0..<6, using: &random) {
    case 0: other.query = shuffled(model.query)
    case 1: other.query = fields()
    case 2: other.body = body()
    case 3:
      switch model.body {
      case .json(.object(let members)): other.body = .json(.object(members.shuffled(using: &random)))
      case .json(.array(let values)): other.body = .json(.array(values.shuffled(using: &random)))
      case .form(let fields): other.body = .form(fields.shuffled(using: &random))
      case .parts(let parts): other.body = .parts(parts.shuffled(using: &random))
      case .none, .json, .plain: break
      }
    case 4: return self.model()
    default: break
    }
    return other
  }

  // MARK: Requests

  /// The same items in another order, but for those of one name.
  private func shuffled<Item>(_ items: [(name: String, value: Item)]) -> [(name: String, value: Item)] {
    reordered(items) { $0.name }
  }

  private func reordered<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
    var rest = items
    return items.shuffled(using: &random).map { item in
      let index = rest.firstIndex { Array(name($0).utf8) == Array(name(item).utf8) } ?? 0
      return rest.remove(at: index)
    }
  }

  private func space() -> String { pick("", "", " ", "\n  ") }

  private func written(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { scalar in
        pick(true, false) && scalar.value < 0x10000 || scalar == "\"" || scalar == "\\"
          ? "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
            + String(scalar.value, radix: 16)
          : String(Character(scalar))
      }.joined() + "\""
  }

  private func written(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number): pick("\(number)", "\(number).0", "\(number)e0", number == 0 ? "-0.0" : "\(number).00E+0")
    case .text(let text): written(text)
    case .array(let values): "[\(space())\(values.map { written($0) }.joined(separator: "\(space()),\(space())"))]"
    case .object(let members):
      "{\(shuffled(members).map { "\(written($0.name))\(space()):\(written($0.value))" }.joined(separator: ",\(space())"))}"
    }
  }

  private func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      if byte == UInt8(ascii: " "), pick(true, false) { return "+" }
      return byte.isLetterOrDigit && pick(true, true, false)
        ? String(UnicodeScalar(byte)) : PercentEncoding.escape(byte)
    }.joined()
  }

  private func encoded(_ fields: [(name: String, value: String)]) -> String {
    shuffled(fields).map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: pick("&", "&&"))
  }

  /// A path in one of its spellings.
  private func spelled(_ path: String) -> String {
    "/"
      + path.dropFirst().utf8.map { pick(true, false) ? PercentEncoding.escape($0) : String(UnicodeScalar($0)) }
      .joined()
  }

  private func disposition(_ name: String, _ fileName: String?) -> String {
    let name = name.isToken ? pick("name=\(name)", "name=\"\(name)\"") : "name=\"\(name)\""
    let file = fileName.map { pick("filename=\($0)", "filename=\"\($0)\"", "filename = \"\($0)\"") }
    let parameters = [name, file].compactMap(\.self).shuffled(using: &random)
    return "form-data;\(pick("", " "))" + parameters.joined(separator: ";\(pick("", " "))")
  }

  private func request(_ model: Model) -> ReceivedRequest {
    var request = ReceivedRequest(method: model.method, path: spelled(model.path))
    request.queryText = model.query.isEmpty ? pick(nil, "") : encoded(model.query)
    switch model.body {
    case .none: break
    case .plain(let text):
      request.headers["Content-Type"] = "text/plain"
      request.body = Data(text.utf8)
    case .form(let fields):
      request.headers["Content-Type"] = pick(
        "application/x-www-form-urlencoded", "Application/X-WWW-Form-urlencoded; charset=utf-8")
      request.body = Data(encoded(fields).utf8)
    case .json(let value):
      let text = written(value)
      request.headers["Content-Type"] = pick("application/json", "application/vnd.api+json; charset=utf-8")
      if text.hasPrefix("{") || text.hasPrefix("["), pick(true, false) { request.headers["Content-Type"] = nil }
      request.body = Data((pick("", "\u{FEFF}") + text).utf8)
    case .parts(let parts):
      let boundary = pick("x", "----Boundary\(UInt32.random(in: 0...9_999, using: &random))")
      request.headers["Content-Type"] = "multipart/form-data; boundary=\(boundary)"
      request.body = Data(
        (reordered(parts) { $0.name }.map { part in
          "--\(boundary)\r\n\(pick("Content-Disposition", "content-disposition")): "
            + "\(disposition(part.name, part.fileName))\r\n"
            + (part.content.map { "Content-Type: application/json\r\n\r\n\(written($0))" } ?? "\r\n\(part.text)")
            + "\r\n"
        }.joined() + "--\(boundary)--\r\n").utf8)
    }
    return request
  }

  // MARK: Tests

  func testRequestsAreEqualIfTheirModelsAre() {
    var counts = (equal: 0, different: 0)
    for seed in RandomCases.seeds(20_000) {
      random = SeededGenerator(seed: UInt64(seed))
      let model = model()
      let other = neighbour(of: model)
      let (left, right) = (request(model), request(other))
      let isEqual = model.normal.utf8.elementsEqual(other.normal.utf8)
      let texts = [left, right].map { "\($0.target) \($0.text)" }.joined(separator: "\n")
      XCTAssertEqual(RequestMeaning(of: left) == RequestMeaning(of: right), isEqual, "seed \(seed):\n\(texts)")
      XCTAssertEqual(Set([left, right].map { RequestMeaning(of: $0) }).count, isEqual ? 1 : 2, "seed \(seed)")
      if isEqual { counts.equal += 1 } else { counts.different += 1 }
      if testRun?.failureCount ?? 0 > 3 { return }
    }
    XCTAssertGreaterThan(counts.equal, 400)
    XCTAssertGreaterThan(counts.different, 400)
  }

  func testWhatCanNotBeReadIsComparedByItsBytes() {
    func meaning(_ body: String, _ type: String? = "application/json", query: String? = nil) -> RequestMeaning {
      meaning(Data(body.utf8), type, query: query)
    }
    func meaning(_ body: Data, _ type: String?, query: String? = nil) -> RequestMeaning {
      var request = ReceivedRequest(method: .post, path: "/", queryText: query, body: body)
      request.headers["Content-Type"] = type
      return RequestMeaning(of: request)
    }
    let form = "application/x-www-form-urlencoded"
    let multipart = "multipart/form-data; boundary=x"
    func part(_ bytes: [UInt8]) -> Data {
      Data("--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"".utf8) + bytes
        + Data("\"\r\n\r\n\r\n--x--".utf8)
    }
    let different: [(RequestMeaning, RequestMeaning)] = [
      (meaning("{"), meaning("{ ")), (meaning("1", "text/plain"), meaning("1.0", "text/plain")),
      (
        meaning("{\"a\":1}\n{\"b\":1}", "application/x-ndjson"), meaning("{\"b\":1}\n{\"a\":1}", "application/x-ndjson")
      ),
      // Numbers that no type holds, and texts that look like them.
      (meaning("123456789012345678901"), meaning("123456789012345678902")),
      (meaning("123456789012345678901"), meaning("\"123456789012345678901\"")), (meaning("1"), meaning("\"1\"")),
      (meaning("1"), meaning("true")), (meaning("0.1"), meaning("0.10000001")), (meaning("[]"), meaning("{}")),
      (meaning(Data("a=%FC".utf8), form), meaning(Data("a=%FD".utf8), form)),
      (meaning("", nil, query: "a=%FC"), meaning("", nil, query: "a=%FD")),
      (meaning(part([0xFC]), multipart), meaning(part([0xFD]), multipart)),
      // A part without a name is there, too.
      (meaning("--x\r\n\r\n1\r\n--x--", multipart), meaning("--x\r\n\r\n2\r\n--x--", multipart)),
    ]
    for (index, (left, right)) in different.enumerated() { XCTAssertNotEqual(left, right, "\(index)") }
    XCTAssertEqual(meaning("{\"a\":1,\"b\":2,\"a\":3}"), meaning("{\"b\":2.0,\"a\":1,\"a\":3}"))
    XCTAssertNotEqual(meaning("{\"a\":1,\"a\":3}"), meaning("{\"a\":3,\"a\":1}"))
    XCTAssertEqual(meaning("1e400"), meaning(" 1e400"))
  }

  func testTheSpellingOfAPathAndOfADispositionIsNoDifference() {
    func path(_ path: String) -> RequestMeaning { RequestMeaning(of: ReceivedRequest(method: .get, path: path)) }
    XCTAssertEqual(path("/a~b/c"), path("/%61%7Eb/c"))
    XCTAssertEqual(path("/a%2fb"), path("/a%2Fb"))
    for (left, right) in [("/a%2Fb", "/a/b"), ("/a", "/a/"), ("/%FC", "/%FD"), ("/%FC", "/%EF%BF%BD"), ("/a", "/A")] {
      XCTAssertNotEqual(path(left), path(right), "\(left), \(right)")
    }
    func part(_ disposition: String) -> RequestMeaning {
      RequestMeaning(
        of: ReceivedRequest(
          method: .post, path: "/", headers: ["Content-Type": "multipart/form-data; boundary=x"],
          body: Data("--x\r\nContent-Disposition: \(disposition)\r\n\r\n1\r\n--x--".utf8)))
    }
    let disposition = part(#"form-data; name="a"; filename="b.txt""#)
    for same in ["form-data; filename=b.txt; name=a", #"Form-Data;NAME="a";filename= "b.txt""#] {
      XCTAssertEqual(part(same), disposition, same)
    }
    for other in [
      #"form-data; name="a"; filename="b.TXT""#, #"form-data; name="a""#, "form-data; name=a; filename=b.txt; x",
      "form-data; name=a; filename=b.txt; filename=c.txt", "form-data; name=a; filename*=b.txt",
    ] { XCTAssertNotEqual(part(other), disposition, other) }
  }

  func testCodedAndCutBodies() {
    var coded = ReceivedRequest(method: .post, path: "/", body: Data("{\"a\":1}".utf8))
    coded.isCoded = true
    var other = coded
    other.body = Data("{ \"a\":1}".utf8)
    XCTAssertNotEqual(RequestMeaning(of: coded), RequestMeaning(of: other))
    XCTAssertEqual(RequestMeaning(of: coded).words, ["method", "path", "body"])
    (coded.isCoded, other.isCoded) = (false, false)
    XCTAssertEqual(RequestMeaning(of: coded), RequestMeaning(of: other))
    XCTAssertEqual(RequestMeaning(of: coded).words, ["method", "path", "JSON"])
    XCTAssertNil(RequestMeaning(of: coded).doubt)
    // Of bodies that were cut, JSON may be equal, and a text isn't.
    let doubt = RequestMeaning(of: coded, bodySize: 20)
    XCTAssertEqual(doubt.doubt, "only 7 of their 20 bytes were kept")
    other.body = Data("{\"b\":1}".utf8)
    XCTAssertEqual(doubt, RequestMeaning(of: other, bodySize: 20))
    XCTAssertNotEqual(doubt, RequestMeaning(of: other, bodySize: 21))
    (coded.headers["Content-Type"], other.headers["Content-Type"]) = ("text/plain", "text/plain")
    XCTAssertNotEqual(RequestMeaning(of: coded, bodySize: 20), RequestMeaning(of: other, bodySize: 20))
    XCTAssertEqual(
      RequestMeaning(of: ReceivedRequest(method: .get, path: "/", queryText: "a")).words, ["method", "path", "query"])
  }
}

/// The bytes of a text.
private func quoted(_ text: String) -> String { "'\(text.utf8.map { String($0, radix: 16) }.joined(separator: "."))'" }

/// Pairs sorted by their names; those of one name keep their order.
private func sorted(_ pairs: [(String, String)]) -> String {
  pairs.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map { "\($0.element)" }
    .joined(separator: ",")
}
