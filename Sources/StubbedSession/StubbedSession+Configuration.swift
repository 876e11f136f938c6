import Foundation

/// For sessions with a delegate, and for libraries that make their sessions themselves.
///
/// ```swift
/// let session = URLSession(configuration: StubbedSession.configuration(stubs: stubs), delegate: delegate, delegateQueue: nil)
/// ```
extension StubbedSession {
  /// A configuration that answers from the scenario and the table that were handed over; `nil` when nothing was.
  public static func configuration<Scenario: StubScenario & CaseIterable & RawRepresentable<String>>(
    scenarios: Scenario.Type, unmatched: Unmatched = .fail, folder: StubFolder? = .bundle(.main),
    configuration: URLSessionConfiguration = .default, arguments: [String] = ProcessInfo.processInfo.arguments,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URLSessionConfiguration? {
    StubsAtLaunch(arguments: arguments, environment: environment).stubs(of: scenarios, folder: folder)
      .map { configuration.answering(from: $0, unmatched, .system, ProblemReport(arguments, environment)) }
  }

  /// A configuration that answers from the table that was handed over; `nil` when none was.
  public static func configuration(
    unmatched: Unmatched = .fail, configuration: URLSessionConfiguration = .default,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URLSessionConfiguration? {
    StubsAtLaunch(arguments: [], environment: environment).table()
      .map { configuration.answering(from: $0, unmatched, .system, ProblemReport([], environment)) }
  }

  /// A configuration that answers from these stubs.
  public static func configuration(
    stubs: [StubEndpoint], unmatched: Unmatched = .fail, folder: StubFolder? = .bundle(.main),
    configuration: URLSessionConfiguration = .default
  ) -> URLSessionConfiguration {
    configuration.answering(from: StubTable.prepared(stubs, folder: folder), unmatched, .system, nil)
  }
}

extension URLSessionConfiguration {
  /// A copy that asks stubs first.
  ///
  /// - Parameter report: Who else is told of what is wrong with the stubs.
  func answering(
    from stubs: Result<StubTable, StubsProblem>, _ unmatched: StubbedSession.Unmatched, _ log: SessionLog,
    _ report: ProblemReport?
  ) -> URLSessionConfiguration {
    if case .failure(let problem) = stubs {
      log.write(problem.text)
      report?.send("StubbedSession: \(problem.text)")
    }
    guard let copy = copy() as? URLSessionConfiguration else { return self }
    let session = SessionStubs(stubs, unmatched: unmatched, configuration: self, log: log)
    copy.protocolClasses = [NumberedProtocols.newClass(for: session)] + (protocolClasses ?? [])
    return copy
  }
}
