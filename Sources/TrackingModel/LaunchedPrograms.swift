import Foundation

/// A program that a test has launched.
package protocol LaunchedProgram: AnyObject, Sendable {
  /// Whether it runs, has ended, or was terminated by the test.
  var phase: LaunchedProgramPhase { get }

  /// The end in words that follow "The program": "exited with status 0"; `nil` while it runs, and if the test has terminated it.
  var endState: String? { get }

  /// Its end in sentences; `nil` while it runs, and if the test has terminated it.
  var endingText: String? { get }

  /// Kills the program at the end of the test that launched it, and waits for its end.
  ///
  /// - Parameter test: The test's name; `nil` if it isn't known.
  func terminate(with test: String?)

  /// Kills the program without waiting.
  func kill()
}

package enum LaunchedProgramPhase: Hashable {
  case running
  /// It has ended, and so has each process that could still write to its output.
  ///
  /// - Parameter isKnown: Whether the test has waited for its end.
  case ended(isKnown: Bool)
  /// The test has terminated it.
  case terminated
}

/// The programs that tests of this process have launched, for the verifiers that they were launched with.
package enum LaunchedPrograms {
  private struct Launch: Sendable {
    weak var program: (any LaunchedProgram)?
    /// The variables and arguments.
    let values: [String]
    let time: Date
  }

  private struct State: Sendable {
    var launches: [Launch] = []
    /// Called when a program ends.
    var watchers: [Int: @Sendable () -> Void] = [:]
    var nextWatcher = 0
  }

  private static let state = Locked(State())

  /// Adds a program, in place of its earlier launch.
  ///
  /// - Parameter values: The variables and arguments of its launch.
  package static func add(_ program: any LaunchedProgram, launchedWith values: [String]) {
    state.withLock { state in
      state.launches.removeAll { $0.program == nil || $0.program === program }
      state.launches.append(Launch(program: program, values: values, time: Date()))
    }
  }

  /// The programs that were launched with a port of this machine, since a time if one is given, in the order of their launches.
  package static func launched(with port: Int, since time: Date = .distantPast) -> [any LaunchedProgram] {
    let digits = "\(port)"
    return state.withLock { $0.launches }.filter { launch in
      launch.time >= time
        && launch.values.contains { $0.split { !$0.isASCII || !$0.isNumber }.contains { $0 == digits } }
    }
    .compactMap(\.program)
  }

  package static var isEmpty: Bool { state.withLock { $0.launches.isEmpty } }

  /// Kills all programs that run.
  package static func killAll() {
    for launch in state.withLock({ $0.launches }) { launch.program?.kill() }
  }

  // MARK: Ends

  /// Calls a closure whenever a program ends.
  ///
  /// - Returns: The number of the watcher, for `removeWatcher`.
  package static func addWatcher(_ wake: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = wake
      return state.nextWatcher
    }
  }

  package static func removeWatcher(_ number: Int) {
    state.withLock { _ = $0.watchers.removeValue(forKey: number) }
  }

  /// Tells the watchers that a program has ended.
  package static func noteEnd() {
    for wake in state.withLock({ $0.watchers.values }) { wake() }
  }
}
