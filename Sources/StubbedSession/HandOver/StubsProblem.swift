/// Why stubs that were asked for cannot be used.
struct StubsProblem: Error, Hashable, Sendable {
  /// The reason in words, for the log, the failed requests and the test.
  let text: String

  static func unknownScenario(_ name: String, known: [String]) -> StubsProblem {
    let others = known.isEmpty ? "there are none" : "there are \(known.joined(separator: ", "))"
    return StubsProblem(text: "there is no scenario \"\(name)\"; \(others)")
  }

  static func noScenarioNamed(known: [String]) -> StubsProblem {
    StubsProblem(
      text: "\(StubsHandOver.scenarioArgument) stands without a name; there are \(known.joined(separator: ", "))"
    )
  }

  static func unusable(_ stub: StubEndpoint, _ error: StubError) -> StubsProblem {
    StubsProblem(text: "the stub \(stub) cannot be used: \(error)")
  }
}
