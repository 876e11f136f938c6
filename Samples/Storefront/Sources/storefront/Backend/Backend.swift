import Foundation
import StorefrontKit
import StorefrontScenarios
import StubbedSession

/// The source of the shop's products, chosen once at launch; nothing else in the app knows whether there is a backend.
struct Backend {
  let environment: [String: String]
  let arguments: [String]

  /// The future address of the shop's backend; until the backend exists, only stubs respond there.
  private static let production = URL(string: "https://api.storefront.example")

  /// The backend's products; without a passed backend and without stubs, the bundled ones.
  func catalogue(observer: (any RequestObserver)?) -> any Catalogue {
    let stubbed = stubbedSession
    guard let url = url ?? (stubbed == nil ? nil : Self.production) else { return BundledCatalogue() }
    let session = stubbed ?? URLSession(configuration: configuration)
    return RemoteCatalogue(baseURL: url, session: session, observer: observer)
  }

  /// `STOREFRONT_BACKEND` is a URL; where `USE_MOCK_SERVER` says so in a UI test, `SERVER_PORT` is a port of this machine.
  private var url: URL? {
    if let url = environment["STOREFRONT_BACKEND"] { return URL(string: url) }
    guard arguments.contains("-uitesting"), environment["USE_MOCK_SERVER"] == "true" else { return nil }
    return environment["SERVER_PORT"].flatMap { URL(string: "http://127.0.0.1:\($0)") }
  }

  /// The session that responds from stubs; `nil` if no test or scheme has passed any.
  ///
  /// An app that ships has this line between `#if DEBUG` and `#endif`, as the double's in the composition root.
  private var stubbedSession: URLSession? {
    StubbedSession(
      scenarios: LaunchState.self, unmatched: arguments.contains("-passThrough") ? .passThrough : .fail,
      arguments: arguments, environment: environment)?.urlSession(configuration: configuration)
  }

  /// The app's own session.
  private var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.timeoutIntervalForRequest = environment["STOREFRONT_PATIENCE"].flatMap(Double.init) ?? 10
    return configuration
  }
}
