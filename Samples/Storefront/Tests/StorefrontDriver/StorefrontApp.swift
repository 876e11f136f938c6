import Foundation

/// The app under test, in a process of its own, driven by what a user would type: what `XCUIApplication` is to a UI test.
///
/// ```swift
/// let app = StorefrontApp()
/// app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
/// try app.launch()
/// try app.tap("open product 42")
/// ```
package final class StorefrontApp {
  /// What the app finds in its environment, besides what the test itself has there; read by `launch()`.
  package var launchEnvironment: [String: String] = [:]
  /// The app's arguments, which break the app where the suite is to prove itself; read by `launch()`.
  package var launchArguments: [String] = StorefrontRun.mutation.map { ["-mutation", $0] } ?? []

  private let timeout: TimeInterval
  private var process: AppProcess?
  private var taps: [String] = []

  /// An app that is not launched yet; whoever waits for it gives up after so many seconds.
  package init(timeout: TimeInterval = 10) {
    self.timeout = timeout
  }

  deinit {
    terminate()
  }

  /// Starts the app, and returns when its first screen is there or it has ended; if it runs already, it is terminated first.
  package func launch() throws {
    terminate()
    taps = []
    process = try AppProcess(
      executable: Self.executable, arguments: launchArguments, environment: launchEnvironment)
    _ = process?.output.wait(timeout: timeout) { !Self.screens(in: $0).isEmpty }
  }

  /// Types commands, one after the other, and returns at once, as the app goes on by itself.
  package func tap(_ commands: String...) throws {
    guard let process else { throw StorefrontAppError.notLaunched }
    for command in commands {
      taps.append(command)
      try process.type(command)
    }
  }

  /// What the app shows in answer to the last tap, or first of all when nothing was tapped; waits for it.
  package var screen: String {
    get throws {
      guard let process else { throw StorefrontAppError.notLaunched }
      guard process.output.wait(timeout: timeout, until: { Self.screens(in: $0).count > taps.count }) else {
        throw StorefrontAppError.noScreen(
          after: taps.last ?? "launch", status: process.status, output: process.output.text, log: process.log.text)
      }
      return Self.screens(in: process.output.text)[taps.count]
    }
  }

  /// What the app said while the user had to wait for what it shows now, in order.
  package var progress: [String] {
    get throws {
      _ = try screen
      return process.map { Self.answers(in: $0.output.text)[taps.count].dropLast() } ?? []
    }
  }

  /// Waits until the app says that the user has to wait, in these words, after the last tap.
  package func waitForProgress(_ text: String) throws {
    guard let process else { throw StorefrontAppError.notLaunched }
    let isSaid = { (output: String) in Self.answers(in: output).dropFirst(self.taps.count).first?.contains(text) }
    guard process.output.wait(timeout: timeout, until: { isSaid($0) ?? false }) else {
      throw StorefrontAppError.noScreen(
        after: taps.last ?? "launch", status: process.status, output: process.output.text, log: process.log.text)
    }
  }

  /// What the app has written to its log; all of it once the app has ended.
  package var log: String { process?.log.text ?? "" }

  /// How the app has ended; `nil` while it runs.
  package var exitStatus: Int32? { process?.status }

  /// Waits until the app has ended by itself, as it does when `quit` is tapped.
  package func waitForExit() throws {
    guard let process else { throw StorefrontAppError.notLaunched }
    guard process.waitForExit(timeout: timeout) else { throw StorefrontAppError.stillRunning(after: timeout) }
  }

  /// Calls a closure, on another thread, when the app that is launched has ended.
  package func onExit(_ action: @escaping @Sendable () -> Void) throws {
    guard let process else { throw StorefrontAppError.notLaunched }
    process.onExit(action)
  }

  /// Kills the app, which gets no chance to tidy up; does nothing if it does not run.
  package func terminate() {
    process?.kill()
  }

  /// Each screen ends where the app prompts for the next command.
  private static func screens(in output: String) -> [String] {
    answers(in: output).dropLast().map { $0.last ?? "" }
  }

  /// What the app printed after each tap, the last of it unfinished: texts of which each erases the one before, as on a terminal.
  private static func answers(in output: String) -> [[String]] {
    output.components(separatedBy: "\n> ").map { $0.components(separatedBy: "\r\u{1B}[K") }
  }

  /// The app is built into the folder in which the test bundle lies.
  private static var executable: URL {
    let bundle = Bundle(for: StorefrontApp.self).bundleURL
    let products = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    return products.appending(path: "storefront")
  }
}
