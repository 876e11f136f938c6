import Foundation

/// An environment variable that changes a test run or the command without editing a test.
///
/// An empty value is the same as none, and `0` is off. `xcodebuild` forwards only variables with the prefix `TEST_RUNNER_`, which it removes.
package struct TestVariable: Sendable {
  package let name: String
  /// The supported values; `nil` for a path, a name, a token or a URL.
  package let values: [String]?
  /// The end of a sentence, for the help and the article.
  package let meaning: String
  /// The product that reads it; `nil` if every test does.
  package let product: String?

  private init(_ name: String, values: [String]? = nil, _ meaning: String, product: String? = nil) {
    (self.name, self.values, self.meaning, self.product) = (name, values, meaning, product)
  }

  package static let plan = TestVariable(
    "TRACKING_PLAN", "a tracking plan, a file or a folder: when a test ends, its events are checked against it",
    product: "TrackingPlan")
  package static let observations = TestVariable(
    "TRACKING_OBSERVATIONS",
    "a folder for observations, which `tracking coverage` reads; `off` also keeps them from being attached",
    product: "TrackingPlan")
  package static let run = TestVariable(
    "TRACKING_RUN",
    "a name that the processes of one run share, for the observations of runners other than `swift test`",
    product: "TrackingPlan")
  package static let flows = TestVariable(
    "TRACKING_FLOWS", values: ["record"],
    "`record` writes the flows that `assertFlow()` compares, and fails the tests", product: "TrackingAudit")
  package static let record = TestVariable(
    "TRACKING_RECORD", values: ["replay", "once", "rewrite"],
    "`once` or `rewrite` records the app's backend; `replay` is the default", product: "StubRecording")
  package static let inspector = TestVariable(
    "TRACKING_INSPECTOR", values: ["1", "hold", "0", "off"],
    "`1` opens the live page for each test, `hold` opens it after a failure", product: "TrackingInspector")
  package static let mutations = TestVariable(
    "TRACKING_MUTATIONS", values: ["1", "0", "off"],
    "`1` also records which changes of the received events each test would notice", product: "TrackingAudit")
  /// Read by ``TimeoutScale``.
  package static let timeoutScale = TestVariable(
    "TRACKING_TIMEOUT_SCALE",
    "a factor for all timeouts and settling times, for slow machines: `3`, or any number greater than 0 and at most 100"
  )
  package static let attachments = TestVariable(
    "TRACKING_ATTACHMENTS",
    "a folder for the attachments of XCTest on Linux; Xcode and `swift test --attachments-path` keep them themselves")
  package static let serve = TestVariable(
    "TRACKING_SERVE", "the URL of a running `tracking serve`, for `tracking wait` and the other verbs that use it",
    product: command)
  package static let serveURL = TestVariable(
    "TRACKING_SERVE_URL", "the part of that URL in front of the token, for scripts and clients", product: command)
  package static let serveToken = TestVariable(
    "TRACKING_SERVE_TOKEN", "the token of that URL, which a request has as `Authorization: Bearer TOKEN`",
    product: command)

  private static let command = "the command `tracking`"
  /// Whether the command reads or writes it.
  package var isOfCommand: Bool { product == Self.command || name == Self.timeoutScale.name }

  package static let all: [TestVariable] = [
    .plan, .observations, .run, .flows, .record, .inspector, .mutations, .timeoutScale, .attachments, .serve, .serveURL,
    .serveToken,
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
