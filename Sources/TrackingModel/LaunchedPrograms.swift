import Foundation

package protocol LaunchedProgram: AnyObject, Sendable {
  var phase: LaunchedProgramPhase { get }

  /// The end in words that follow "The program": "exited with status 0"; `nil` while it runs, and if the test has terminated it.
  var endState: String? { get }

  /// Its end in sentences; `nil` while it runs, and if the test has terminated it.
  var endingText: String? { get }

  /// Kills the program when the test that launched it ends, and waits for its exit; `test` is the test's name, if known.
  func terminate(with test: String?)

  func kill()
}

package enum LaunchedProgramPhase: Equatable {
  case running
  /// The program has exited, and so has each process that could still write to its output; `isKnown` if the test has waited for that.
  case ended(isKnown: Bool)
  case terminated
}

/// The programs launched by tests of this process, for the verifiers that they were launched with.
package enum LaunchedPrograms {
  private struct Launch: Sendable {
    weak var program: (any LaunchedProgram)?
    let values: [String]
    let time: Date
  }

  private struct State: Sendable {
    var launches: [Launch] = []
    var watchers: [Int: @Sendable () -> Void] = [:]
    var nextWatcher = 0
  }

  private static let state = Locked(State())

  /// Adds a program launched with variables and arguments, replacing its earlier launch.
  package static func add(_ program: any LaunchedProgram, launchedWith values: [String]) {
    state.withLock { state in
      state.launches.removeAll { $0.program == nil || $0.program === program }
      state.launches.append(Launch(program: program, values: values, time: Date()))
    }
  }

  /// The programs launched with a port of this machine, optionally only since a time, in launch order.
  package static func launched(with port: Int, since time: Date = .distantPast) -> [any LaunchedProgram] {
    let digits = "\(port)"
    return state.withLock { $0.launches }.filter { launch in
      launch.time >= time
        && launch.values.contains { $0.split { !$0.isASCII || !$0.isNumber }.contains { $0 == digits } }
    }
    .compactMap(\.program)
  }

  package static var isEmpty: Bool { state.withLock { $0.launches.isEmpty } }

  package static func killAll() {
    for launch in state.withLock({ $0.launches }) { launch.program?.kill() }
  }

  // MARK: Ends

  /// Calls a closure whenever a program exits; returns the watcher's number, for `removeWatcher`.
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

  package static func noteEnd() {
    for wake in state.withLock({ $0.watchers.values }) { wake() }
  }
}
