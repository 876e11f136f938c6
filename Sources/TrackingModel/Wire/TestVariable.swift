import Foundation

/// An environment variable that changes a test run or the command without editing a test.
///
/// An empty value is the same as none, and `0` is off. `xcodebuild` forwards only variables with the prefix `TEST_RUNNER_`, which it removes.
package struct TestVariable: Hashable, Sendable {
  package let name: String
  /// The supported values; `nil` for a path, a name, a token or a URL.
  package let values: [String]?

  private init(name: String, values: [String]? = nil) {
    (self.name, self.values) = (name, values)
  }

  /// A tracking plan: a file or a folder.
  package static let plan = TestVariable(name: "TRACKING_PLAN")
  /// A folder for observations; `off` also stops attaching them.
  package static let observations = TestVariable(name: "TRACKING_OBSERVATIONS")
  /// The name shared by all processes of a run.
  package static let run = TestVariable(name: "TRACKING_RUN")
  package static let flows = TestVariable(name: "TRACKING_FLOWS", values: ["record"])
  package static let record = TestVariable(name: "TRACKING_RECORD", values: ["replay", "once", "rewrite"])
  /// `1` opens the inspector's page for each test, `hold` after a failure.
  package static let inspector = TestVariable(name: "TRACKING_INSPECTOR", values: ["1", "hold", "0", "off"])
  /// `1` repeats each test's checks on mutants.
  package static let mutations = TestVariable(name: "TRACKING_MUTATIONS", values: ["1", "0", "off"])
  /// A folder for attachments where XCTest has none.
  package static let attachments = TestVariable(name: "TRACKING_ATTACHMENTS")
  /// The URL of a running `tracking serve`.
  package static let serve = TestVariable(name: "TRACKING_SERVE")
  /// The part of that URL before the token, for scripts.
  package static let serveURL = TestVariable(name: "TRACKING_SERVE_URL")
  /// The token in that URL, for scripts.
  package static let serveToken = TestVariable(name: "TRACKING_SERVE_TOKEN")
  /// The factor for timeouts and settling times, read by ``TimeoutScale``.
  package static let timeoutScale = TestVariable(name: "TRACKING_TIMEOUT_SCALE")

  package static let all: [TestVariable] = [
    .plan, .observations, .run, .flows, .record, .inspector, .mutations, .attachments, .serve, .serveURL, .serveToken,
    .timeoutScale,
  ]

  package func value(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the variable has a supported value other than `0` and `off`.
  package var isOn: Bool { isOn(in: ProcessInfo.processInfo.environment) }

  package func isOn(in environment: [String: String]) -> Bool {
    guard let value = value(in: environment), !["0", "off"].contains(value) else { return false }
    return values?.contains(value) ?? true
  }
}

// MARK: - Mistakes

extension TestVariable {
  /// Writes the warnings about the process's environment to standard error, once; not for apps.
  package static func warn() { _ = hasWarned }

  private static let hasWarned: Void = {
    for warning in warnings(about: ProcessInfo.processInfo.environment) { StandardError.write("warning: \(warning)\n") }
  }()

  /// One sentence for each misspelled name, and for each value that isn't supported.
  package static func warnings(about environment: [String: String]) -> [String] {
    let names = Set(all.map(\.name)).union([LaunchVariable.url, .session, .stubs].map(\.name))
    let misspelt = environment.keys.sorted().compactMap { name -> String? in
      guard !names.contains(name), environment[name] != "" else { return nil }
      if name.hasPrefix(forRunner) {
        let known = all.first { $0.name == name.dropFirst(forRunner.count) }
        return known.flatMap {
          $0.value(in: environment) == nil
            ? "\(name) isn't read here: only xcodebuild passes it on, as \($0.name)" : nil
        }
      }
      // TRACKING_plan is misspelled, too.
      let known = all.first { EditDistance.isWithin(mostLetters, of: name.uppercased(), $0.name) }
      return known.map { "the variable \(name) isn't read: did you mean \($0.name)?" }
    }
    let invalid = all.compactMap { variable -> String? in
      guard let values = variable.values, let value = variable.value(in: environment), !values.contains(value) else {
        return nil
      }
      let list = "\(values.count == 1 ? "its value is" : "its values are") \(values.inWords())"
      return "\(variable.name) can't be \(value.debugDescription): \(list)"
    }
    return misspelt + invalid + [TimeoutScale.mistake(in: environment)].compactMap(\.self)
  }

  private static let forRunner = "TEST_RUNNER_"
  /// The number of letters in which a misspelled name may differ.
  private static let mostLetters = 2
}
