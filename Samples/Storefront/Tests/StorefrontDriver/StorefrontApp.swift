import Foundation
import TestAppLauncher

/// The storefront in a separate process, driven by what a user would type: what `XCUIApplication` is to a UI test.
///
/// ```swift
/// let app = StorefrontApp()
/// app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
/// try app.launch()
/// try app.tap("open product 42")
/// ```
package final class StorefrontApp {
  private let app = TestApp("storefront")
  /// The longest wait for a screen, in seconds.
  private let timeout: TimeInterval
  private var taps: [String] = []

  package init(timeout: TimeInterval = 10) {
    self.timeout = timeout
    // Breaks the app where the suite is to prove itself.
    app.launchArguments =
      (StorefrontRun.mutation.map { ["-mutation", $0] } ?? []) + (StorefrontRun.mutant.map { ["-mutant", $0] } ?? [])
  }

  deinit {
    quit()
  }

  /// Variables for the app, in addition to those of the test process; read by `launch()`.
  package var launchEnvironment: [String: String] {
    get { app.launchEnvironment }
    set { app.launchEnvironment = newValue }
  }

  /// The app's arguments; read by `launch()`.
  package var launchArguments: [String] {
    get { app.launchArguments }
    set { app.launchArguments = newValue }
  }

  /// Starts the app and returns when it shows its first screen or has ended; one that runs already is killed first.
  package func launch() throws {
    taps = []
    try app.launch()
    try? app.waitForOutput(timeout: timeout) { !Self.screens(in: $0).isEmpty }
  }

  /// Types commands, one after the other, and returns at once.
  package func tap(_ commands: String...) throws {
    for command in commands {
      taps.append(command)
      try app.type(command)
    }
  }

  /// The screen that the app shows after the last tap, or after its launch if nothing was tapped; waits for it.
  package var screen: String {
    get throws {
      try app.waitForOutput(timeout: timeout) { Self.screens(in: $0).count > taps.count }
      return Self.screens(in: app.output)[taps.count]
    }
  }

  /// The texts that the app showed while the user waited for the present screen, in order.
  package var progress: [String] {
    get throws {
      _ = try screen
      return Self.outputs(in: app.output)[taps.count].dropLast()
    }
  }

  /// Waits until the app tells the user to wait, in these words, after the last tap.
  package func waitForProgress(_ text: String) throws {
    try app.waitForOutput(timeout: timeout) {
      Self.outputs(in: $0).dropFirst(taps.count).first?.contains(text) ?? false
    }
  }

  /// The app's log so far; complete once the app has ended.
  package var log: String { app.errorOutput }

  /// The status with which the app ended; `nil` while it runs.
  package var exitStatus: Int32? { app.exitStatus }

  /// Waits until the app has ended without being killed, as it does when `quit` is tapped.
  package func waitForExit() throws {
    try app.waitForExit(timeout: timeout)
  }

  /// Calls a closure on another thread when the app has ended.
  package func onExit(_ action: @escaping @Sendable () -> Void) {
    app.onExit(action)
  }

  /// Ends the app as its user does, and returns when it has ended; an app that doesn't respond is killed.
  ///
  /// All events that the app has tracked have arrived by then. A test that ends before its app sees in one run an event that it doesn't
  /// see in the next.
  package nonisolated func quit() {
    if (try? app.type("quit")) != nil { _ = try? app.waitForExit(timeout: timeout) }
    app.terminate()
  }

  /// Kills the app, which gets no chance to clean up; does nothing when it does not run.
  package func terminate() {
    app.terminate()
  }

  /// Each screen ends where the app prompts for the next command.
  private static func screens(in output: String) -> [String] {
    outputs(in: output).dropLast().map { $0.last ?? "" }
  }

  /// The output of the app after each tap, the last one unfinished: texts of which each erases the one before, as on a terminal.
  private static func outputs(in output: String) -> [[String]] {
    output.components(separatedBy: "\n> ").map { $0.components(separatedBy: "\r\u{1B}[K") }
  }
}
