import Foundation
import TrackingJSON
import TrackingModel
import TrackingRules

/// The folder that test processes write their observations to, for `coverage` and `draft`.
///
/// Each process writes its own file, so processes don't wait for each other, and a killed one loses only its last line.
package struct ObservationFolder: Sendable {
  package let url: URL

  package init(_ url: URL) {
    self.url = url
  }

  // MARK: Writing

  /// Identifies this process among all that write to the folder, even if its process identifier is reused.
  private static let token = "\(ProcessInfo.processInfo.processIdentifier)-\(UUID.random().uuidString.prefix(8))"
  private static let writing = Locked((observations: 0, hasFailed: false))

  package static func nextID() -> String {
    let number = writing.withLock { state in
      state.observations += 1
      return state.observations
    }
    return "\(token)-\(number)"
  }

  /// The run of this process: `TRACKING_RUN` (`xcodebuild`: `TEST_RUNNER_TRACKING_RUN`), otherwise its `swift test`.
  package static let run = run(in: ProcessInfo.processInfo.environment)

  /// The run named in an environment; an empty name counts as not set.
  static func run(in environment: [String: String]) -> String? {
    TestVariable.run.value(in: environment) ?? TestRun.id
  }

  /// Appends an observation in one system call, so that lines of concurrent threads don't interleave.
  package func append(_ observation: Observation) throws {
    var observation = observation
    observation.run = observation.run ?? Self.run
    if observation.time == 0 { observation.time = Int(Date().timeIntervalSince1970 * 1_000) }
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw Failure(path: url.path, reason: FileReason.of(error))
    }
    let path = url.appendingPathComponent("\(Self.token).ndjson").path
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    let line = observation.line
    let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == line.count else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
  }

  /// Appends an observation; reports a folder that isn't writable once per process, and fails no test.
  package func appendOrReport(_ observation: Observation) {
    do {
      try append(observation)
    } catch {
      let isFirst = Self.writing.withLock { state in
        defer { state.hasFailed = true }
        return !state.hasFailed
      }
      guard isFirst else { return }
      StandardError.write(
        "\(TestVariable.observations.name): \(error); observations are kept only as attachments\n")
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let path: String
    let reason: String
    var description: String { "can't write \(path): \(reason)" }
  }

  // MARK: Reading

  /// Whether the folder has files of observations, or is an export of attachments.
  package var isUsed: Bool {
    // An export's manifest is an array; a file of that name next to plans isn't.
    let manifest = FileManager.default.contents(atPath: url.appendingPathComponent(ExportedAttachments.manifest).path)
    return manifest.flatMap { try? JSONTree($0).elements } != nil || names.contains(where: Self.isObservation)
  }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }

  private static func isObservation(_ name: String) -> Bool {
    name.hasSuffix(".ndjson") || name.contains(ExportedAttachments.observationName)
  }

  package struct Contents: Sendable {
    package private(set) var observations: [Observation] = []
    package private(set) var tornLines = 0
    /// The number of earlier runs that were left out.
    package private(set) var olderRuns = 0
    /// The number of observations that were left out because their test was repeated.
    package var repetitions: Int { repeated.count }
    private var repeated: Set<String> = []
    private var names: Set<String> = []
    private var ids: Set<String> = []

    package init() {}

    /// Adds a folder's files in the order of their names: those of its last run, or all.
    ///
    /// Returns whether the folder has observations, even if they were added before.
    ///
    /// The folder may have attachments, too, or be an export of them. Each observation counts once, by its id, even if a file was copied or a
    /// folder is given twice, and of a repeated test only those of the last attempt. Observations without a run form one run.
    @discardableResult
    package mutating func add(_ folder: ObservationFolder, allRuns: Bool = false) throws(PlanError) -> Bool {
      let url = folder.url
      guard url.isFolder == true else {
        throw PlanError(
          file: url.relativePath,
          reason:
            "no such folder; set TRACKING_OBSERVATIONS (xcodebuild: TEST_RUNNER_TRACKING_OBSERVATIONS) to it when you run the tests"
        )
      }
      let names = folder.names
      if names.contains(ExportedAttachments.manifest) {
        let exported = try ExportedAttachments(at: url).observations()
        add(last: exported.last, of: exported.all)
        return !exported.all.isEmpty
      }
      var found: [Observation] = []
      for name in names.sorted() where isObservation(name) {
        let file = url.appendingPathComponent(name)
        guard let data = FileManager.default.contents(atPath: file.path) else {
          throw PlanError(file: file.relativePath, reason: "can't be read")
        }
        found += try observations(in: data, of: file.relativePath, isNew: self.names.insert(name).inserted)
      }
      let last = found.max { $0.time < $1.time }?.run
      if !allRuns {
        olderRuns += Set(found.map(\.run)).subtracting([last]).count
        found.removeAll { $0.run != last }
      }
      add(last: found.lastAttempts.withoutRetriedFailures, of: found)
      return !found.isEmpty
    }

    private mutating func observations(
      in data: Data, of file: String, isNew: Bool
    ) throws(PlanError) -> [Observation] {
      var found: [Observation] = []
      for (index, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
        if line.isEmpty { continue }
        let isWhole = line.endIndex < data.endIndex
        if isWhole, let observation = Observation(line: line) {
          found.append(observation)
        } else if isWhole, (try? JSONTree(line)) != nil {
          throw PlanError(
            file: file, line: index + 1, reason: "is not an observation, or one of a newer version of the tool")
        } else if isNew {
          tornLines += 1
        }
      }
      return found
    }

    /// Adds the observations of the tests that were not repeated, such as those of sessions.
    package mutating func add(attempts: [Observation]) { add(last: attempts.withoutRetriedFailures, of: attempts) }

    /// Adds the observations of the last attempts; another folder may have had those of earlier attempts.
    private mutating func add(last: [Observation], of all: [Observation]) {
      repeated.formUnion(Set(all.map(\.id)).subtracting(last.map(\.id)))
      observations.removeAll { repeated.contains($0.id) }
      for observation in last where !repeated.contains(observation.id) { add(observation) }
    }

    /// Adds an observation, unless one with its id was added before.
    private mutating func add(_ observation: Observation) {
      if ids.insert(observation.id).inserted { observations.append(observation) }
    }
  }
}

extension [Observation] {
  /// Removes the observations of earlier executions of a test in the same process, which begins all ids of its observations.
  fileprivate var lastAttempts: [Observation] {
    last(of: { [$1.test, String($0.id.prefix(upTo: $0.id.lastIndex(of: "-") ?? $0.id.endIndex))] }) { _ in true }
  }
}
