import TrackingModel
import Foundation

extension Recorder {
  func finish(hasFailed: Bool) throws {
    guard opened.mode != .replay else { return }
    defer { FolderLock.removeIfEmpty(folder) }
    var state = self.state.withLock { state in
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
    let (hasGaps, isWritable) = (!gaps.isEmpty && opened.mode == .rewrite, !hasFailed && !opened.isSecondTake)
    guard !hasGaps || isWritable && !state.fresh.isEmpty else {
      throw RecordingError("\(sentence(on: gaps)) The files at \(path) are as they were.")
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
    let kept = hasGaps ? earlierAnswers(to: &state) : 0
    var count = 0
    for exchanges in opened.isSecondTake ? [state.exchanges.flatMap(\.self)] : state.exchanges {
      let written = try RecordingRun.write(
        exchanges, setup, to: folder, adds: opened.mode == .append, isSecondTake: opened.isSecondTake,
        found: opened.found)
      written.leaks.forEach { Self.say("\($0)") }
      count = written.exchanges.count
    }
    let text = "\(count.counted("exchange is", plural: "exchanges are")) recorded at \(path)"
    guard !hasGaps else {
      let stays = kept == 0 ? "" : ", \(kept) of them \(kept == 1 ? "an answer" : "answers") of the earlier recording"
      throw RecordingError("\(sentence(on: gaps)) \(text)\(stays).")
    }
    Self.say("\(text); look through them before you commit them")
  }

  /// Writes what was recorded so far to another folder, as `finish(hasFailed:)` would if it were the first recording.
  ///
  /// Every value is redacted by all secrets that are known until now.
  func write(unfinishedTo folder: URL) throws {
    var recording = BackendRecording()
    recording.add(setup)
    recording.exchanges = state.withLock { $0 }.exchanges.flatMap(\.self)
    guard !recording.exchanges.isEmpty else { return }
    try recording.write(to: folder, redaction: setup.redaction)
  }

  /// The first request that wasn't answered, and the number of others.
  private func sentence(on gaps: [String]) -> String {
    let more =
      switch gaps.count {
      case ...1: ""
      case 2: " 1 more request was not answered."
      default: " \(gaps.count - 1) more requests were not answered."
      }
    let first = redacted(gaps.first ?? "")
    return "\(first)\(first.hasSuffix("?") ? "" : ".")\(more)"
  }

  /// Takes the earlier recording's answers to requests that the backend didn't answer, so that what was recorded isn't lost.
  ///
  /// - Returns: Their number.
  private func earlierAnswers(to state: inout State) -> Int {
    var earlier = Dictionary(grouping: opened.found.recording?.exchanges ?? []) { RequestKey($0).inAnyEpoch }
      .mapValues { $0[...] }
    var count = 0
    for failure in state.failures where failure.isOutage {
      let asked = RecordedExchange(request: failure.request, answer: .init())
      guard let exchange = setup.redaction.redacted([asked]).exchanges.first,
        var answered = earlier[RequestKey(exchange).inAnyEpoch]?.popFirst()
      else { continue }
      answered.epoch = state.fresh.filter { $0.key < failure.number }.max { $0.key < $1.key }?.value.epoch ?? 0
      state.fresh[failure.number] = answered
      count += 1
    }
    return count
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
  /// The request without its header fields, which a retry may change.
  fileprivate var withoutHeaders: RecordedExchange.Request { changed(self) { $0.headers = HeaderFields() } }
}
