import TrackingLaunch
import TrackingModel

struct StubsAtLaunch {
  let arguments: [String]
  let environment: [String: String]

  /// The stubs of the named scenario, then those of the table; `nil` if there is neither.
  func stubs<Scenario: StubScenario & CaseIterable & RawRepresentable<String>>(
    of scenarios: Scenario.Type, folder: StubFolder?
  ) throws(StubsProblem) -> StubTable? {
    guard let argument = LaunchVariable.scenario.argument(in: arguments) else { return try table() }
    let known = scenarios.allCases.map(\.rawValue)
    guard let name = argument.value else { throw .misspelt(argument.shownText, known: known) }
    guard argument.hasValue else { throw .noScenarioNamed(known: known) }
    guard let scenario = Scenario(rawValue: name) else { throw .unknownScenario(name, known: known) }
    return try StubTable(scenario.stubs + (passed() ?? []), folder: folder)
  }

  func table() throws(StubsProblem) -> StubTable? {
    guard let stubs = try passed() else { return nil }
    return try StubTable(stubs, folder: nil)
  }

  private func passed() throws(StubsProblem) -> [StubEndpoint]? {
    do throws(StubsInEnvironmentError) {
      return try StubsInEnvironment.stubs(in: environment) { VerifierChannel(arguments, environment)?.table(named: $0) }
    } catch {
      throw StubsProblem(text: error.reason)
    }
  }
}

struct StubsProblem: Error, Hashable, Sendable {
  /// For the log, the failed requests and the test.
  let text: String

  static func unknownScenario(_ name: String, known: [String]) -> StubsProblem {
    let others = known.isEmpty ? "the app has none" : "there are \(known.joined(separator: ", "))"
    return StubsProblem(text: "there is no scenario \"\(name)\"; \(others)")
  }

  static func noScenarioNamed(known: [String]) -> StubsProblem {
    let others = known.isEmpty ? "" : "; there are \(known.joined(separator: ", "))"
    return StubsProblem(text: "-\(LaunchVariable.scenario.name) is not followed by a name\(others)")
  }

  static func misspelt(_ argument: String, known: [String]) -> StubsProblem {
    let name = LaunchVariable.scenario.name
    let others = known.isEmpty ? "" : "; there are \(known.joined(separator: ", "))"
    return StubsProblem(
      text: "the launch argument \"\(argument)\" isn't read; write -\(name) and a name, or \(name)=name\(others)")
  }

  static func unusable(_ stub: StubEndpoint, _ error: StubError) -> StubsProblem {
    StubsProblem(text: "the stub \(stub) can't be used: \(error)")
  }
}

extension StubTable {
  /// Installs stubs in order; throws the problem of the first one that can't be used.
  init(_ stubs: [StubEndpoint], folder: StubFolder?) throws(StubsProblem) {
    self.init()
    for stub in stubs {
      do throws(StubError) {
        install(try PreparedStub(stub, folder: folder))
      } catch {
        throw .unusable(stub, error)
      }
    }
  }
}
