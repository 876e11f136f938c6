#if !canImport(ObjectiveC)
  import XCTest

  extension TestCaseReference {
    /// Whether XCTest has taken the test's teardown blocks, so that adding another ends the process.
    ///
    /// XCTest doesn't tell, so this reads its stored properties (swift-corelibs-xctest, `XCTestCase.TeardownBlocksState`).
    var hasTakenTeardownBlocks: Bool {
      guard let place = Self.teardownBlocks, let value, let children = Self.stored(of: value),
        children.count > place
      else { return false }
      let blocks = children[children.index(children.startIndex, offsetBy: place)].value
      return Mirror(reflecting: blocks).descendant("wasFinalized") as? Bool ?? false
    }

    /// The index of the teardown blocks among the stored properties; `nil` if this XCTest has no property with that name.
    ///
    /// Found in another test case: a running one changes the preceding properties on its own thread.
    private static let teardownBlocks: Int? =
      stored(of: XCTestCase(name: "") { _ in })?.enumerated().first { $0.element.label == "teardownBlocksState" }?
      .offset

    /// The stored properties of `XCTestCase`; each is read on access.
    private static func stored(of testCase: XCTestCase) -> Mirror.Children? {
      var mirror: Mirror? = Mirror(reflecting: testCase)
      while let current = mirror, current.subjectType != XCTestCase.self { mirror = current.superclassMirror }
      return mirror?.children
    }
  }
#endif
