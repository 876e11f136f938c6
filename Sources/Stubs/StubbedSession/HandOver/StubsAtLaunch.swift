/// The stubs that were handed over to this process at its launch.
struct StubsAtLaunch {
  let arguments: [String]
  let environment: [String: String]

  /// The stubs of the named scenario, then those of the table; `nil` if there is neither.
  func stubs<Scenario: StubScenario & CaseIterable & RawRepresentable<String>>(
    of scenarios: Scenario.Type, folder: StubFolder?
  ) -> Result<StubTable, StubsProblem>? {
    let known = scenarios.allCases.map(\.rawValue)
    let scenario = scenarioName(known: known).map { name in
      name.flatMap { name in
        (Scenario(rawValue: name)?.stubs).map { .success($0) }
          ?? .failure(.unknownScenario(name, known: known))
      }
    }
    return table(after: scenario, folder: folder)
  }

  private func table(
    after scenario: Result<[StubEndpoint], StubsProblem>?, folder: StubFolder?
  ) -> Result<StubTable, StubsProblem>? {
    guard let scenario else { return table() }
    return scenario.flatMap { stubs in
      handedOver().flatMap { StubTable.prepared(stubs + ($0 ?? []), folder: folder) }
    }
  }

  /// The stubs of the table; `nil` without one.
  func table() -> Result<StubTable, StubsProblem>? {
    switch handedOver() {
    case .success(nil): nil
    case .success(let stubs?): StubTable.prepared(stubs, folder: nil)
    case .failure(let problem): .failure(problem)
    }
  }

  /// The name behind `-StubScenario`; `nil` without the argument.
  ///
  /// - Parameter known: The names that there are, for the message.
  private func scenarioName(known: [String]) -> Result<String, StubsProblem>? {
    guard let index = arguments.firstIndex(of: StubsHandOver.scenarioArgument) else { return nil }
    return index + 1 < arguments.count ? .success(arguments[index + 1]) : .failure(.noScenarioNamed(known: known))
  }

  private func handedOver() -> Result<[StubEndpoint]?, StubsProblem> {
    do throws(HandOverError) {
      return .success(try StubsHandOver.stubs(in: environment))
    } catch {
      return .failure(StubsProblem(text: error.reason))
    }
  }
}

/// The reason that requested stubs can't be used.
struct StubsProblem: Error, Hashable, Sendable {
  /// The reason, for the log, the failed requests and the test.
  let text: String

  static func unknownScenario(_ name: String, known: [String]) -> StubsProblem {
    let others = known.isEmpty ? "there are none" : "there are \(known.joined(separator: ", "))"
    return StubsProblem(text: "there is no scenario \"\(name)\"; \(others)")
  }

  static func noScenarioNamed(known: [String]) -> StubsProblem {
    let others = known.isEmpty ? "" : "; there are \(known.joined(separator: ", "))"
    return StubsProblem(text: "\(StubsHandOver.scenarioArgument) is not followed by a name\(others)")
  }

  static func unusable(_ stub: StubEndpoint, _ error: StubError) -> StubsProblem {
    StubsProblem(text: "the stub \(stub) can't be used: \(error)")
  }
}

extension StubTable {
  /// A table with stubs in the order of their installation, or what is wrong with the first one that can't be used.
  static func prepared(_ stubs: [StubEndpoint], folder: StubFolder?) -> Result<StubTable, StubsProblem> {
    var table = StubTable()
    for stub in stubs {
      do throws(StubError) {
        table.install(try PreparedStub(stub, folder: folder))
      } catch {
        return .failure(.unusable(stub, error))
      }
    }
    return .success(table)
  }
}
