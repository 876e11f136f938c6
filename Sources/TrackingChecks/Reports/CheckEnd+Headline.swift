import TrackingPatterns

extension CheckEnd {
  /// The headline of a check whose action threw, or of one in which nothing was wrong until its wait ended early; `nil` for another.
  func headline(on run: CheckRun, _ finding: Finding) -> Headline? {
    let words = run.call.check.kind.words
    if case .actionThrew(let error) = self {
      return "The action threw \(foreign: error), so there was no wait for \(words)"
    }
    guard run.checkState.isGood else { return nil }
    return switch self {
    case .cancelled: "The task was cancelled before the check was decided: \(words)"
    case .programsEnded: "\(finding.programEnd ?? "The program ended") before the check was decided: \(words)"
    case .serverNotStarted: "The verifier could not start, so this could not be checked: \(words)"
    default: "Passing so far: \(words)"
    }
  }

  /// The time limit of a check, in words that follow "arrived".
  func time(of call: CheckCall, _ context: FailureContext) -> String {
    switch self {
    // Also for values that aren't a time.
    case .decided, .stopped: " within \(TimeText.seconds(call.timeout > 0 ? call.timeout : 0))"
    case .interrupted: " before XCTest's outer wait timed out"
    case .cancelled: " before the task was cancelled"
    case .programsEnded: " before \(context.programEnd.map { "the\($0.dropFirst(3))" } ?? "the program ended")"
    case .serverNotStarted: ", because the verifier could not start"
    case .testEnded: " during the test"
    case .unfulfilled, .actionThrew: ""
    case .stillOpen: " so far"
    }
  }

  /// The end of the app's program, if that ended the wait.
  func programEnd(_ context: FailureContext) -> String? {
    if case .programsEnded = self { context.programEnd ?? "The program ended" } else { nil }
  }
}
