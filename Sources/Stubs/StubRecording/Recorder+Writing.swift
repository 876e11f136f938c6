import TrackingModel
import Foundation

extension Recorder {
  func finish(hasFailed: Bool) throws {
    guard opened.records else { return }
    defer { lock?.release() }
    let state = self.state.withLock { state in
      defer { (state.written, state.isFinished) = (state.fresh.count, true) }
      return state
    }
    // A verifier may be stopped more than once.
    guard state.written < state.fresh.count || !state.isFinished else { return }
    let path = folder.path(percentEncoded: false)
    let (gaps, told) = state.withoutResponse
    for warning in Self.unique(state.warnings + told) { Self.say(redacted(warning)) }
    guard !state.fresh.isEmpty, !hasFailed else {
      guard gaps.isEmpty else { throw RecordingError("\(sentence(on: gaps)) The files at \(path) are unchanged.") }
      let reason = hasFailed ? "the test has failed" : "the app has sent no request"
      return Self.say("nothing was recorded, because \(reason); \(path) is unchanged")
    }
    let exchanges = state.fresh.sorted { $0.key < $1.key }.map(\.value)
    let recording = changed(setup.recording) { $0.exchanges = exchanges }
    for leak in try recording.write(to: folder, redaction: setup.redaction, warn: Self.say) { Self.say("\(leak)") }
    lock?.note(test)
    let text = "\(exchanges.count.counted("exchange is", plural: "exchanges are")) recorded at \(path)"
    guard gaps.isEmpty else { throw RecordingError("\(sentence(on: gaps)) \(text).") }
    Self.say("\(text); look through them before you commit them")
  }

  /// Names the first request without a response, and counts the others.
  private func sentence(on gaps: [String]) -> String {
    let more =
      switch gaps.count {
      case ...1: ""
      case 2: " 1 more request got no response."
      default: " \(gaps.count - 1) more requests got no response."
      }
    let first = redacted(gaps.first ?? "")
    return "\(first)\(first.hasSuffix("?") ? "" : ".")\(more)"
  }

  private static func unique(_ texts: [String]) -> [String] {
    var known: Set<String> = []
    return texts.filter { known.insert($0).inserted }
  }

  private static func say(_ text: String) {
    StandardError.write("StubRecording: \(text)\n")
  }
}

extension Recorder.State {
  /// The requests that aren't recorded, with the reasons: gaps, because a backend was unreachable or broke off, and others, which are only
  /// warnings.
  fileprivate var withoutResponse: (gaps: [String], told: [String]) {
    let lastResponses = Dictionary(fresh.map { ($0.value.request.withoutHeaders, $0.key) }, uniquingKeysWith: max)
    var (gaps, told): ([String], [String]) = ([], [])
    for failure in failures {
      if lastResponses[failure.request.withoutHeaders, default: 0] > failure.number {
        told.append("\(failure.sentence); the same request got a response later")
      } else if failure.isOutage {
        gaps.append(failure.sentence)
      } else {
        told.append(failure.sentence)
      }
    }
    for (_, line) in pending.sorted(by: { $0.key < $1.key }) {
      told.append("\(line) had no response when the test ended, and isn't recorded")
    }
    return (gaps, told)
  }
}

extension RecordedExchange.Request {
  /// Header fields may change in a retry.
  fileprivate var withoutHeaders: RecordedExchange.Request { changed(self) { $0.headers = MessageHeaders() } }
}
