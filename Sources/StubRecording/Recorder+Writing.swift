import TrackingModel
import Foundation

extension Recorder {
  func finish(hasFailed: Bool) throws {
    guard opened.mode != .replay else { return }
    defer { FolderLock.removeIfEmpty(folder) }
    let state = self.state.withLock { state in
      defer { (state.written, state.isFinished) = (state.fresh.count, true) }
      return state
    }
    // A verifier may be stopped more than once.
    guard state.written < state.fresh.count || !state.isFinished else { return }
    let path = folder.path(percentEncoded: false)
    let (gaps, told) = state.unanswered
    // `append` replaces nothing, so a gap is only a remark.
    for remark in Self.unique(state.remarks + told + (opened.mode == .append ? gaps : [])) {
      Self.say(redacted(remark))
    }
    // A recording with gaps must not take the place of a whole one.
    if let gap = gaps.first, opened.mode == .rewrite {
      let more =
        switch gaps.count {
        case 1: ""
        case 2: " 1 more request was not answered."
        default: " \(gaps.count - 1) more requests were not answered."
        }
      throw RecordingError("\(redacted(gap)).\(more) The files at \(path) are as they were.")
    }
    guard !state.fresh.isEmpty else {
      if opened.mode == .rewrite {
        Self.say("nothing was recorded, because the app has sent no request; \(path) is as it was")
      }
      return
    }
    guard !hasFailed else {
      return Self.say("nothing was recorded, because the test has failed; \(path) is as it was")
    }
    var count = 0
    for exchanges in opened.isSecondTake ? [state.exchanges.flatMap(\.self)] : state.exchanges {
      count = try RecordingRun.write(
        exchanges, setup, to: folder, adds: opened.mode == .append, isSecondTake: opened.isSecondTake,
        found: opened.found)
    }
    Self.say(
      "\(count) \(count == 1 ? "exchange is" : "exchanges are") recorded at \(path); look through them before you commit them"
    )
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
  /// The exchanges in the order of the requests' arrival, apart for each reset.
  fileprivate var exchanges: [[RecordedExchange]] {
    let sorted = fresh.sorted { $0.key < $1.key }
    let ends = resets + [.max]
    return zip([0] + resets, ends).map { start, end in
      sorted.filter { start < $0.key && $0.key <= end }.map(\.value)
    }
    .filter { !$0.isEmpty }
  }

  /// The requests that aren't recorded, with the reasons: gaps, because a backend was unreachable or broke off, and others, which are only
  /// remarks.
  fileprivate var unanswered: (gaps: [String], told: [String]) {
    let lastAnswers = Dictionary(fresh.map { ($0.value.request.withoutHeaders, $0.key) }, uniquingKeysWith: max)
    var (gaps, told): ([String], [String]) = ([], [])
    for failure in failures {
      if lastAnswers[failure.request.withoutHeaders, default: 0] > failure.number {
        told.append("\(failure.sentence); the same request was answered later")
      } else if failure.isOutage {
        gaps.append(failure.sentence)
      } else {
        told.append(failure.sentence)
      }
    }
    for (_, line) in pending.sorted(by: { $0.key < $1.key }) {
      told.append("\(line) had no answer when the test ended, and isn't recorded")
    }
    return (gaps, told)
  }
}

extension RecordedExchange.Request {
  /// What an equal request has in common: a retry may have other header fields.
  fileprivate var withoutHeaders: RecordedExchange.Request {
    var copy = self
    copy.headers = HeaderFields()
    return copy
  }
}
