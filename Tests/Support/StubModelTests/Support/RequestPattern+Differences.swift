import TestSupport

extension RequestPattern {
  /// The differences between the pattern and a request in words, after a check that the request matches if there are none.
  func differences(from request: ReceivedRequest) throws -> [String] {
    if let problem { throw problem }
    let differences = comparison(with: ParsedRequest(request)).differences
    XCTAssertEqual(matches(ParsedRequest(request)), differences.isEmpty, "what decides must be what explains")
    XCTAssertTrue(differences.allSatisfy { $0.weight > 0 && $0.weight <= 1 })
    return differences.map(\.reason)
  }
}
