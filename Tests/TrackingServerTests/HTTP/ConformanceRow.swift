import XCTest

@testable import TrackingServer

/// One row of a conformance table: what bytes a rule of an RFC is about, and what they must lead to.
struct ConformanceRow {
  enum Outcome {
    /// A request that is taken, with nothing left over.
    case taken(String, String, body: String = "", where: (Transcript.Request) -> Bool = { _ in true })
    case refused(Int)
    /// Not decided before more bytes arrive.
    case open
  }

  let rule: String
  let bytes: [UInt8]
  let outcome: Outcome
  let limits: TrackingServer.Limits
  let file: StaticString
  let line: UInt

  /// A row whose bytes are the Latin-1 of `text`, so that it can spell every byte.
  init(
    _ rule: String, _ text: String, _ outcome: Outcome, limits: TrackingServer.Limits = .init(),
    file: StaticString = #filePath, line: UInt = #line
  ) {
    self.rule = rule
    bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    self.outcome = outcome
    self.limits = limits
    self.file = file
    self.line = line
  }

  /// Runs the row whole, cut in two at every byte, byte by byte and, when it is taken, twice in a row.
  func verify() {
    let whole = Transcript(of: [bytes[...]], limits: limits)
    verifyOutcome(of: whole)
    for cut in bytes.indices.dropFirst() {
      let inTwo = Transcript(of: [bytes[..<cut], bytes[cut...]], limits: limits)
      XCTAssertEqual(inTwo, whole, "\(rule): cut in two at \(cut)", file: file, line: line)
    }
    let single = Transcript(of: bytes.indices.map { bytes[$0...$0] }, limits: limits)
    XCTAssertEqual(single, whole, "\(rule): byte by byte", file: file, line: line)
    if case .taken = outcome { verifyPipelined(whole) }
  }

  private func verifyOutcome(of whole: Transcript) {
    switch outcome {
    case .taken(let method, let target, let body, let condition):
      XCTAssertNil(whole.refusal, rule, file: file, line: line)
      XCTAssertEqual(whole.requests.map(\.method), [method], rule, file: file, line: line)
      XCTAssertEqual(whole.requests.map(\.target), [target], rule, file: file, line: line)
      XCTAssertEqual(whole.requests.map(\.body), [Array(body.utf8)], rule, file: file, line: line)
      XCTAssertTrue(whole.requests.allSatisfy(condition), "\(rule): \(whole)", file: file, line: line)
      XCTAssertTrue(whole.isIdle, "\(rule): bytes are left over", file: file, line: line)
    case .refused(let status):
      XCTAssertEqual(whole.refusal?.status, status, "\(rule): \(whole)", file: file, line: line)
      XCTAssertEqual(whole.requests, [], rule, file: file, line: line)
    case .open:
      XCTAssertNil(whole.refusal, rule, file: file, line: line)
      XCTAssertEqual(whole.requests, [], rule, file: file, line: line)
    }
  }

  private func verifyPipelined(_ whole: Transcript) {
    let twice = bytes + bytes
    var expected = whole
    expected.requests += whole.requests
    let pipelined = Transcript(of: [twice[...]], limits: limits)
    XCTAssertEqual(pipelined, expected, "\(rule): pipelined", file: file, line: line)
    for cut in twice.indices.dropFirst() {
      let inTwo = Transcript(of: [twice[..<cut], twice[cut...]], limits: limits)
      XCTAssertEqual(inTwo, expected, "\(rule): pipelined and cut at \(cut)", file: file, line: line)
    }
  }
}

/// Runs every row of a table.
func verify(_ rows: [ConformanceRow]) {
  for row in rows { row.verify() }
}
