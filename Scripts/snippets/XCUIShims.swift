// As much of XCUITest's interface as the documentation's code uses, for compilers without it.

@MainActor
package final class XCUIApplication {
  package var launchEnvironment: [String: String] = [:]
  package var launchArguments: [String] = []
  package var buttons: XCUIElementQuery { XCUIElementQuery() }
  package var staticTexts: XCUIElementQuery { XCUIElementQuery() }
  package var cells: XCUIElementQuery { XCUIElementQuery() }

  package init() {}

  package func launch() {}
  package func terminate() {}
  package func activate() {}
}

@MainActor
package struct XCUIElementQuery {
  package subscript(_ identifier: String) -> XCUIElement { XCUIElement() }
}

@MainActor
package struct XCUIElement {
  package var exists: Bool { true }
  package func tap() {}
  package func waitForExistence(timeout: Double) -> Bool { true }
}
