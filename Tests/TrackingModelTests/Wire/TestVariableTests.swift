import TestSupport

final class TestVariableTests: XCTestCase {
  func testAnEmptyVariableIsTheSameAsNone() {
    let variables: [TestVariable] = [
      .plan, .observations, .run, .flows, .record, .inspector, .mutations, .attachments,
    ]
    for variable in variables {
      XCTAssertEqual(
        [[:], [variable.name: ""], [variable.name: "value"]].map { variable.value(in: $0) }, [nil, nil, "value"],
        variable.name)
      let before = ProcessInfo.processInfo.environment[variable.name]
      defer { before.map { _ = setenv(variable.name, $0, 1) } ?? { _ = unsetenv(variable.name) }() }
      let isOn = ["", "0", "off", "1", "value"].map { value in
        setenv(variable.name, value, 1)
        return variable.isOn
      }
      XCTAssertEqual(isOn, [false, false, false, true, true], variable.name)
    }
  }
}
