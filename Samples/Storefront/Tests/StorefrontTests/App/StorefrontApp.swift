import Foundation

/// The app under test, in a process of its own, driven by what a user would type: what `XCUIApplication` is to a UI test.
///
/// ```swift
/// let app = StorefrontApp()
/// app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
/// try app.launch()
/// try app.tap("open product 42")
/// ```
final class StorefrontApp {
  /// What the app finds in its environment, besides what the test itself has there; read by `launch()`.
  var launchEnvironment: [String: String] = [:]
  /// The app's arguments; read by `launch()`.
  var launchArguments: [String] = []

  private let timeout: TimeInterval
  private var process: AppProcess?
  private var taps: [String] = []

  /// An app that is not launched yet; whoever waits for it gives up after so many seconds.
  init(timeout: TimeInterval = 10) {
    self.timeout = timeout
  }

  deinit {
    terminate()
  }

  /// Starts the app; if it runs already, it is terminated first.
  func launch() throws {
    terminate()
    taps = []
    process = try AppProcess(
      executable: Self.executable, arguments: launchArguments, environment: launchEnvironment)
  }

  /// Types a command and returns at once, as the app goes on by itself.
  func tap(_ command: String) throws {
    guard let process else { throw StorefrontAppError.notLaunched }
    taps.append(command)
    try process.type(command)
  }

  /// What the app shows in answer to the last tap, or first of all when nothing was tapped; waits for it.
  var screen: String {
    get throws {
      guard let process else { throw StorefrontAppError.notLaunched }
      guard process.output.wait(timeout: timeout, until: { Self.screens(in: $0).count > taps.count }) else {
        throw StorefrontAppError.noScreen(
          after: taps.last ?? "launch", status: process.status, output: process.output.text, log: process.log.text)
      }
      return Self.screens(in: process.output.text)[taps.count]
    }
  }

  /// What the app has written to its log; all of it once the app has ended.
  var log: String { process?.log.text ?? "" }

  /// Waits until the app has ended by itself, as it does when `quit` is tapped.
  func waitForExit() throws {
    guard let process else { throw StorefrontAppError.notLaunched }
    guard process.waitForExit(timeout: timeout) else { throw StorefrontAppError.stillRunning(after: timeout) }
  }

  /// Kills the app, which gets no chance to tidy up; does nothing if it does not run.
  func terminate() {
    process?.kill()
  }

  /// Each screen ends where the app prompts for the next command.
  private static func screens(in output: String) -> [String] {
    output.components(separatedBy: "\n> ").dropLast()
  }

  /// The app is built into the folder in which the test bundle lies.
  private static var executable: URL {
    let bundle = Bundle(for: StorefrontApp.self).bundleURL
    let products = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    return products.appending(path: "storefront")
  }
}
