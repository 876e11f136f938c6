import Foundation
@_spi(TrackingCommand) import StubRecording
import TrackingPlanKit

/// Keeps what a recorder has recorded in a folder beside the recording's, for the case that the process is killed.
///
/// The recording itself is written at the end, since a secret that is found late is removed from earlier answers too.
struct UnfinishedRecording {
  private let recording: RunningRecording
  private let verb: String
  private var answers = 0
  private var next = ContinuousClock.now
  private var hasWritten = false
  private var hasFailed = false

  /// Tells the user of a folder that another recorder has left.
  init(_ recording: RunningRecording, verb: String) {
    self.recording = recording
    self.verb = verb
    guard let path, FileManager.default.fileExists(atPath: path) else { return }
    say("tracking \(verb): \(path) holds the requests of a recorder that was killed; it is replaced unless you move it")
  }

  private var path: String? { recording.unfinishedFolder?.path(percentEncoded: false).trimmedSlash }

  /// Writes what is new.
  ///
  /// At most once a second, and for at most a twentieth of the time, because each writing redacts everything again.
  mutating func writeNews() {
    let count = recording.answers
    let start = ContinuousClock.now
    guard count > answers, start >= next, !hasFailed else { return }
    do {
      try recording.writeUnfinished()
      (answers, hasWritten) = (count, true)
    } catch {
      hasFailed = true
      say("tracking \(verb): \(error) If this process is killed, its requests are lost.")
    }
    let cost = start.duration(to: .now)
    next = ContinuousClock.now.advanced(by: max(.seconds(1), cost * 20))
  }

  /// Removes the folder, after the recording was written.
  func remove() {
    guard hasWritten, let folder = recording.unfinishedFolder else { return }
    try? FileManager.default.removeItem(at: folder)
  }
}

extension String {
  fileprivate var trimmedSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
