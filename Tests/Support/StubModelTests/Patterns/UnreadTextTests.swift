import TestSupport
import TrackingPatterns
import XCTest

@testable import StubModel

/// Random requests with bytes that aren't UTF-8, compared with all that they may mean: what is said for certain holds for each of them.
final class UnreadTextTests: XCTestCase {
  /// Stands for a byte that isn't UTF-8.
  private static let unread: Character = "\u{FFFD}"
  /// Some texts that such a byte may mean.
  private static let meanings = ["\u{fc}", "\u{e9}", "\u{65e5}\u{672c}"]

  private var random = SeededGenerator(seed: 1)

  private func pick<Element>(_ values: Element...) -> Element {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private func text() -> String { pick("f", "fr", "f\u{fc}r", "f\u{FFFD}r", "\u{FFFD}", "1", "f\u{FFFD}") }

  private func name() -> String { pick("a", "b", "\u{fc}", "\u{FFFD}") }

  private func matcher(depth: Int = 2) -> ValueMatcher {
    switch Int.random(in: 0..<(depth == 0 ? 7 : 10), using: &random) {
    case 0: .present
    case 1: .absent
    case 2: .contains(pick("f", "r", "\u{fc}"))
    case 3: .hasPrefix(pick("f", "f\u{fc}", "1"))
    case 4: .hasSuffix(pick("r", "\u{fc}r"))
    case 5: 1
    case 6: .equal(to: pick("f\u{fc}r", "fr", "\u{fc}"))
    case 7: .not(matcher(depth: depth - 1))
    case 8: .all(of: [matcher(depth: depth - 1), matcher(depth: depth - 1)])
    default: .one(of: [matcher(depth: depth - 1), matcher(depth: depth - 1)])
    }
  }

  private func wanted() -> [String: ValueMatcher] {
    Dictionary((0..<pick(1, 1, 2)).map { _ in (pick("a", "b", "\u{fc}"), matcher()) }) { $1 }
  }

  private func pattern(_ kind: Int) -> RequestPattern {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: part(kind).not()
    case 1: part(kind).and(part(kind))
    case 2: part(kind).or(part(kind))
    case 3: part(kind).or(part(kind).not())
    default: part(kind)
    }
  }

  private func part(_ kind: Int) -> RequestPattern {
    switch kind {
    case 0: .request(.post, "/a", query: pick(true, false) ? .subset(wanted()) : .exact(wanted()))
    case 1: .request(.post, "/a", query: .exactItems(ReceivedFields(items: [("a", pick("f", "f\u{fc}r"))])))
    case 2: .request(.post, "/a", headers: ["X-A": matcher(), "X-B": matcher()])
    case 3: .request(.post, "/a", cookies: wanted())
    case 4: .request(.post, "/a", body: pick(true, false) ? .form(wanted()) : .formSubset(wanted()))
    case 5: .request(.post, "/a", body: .text(matcher()))
    case 6:
      .request(
        .post, "/a",
        body: .multipart([pick("a", "\u{fc}"): pick(.text(matcher()), .file(named: matcher(), content: matcher()))]))
    default: .request(.post, pick("/a", "/f\u{fc}r", "/f/:id", "/*"))
    }
  }

  /// A request of which each unread text means one thing; `nil` for the request as it is sent.
  private func request(_ kind: Int, _ items: [(name: String, value: String)], meaning: String?) -> ReceivedRequest {
    func bytes(_ text: String) -> [UInt8] {
      text.flatMap { $0 == Self.unread ? meaning.map { Array($0.utf8) } ?? [0xFC] : Array(String($0).utf8) }
    }
    func read(_ text: String) -> String { String(decoding: bytes(text), as: UTF8.self) }
    let fields = items.map { item in
      [item.name, item.value].map { bytes($0).map { PercentEncoding.escape($0) }.joined() }.joined(separator: "=")
    }.joined(separator: "&")
    var request = ReceivedRequest(method: .post, path: "/a")
    switch kind {
    case 0, 1: request.queryText = fields
    case 2: for item in items.prefix(1) { request.headers["X-A"] = read(item.value) }
    case 3:
      request.headers["Cookie"] = items.map { "\(read($0.name))=\(read($0.value))" }.joined(separator: "; ")
    case 4: request.body = Data(fields.utf8)
    case 5: request.body = Data(bytes(items.map(\.value).joined()))
    case 6:
      request.headers["Content-Type"] = "multipart/form-data; boundary=x"
      request.body = Data(
        items.flatMap { item -> [UInt8] in
          bytes("--x\r\nContent-Disposition: form-data; name=\"") + bytes(item.name) + bytes("\"; filename=\"")
            + bytes(item.value) + bytes("\"\r\n\r\n") + bytes(item.value) + bytes("\r\n")
        } + bytes("--x--"))
    default:
      request.path =
        "/" + items.prefix(2).map { bytes($0.value).map { PercentEncoding.escape($0) }.joined() }.joined(separator: "/")
    }
    return request
  }

  func testWhatIsSaidForCertainHoldsForAllThatABytesMayMean() {
    var counts = (yes: 0, no: 0, unknown: 0)
    for seed in RandomCases.seeds(10_000) {
      random = SeededGenerator(seed: UInt64(seed))
      let kind = Int.random(in: 0..<8, using: &random)
      let items = (0..<pick(1, 1, 2, 3)).map { _ in (name: name(), value: text()) }
      let pattern = pattern(kind)
      // Refused where it is used, since two of its values exclude each other.
      guard pattern.problem == nil else { continue }
      let sent = request(kind, items, meaning: nil)
      let accepting = Self.meanings.count { pattern.matches(ParsedRequest(request(kind, items, meaning: $0))) }
      let words = "seed \(seed): \(pattern) and \(items)"
      switch pattern.match(ParsedRequest(sent)) {
      case .yes:
        counts.yes += 1
        XCTAssertEqual(accepting, Self.meanings.count, words)
      case .no:
        counts.no += 1
        XCTAssertEqual(accepting, 0, words)
      case .undecided: counts.unknown += 1
      }
      let comparison = pattern.comparison(with: ParsedRequest(sent))
      XCTAssertEqual(comparison.differences.isEmpty, pattern.matches(ParsedRequest(sent)), words)
      for part in [KnownPart.line, .head] {
        let state = pattern.look(at: ParsedRequest(sent), knowing: part).state
        guard state == .unmet || state == .met else { continue }
        XCTAssertEqual(state == .met, pattern.matches(ParsedRequest(sent)), words)
      }
      // A text that can be read is decided.
      if !items.contains(where: { $0.name.contains(Self.unread) || $0.value.contains(Self.unread) }),
        case .undecided = pattern.match(ParsedRequest(sent))
      {
        XCTFail(words)
      }
      if testRun?.failureCount ?? 0 > 3 { return }
    }
    for count in [counts.yes, counts.no, counts.unknown] { XCTAssertGreaterThan(count, 80) }
  }
}
