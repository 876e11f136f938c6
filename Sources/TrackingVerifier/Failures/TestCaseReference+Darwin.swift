#if canImport(ObjectiveC)
  extension TestCaseReference {
    /// Whether XCTest has taken the test's teardown blocks, which Apple's doesn't tell.
    var hasTakenTeardownBlocks: Bool { false }
  }
#endif
