import TrackingModel

/// A named set of stubs with which an app is launched for a test, for screenshots, or during development.
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
  /// The stubs, in the order of installation.
  var stubs: [StubEndpoint] { get }
}

extension StubScenario where Self: RawRepresentable<String> {
  /// The launch arguments that pass this scenario's name to the app, in the style of user defaults: `["-StubScenario", "screenshots"]`.
  public var launchArguments: [String] { LaunchVariable.scenario.arguments(rawValue) }
}
