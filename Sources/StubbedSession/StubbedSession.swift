import Foundation

/// Sessions that answer from stubs inside the app, without a server.
///
/// ```swift
/// enum Config {
///   // `nil` when no test and no scheme handed stubs over: then the app's own session.
///   static let urlSession = StubbedSession.urlSession(scenarios: LaunchState.self) ?? .shared
/// }
/// ```
///
/// Stubs are handed over by `-StubScenario <name>` among the launch arguments, by a table in the launch environment
/// (`TRACKING_STUBS`), or by both: then those of the table are the later ones. A hand-over that cannot be used, be it an unknown
/// name or a table that cannot be read, gives a session that fails every request with the reason, and never the app's own.
///
/// Each session has stubs of its own, however many there are, and a stub keeps count of its answers for all tasks of its session.
public enum StubbedSession {
  /// A session that answers from the scenario and the table that were handed over; `nil` when nothing was.
  ///
  /// Files without a folder of their own are looked for in `folder`.
  public static func urlSession<Scenario: StubScenario & CaseIterable & RawRepresentable<String>>(
    scenarios: Scenario.Type, unmatched: Unmatched = .fail, folder: StubFolder? = .bundle(.main),
    configuration: URLSessionConfiguration = .default, arguments: [String] = ProcessInfo.processInfo.arguments,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URLSession? {
    Self.configuration(
      scenarios: scenarios, unmatched: unmatched, folder: folder, configuration: configuration, arguments: arguments,
      environment: environment
    ).map { URLSession(configuration: $0) }
  }

  /// A session that answers from the table that was handed over; `nil` when none was.
  public static func urlSession(
    unmatched: Unmatched = .fail, configuration: URLSessionConfiguration = .default,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URLSession? {
    Self.configuration(unmatched: unmatched, configuration: configuration, environment: environment)
      .map { URLSession(configuration: $0) }
  }

  /// A session that answers from these stubs, for previews and unit tests.
  ///
  /// With a stub that cannot be used, such as one whose file is missing, every request fails with the reason.
  public static func urlSession(
    stubs: [StubEndpoint], unmatched: Unmatched = .fail, folder: StubFolder? = .bundle(.main),
    configuration: URLSessionConfiguration = .default
  ) -> URLSession {
    URLSession(
      configuration: Self.configuration(
        stubs: stubs, unmatched: unmatched, folder: folder, configuration: configuration))
  }
}
