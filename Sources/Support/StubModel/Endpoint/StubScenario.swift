import TrackingModel

/// Stubs that belong together and have a name: what an app is launched with for a test, for screenshots, or during development.
///
/// ```swift
/// enum LaunchState: String, CaseIterable, StubScenario {
///   case debug, screenshots
///
///   var stubs: [StubEndpoint] {
///     switch self {
///     case .debug: [StubEndpoint(.get, "/books", .json(["books": []]))]
///     case .screenshots: [StubEndpoint(.get, "/books", .json(file: "books_for_screenshots"))]
///     }
///   }
/// }
/// ```
public protocol StubScenario: Sendable {
  /// The stubs, in the order in which they are installed.
  var stubs: [StubEndpoint] { get }
}

extension StubScenario where Self: RawRepresentable<String> {
  /// The launch arguments that name this scenario to the app, in the style of user defaults: `-StubScenario screenshots`.
  public var launchArguments: [String] { LaunchVariable.scenario.arguments(rawValue) }
}
