import Foundation
import TrackingLaunch

/// Stubs for sessions inside the app, without a server.
///
/// ```swift
/// enum Config {
///   // `nil` if neither a test nor a scheme has passed stubs: use the app's own session then.
///   static let urlSession = StubbedSession(scenarios: LaunchState.self)?.urlSession() ?? .shared
/// }
/// ```
///
/// Stubs are passed by `-StubScenario <name>` in the launch arguments, by a table in the launch environment (`TRACKING_STUBS`), or by both; the
/// table's stubs are then installed last. If they can't be used, because of an unknown name, a misspelled argument or an unreadable table, the
/// session fails every request with the reason; the app's own session is never used instead.
///
/// Each session has its own stubs, and counts a stub's responses for all of its tasks. Requests of a session with passed stubs are reported to the
/// verifier that launched the app: see `TrackingVerifier.requests`.
public struct StubbedSession: Sendable {
  /// The handling of requests that no stub matches.
  public struct Unmatched: Hashable, Sendable {
    private enum Name {
      case fail, passThrough
    }

    private let name: Name

    /// Fails with `URLError.unsupportedURL`; its description and the log name the most similar stub and its differences.
    public static let fail = Self(name: .fail)
    /// Sends the request as if there were no stubs.
    public static let passThrough = Self(name: .passThrough)
  }

  private let stubs: Result<StubTable, StubsProblem>
  private let unmatched: Unmatched
  private static let log = AppLog.system(of: "StubbedSession")
  private let channel: VerifierChannel?

  private init?(
    _ unmatched: Unmatched, _ launch: ProcessLaunch, _ find: (StubsAtLaunch) throws(StubsProblem) -> StubTable?
  ) {
    do throws(StubsProblem) {
      if let reason = launch.refusal { throw StubsProblem(text: reason) }
      let atLaunch = StubsAtLaunch(arguments: launch.arguments, environment: launch.environment)
      guard let found = try find(atLaunch) else { return nil }
      stubs = .success(found)
    } catch {
      stubs = .failure(error)
    }
    self.unmatched = unmatched
    channel = VerifierChannel(launch.arguments, launch.environment)
  }

  /// Creates stubs for previews and unit tests.
  ///
  /// ```swift
  /// let session = StubbedSession(stubs: [StubEndpoint(.get, "/echo") { .text($0.query["text"] ?? "") }]).urlSession()
  /// ```
  ///
  /// If a stub can't be used, for example because its file is missing, every request fails with the reason. Files without a folder are read from
  /// `folder`.
  public init(stubs: [StubEndpoint], unmatched: Unmatched = .fail, folder: StubFolder? = .bundle(.main)) {
    self.stubs = Result { () throws(StubsProblem) in try StubTable(stubs, folder: folder) }
    (self.unmatched, channel) = (unmatched, nil)
  }

  /// Creates stubs from the passed table; `nil` if none was passed.
  ///
  /// The table was passed to this process, or to another process of the app that shares its launch through `launchFolder`.
  public init?(
    unmatched: Unmatched = .fail, launchFolder: LaunchFolder? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let launch = ProcessLaunch.find(
      environment: environment, arguments: ProcessInfo.processInfo.arguments, sharing: launchFolder)
    self.init(unmatched, launch) { (launch) throws(StubsProblem) in try launch.table() }
  }

  /// Creates stubs from the passed scenario and table; `nil` if neither was passed.
  ///
  /// Files without a folder are read from `folder`. The stubs were passed to this process, or to another process of the app that shares its launch
  /// through `launchFolder`; even then, the scenario's stubs are those of this process.
  public init?<Scenario: StubScenario & CaseIterable & RawRepresentable<String>>(
    scenarios: Scenario.Type, unmatched: Unmatched = .fail, folder: StubFolder? = .bundle(.main),
    launchFolder: LaunchFolder? = nil, arguments: [String] = ProcessInfo.processInfo.arguments,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let launch = ProcessLaunch.find(environment: environment, arguments: arguments, sharing: launchFolder)
    self.init(unmatched, launch) { (launch) throws(StubsProblem) in
      try launch.stubs(of: scenarios, folder: folder)
    }
  }
}

// MARK: - Sessions

extension StubbedSession {
  /// Returns a new session that responds from the stubs.
  public func urlSession(configuration: URLSessionConfiguration = .default) -> URLSession {
    URLSession(configuration: self.configuration(configuration))
  }

  /// Returns a copy of a configuration that responds from the stubs, for sessions with a delegate, and for libraries that create their own
  /// sessions.
  ///
  /// ```swift
  /// let configuration = StubbedSession(stubs: stubs).configuration()
  /// let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  /// ```
  public func configuration(_ configuration: URLSessionConfiguration = .default) -> URLSessionConfiguration {
    configuration.responding(from: stubs, unmatched, Self.log, channel)
  }

  /// Lets `URLSession.shared` respond from the stubs.
  ///
  /// ```swift
  /// // First in `main` or in the app delegate, before any session is created:
  /// StubbedSession(scenarios: LaunchState.self)?.register()
  /// ```
  ///
  /// On Linux a session keeps the protocols that were registered when it was created. Registering again replaces the previously registered stubs.
  public func register() {
    NumberedProtocols.setShared(
      SessionStubs(stubs, unmatched: unmatched, configuration: .default, log: Self.log, channel: channel))
  }

  /// Undoes ``register()``: `URLSession.shared` uses the network again.
  public static func unregister() {
    NumberedProtocols.setShared(nil)
  }
}

extension URLSessionConfiguration {
  /// Adds a protocol that tries the stubs first; `channel` reports problems and requests to the verifier, if there is one.
  func responding(
    from stubs: Result<StubTable, StubsProblem>, _ unmatched: StubbedSession.Unmatched, _ log: AppLog,
    _ channel: VerifierChannel?
  ) -> URLSessionConfiguration {
    guard let copy = copy() as? URLSessionConfiguration else { return self }
    let session = SessionStubs(stubs, unmatched: unmatched, configuration: self, log: log, channel: channel)
    copy.protocolClasses = [NumberedProtocols.newClass(for: session)] + (protocolClasses ?? [])
    return copy
  }

  /// For unmatched requests.
  fileprivate var withoutStubs: URLSessionConfiguration {
    guard let copy = copy() as? URLSessionConfiguration else { return self }
    copy.protocolClasses = protocolClasses?.filter { !($0 is StubURLProtocol.Type) }
    return copy
  }
}

extension SessionStubs {
  fileprivate convenience init(
    _ stubs: Result<StubTable, StubsProblem>, unmatched: StubbedSession.Unmatched,
    configuration: URLSessionConfiguration, log: AppLog, channel: VerifierChannel?
  ) {
    self.init(
      stubs, real: unmatched == .passThrough ? URLSession(configuration: configuration.withoutStubs) : nil,
      configuration: configuration, log: log, channel: channel)
  }
}
