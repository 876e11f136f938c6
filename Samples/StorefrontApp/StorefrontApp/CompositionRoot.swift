import Foundation
import StorefrontKit
import StorefrontScenarios
import StubbedSession
import TrackerDouble
import TrackingModel
import os

/// Chooses the app's tracker and its catalogue, once per launch.
///
/// No other code knows which ones were chosen.
struct CompositionRoot {
  let shop: Shop

  /// - Parameters:
  ///   - environment: Under test, holds the verifier's `launchEnvironment` and perhaps `STOREFRONT_BACKEND`, a URL.
  ///   - arguments: Under test, may hold `-StubScenario <name>`.
  init(environment: [String: String], arguments: [String]) {
    // `nil` in a process that no test launched, such as an extension or the app when the system launches it again. An app with
    // such processes writes `TrackerDouble(appGroup:)`, or a test's events reach the provider.
    let tracker: any TrackerProtocol = TrackerDouble(environment: environment) ?? ProviderTracker()
    let stubbed = StubbedSession(scenarios: LaunchState.self, arguments: arguments, environment: environment)?
      .urlSession(configuration: .ephemeral)
    let backend = environment["STOREFRONT_BACKEND"].flatMap(URL.init(string:))
    let production = URL(string: "https://api.storefront.example")
    let catalogue: any Catalogue =
      if let url = backend ?? (stubbed == nil ? nil : production) {
        RemoteCatalogue(baseURL: url, session: stubbed ?? URLSession(configuration: .ephemeral))
      } else {
        BundledCatalogue()
      }
    shop = Shop(catalogue: catalogue, tracker: tracker)
  }
}

/// Stands in for the SDK of a tracking provider.
nonisolated struct ProviderTracker: TrackerProtocol {
  private let logger = Logger(subsystem: "com.example.storefront", category: "tracking")

  func trackEvent(_ event: TrackingEvent) {
    logger.info("\(event.description, privacy: .public)")
  }
}
