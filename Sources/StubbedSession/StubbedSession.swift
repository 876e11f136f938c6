import Foundation

/// Sessions that answer from stubs inside the app, without a server.
///
/// ```swift
/// enum Config {
///   // `nil` when neither a test nor a scheme handed stubs over: then the app's own session.
///   static let urlSession = StubbedSession.urlSession(scenarios: LaunchState.self) ?? .shared
/// }
/// ```
///
/// Stubs are handed over by `-StubScenario <name>` among the launch arguments, by a table in the launch environment (`TRACKING_STUBS`), or by
/// both; then the stubs of the table are the later ones. Recordings are scenarios too: see `BundledRecording` of StubReplay. If the hand-over can't be used, because of an unknown name or an unreadable table,
/// the session fails every request with the reason; the app's own session is never used instead.
///
/// Each session has its own stubs, and counts the answers of a stub for all of its tasks. The requests that a session with handed-over stubs
/// was asked are reported to the verifier that launched the app, see `TrackingVerifier.requests`.
public enum StubbedSession {
  /// The treatment of a request that no stub matches.
  public enum Unmatched: Hashable, Sendable {
    /// It fails with `URLError.unsupportedURL`, whose description names the most similar stub and what differs, as does a line in the log.
    case fail
    /// It goes where it would have gone without stubs.
    case passThrough
  }

  /// A session that answers from the scenario and the table that were handed over; `nil` if neither was.
  ///
  /// Files that don't name a folder are read from `folder`.
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

  /// A session that answers from the table that was handed over; `nil` if none was.
  public static func urlSession(
    unmatched: Unmatched = .fail, configuration: URLSessionConfiguration = .default,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URLSession? {
    Self.configuration(unmatched: unmatched, configuration: configuration, environment: environment)
      .map { URLSession(configuration: $0) }
  }

  /// A session that answers from these stubs, for previews and unit tests.
  ///
  /// ```swift
  /// let session = StubbedSession.urlSession(stubs: [StubEndpoint(.get, "/echo") { .text($0.query["text"] ?? "") }])
  /// ```
  ///
  /// If a stub can't be used, for example because its file is missing, every request fails with the reason.
  public static func urlSession(
    stubs: [StubEndpoint], unmatched: Unmatched = .fail, folder: StubFolder? = .bundle(.main),
    configuration: URLSessionConfiguration = .default
  ) -> URLSession {
    URLSession(
      configuration: Self.configuration(
        stubs: stubs, unmatched: unmatched, folder: folder, configuration: configuration))
  }
}

// MARK: - Configurations

/// For sessions with a delegate, and for libraries that make their own sessions.
///
/// ```swift
/// let session = URLSession(configuration: StubbedSession.configuration(stubs: stubs), delegate: delegate, delegateQueue: nil)
/// ```
extension StubbedSession {
  /// A configuration that answers from the scenario and the table that were handed over; `nil` if neither was.
  public static func configuration<Scenario: StubScenario & CaseIterable & RawRepresentable<String>>(
    scenarios: Scenario.Type, unmatched: Unmatched = .fail, folder: StubFolder? = .bundle(.main),
    configuration: URLSessionConfiguration = .default, arguments: [String] = ProcessInfo.processInfo.arguments,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URLSessionConfiguration? {
    StubsAtLaunch(arguments: arguments, environment: environment).stubs(of: scenarios, folder: folder)
      .map { configuration.answering(from: $0, unmatched, .system, VerifierChannel(arguments, environment)) }
  }

  /// A configuration that answers from the table that was handed over; `nil` if none was.
  public static func configuration(
    unmatched: Unmatched = .fail, configuration: URLSessionConfiguration = .default,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URLSessionConfiguration? {
    StubsAtLaunch(arguments: [], environment: environment).table()
      .map { configuration.answering(from: $0, unmatched, .system, VerifierChannel([], environment)) }
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
  /// - Parameter channel: Where problems and requests are reported; `nil` if no verifier launched the process.
  func answering(
    from stubs: Result<StubTable, StubsProblem>, _ unmatched: StubbedSession.Unmatched, _ log: SessionLog,
    _ channel: VerifierChannel?
  ) -> URLSessionConfiguration {
    guard let copy = copy() as? URLSessionConfiguration else { return self }
    let session = SessionStubs(stubs, unmatched: unmatched, configuration: self, log: log, channel: channel)
    copy.protocolClasses = [NumberedProtocols.newClass(for: session)] + (protocolClasses ?? [])
    return copy
  }
}

// MARK: - URLSession.shared

/// For apps that use `URLSession.shared`.
///
/// ```swift
/// // First thing in `main` or in the app delegate, before any session is made:
/// StubbedSession.register(scenarios: LaunchState.self)
/// ```
extension StubbedSession {
  /// Lets `URLSession.shared` answer from the scenario and the table that were handed over.
  ///
  /// Call it before any session is made. Registering again replaces the stubs that were registered before.
  ///
  /// - Returns: `false` if neither was handed over, so that nothing is stubbed.
  @discardableResult
  public static func register<Scenario: StubScenario & CaseIterable & RawRepresentable<String>>(
    scenarios: Scenario.Type, unmatched: Unmatched = .fail, folder: StubFolder? = .bundle(.main),
    arguments: [String] = ProcessInfo.processInfo.arguments,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    let stubs = StubsAtLaunch(arguments: arguments, environment: environment).stubs(of: scenarios, folder: folder)
    return register(stubs, unmatched, VerifierChannel(arguments, environment))
  }

  /// Lets `URLSession.shared` answer from the table that was handed over.
  ///
  /// Call it before any session is made. Registering again replaces the stubs that were registered before.
  ///
  /// - Returns: `false` if none was handed over, so that nothing is stubbed.
  @discardableResult
  public static func register(
    unmatched: Unmatched = .fail, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    register(
      StubsAtLaunch(arguments: [], environment: environment).table(), unmatched, VerifierChannel([], environment))
  }

  /// Lets `URLSession.shared` answer from these stubs.
  ///
  /// Call it before any session is made. Registering again replaces the stubs that were registered before.
  public static func register(
    stubs: [StubEndpoint], unmatched: Unmatched = .fail, folder: StubFolder? = .bundle(.main)
  ) {
    register(StubTable.prepared(stubs, folder: folder), unmatched, nil)
  }

  /// Ends what `register` began: `URLSession.shared` goes to the network again.
  public static func unregister() {
    NumberedProtocols.setShared(nil)
  }

  @discardableResult
  private static func register(
    _ stubs: Result<StubTable, StubsProblem>?, _ unmatched: Unmatched, _ channel: VerifierChannel?
  ) -> Bool {
    guard let stubs else { return false }
    NumberedProtocols.setShared(
      SessionStubs(stubs, unmatched: unmatched, configuration: .default, log: .system, channel: channel))
    return true
  }
}
