#if canImport(ObjectiveC)
  extension TestCaseReference {
    /// Whether XCTest has taken the test's teardown blocks; Apple's XCTest doesn't tell.
    var hasTakenTeardownBlocks: Bool { false }
  }
#endif
