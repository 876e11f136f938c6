// As much of XCUITest's interface as the documentation's code uses, for compilers without it.

@MainActor
public final class XCUIApplication {
  public var launchEnvironment: [String: String] = [:]
  public var launchArguments: [String] = []
  public var buttons: XCUIElementQuery { XCUIElementQuery() }
  public var staticTexts: XCUIElementQuery { XCUIElementQuery() }
  public var cells: XCUIElementQuery { XCUIElementQuery() }

  // A property's default value is made where no actor is known.
  nonisolated public init() {}

  public func launch() {}
  public func terminate() {}
  public func activate() {}
}

@MainActor
public struct XCUIElementQuery {
  public subscript(_ identifier: String) -> XCUIElement { XCUIElement() }
}

@MainActor
public struct XCUIElement {
  public var exists: Bool { true }
  public func tap() {}
  public func waitForExistence(timeout: Double) -> Bool { true }
}
