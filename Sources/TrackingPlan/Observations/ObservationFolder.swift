import Foundation
import TrackingModel

/// The folder that processes write observations to and `coverage` and `draft` read.
///
/// Each process has a file of its own, so that none waits for another, and a test that is killed loses its own line alone.
package struct ObservationFolder: Sendable {
  package let url: URL

  package init(_ url: URL) {
    self.url = url
  }

  // MARK: Writing

  /// Names this process among those that ever write to the folder, also after its number has been used again.
  private static let token = "\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString.prefix(8))"
  private static let writing = WritingState()

  /// An id for the next observation of this process.
  package static func nextID() -> String {
    "\(token)-\(writing.next())"
  }

  /// Appends an observation in one call of the system, so that lines of threads don't mix.
  package func append(_ observation: Observation) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let path = url.appendingPathComponent("\(Self.token).ndjson").path
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    let line = observation.line
    let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == line.count else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
  }

  /// Appends an observation; a folder that can't be written to is reported once a process and fails no test.
  package func appendOrReport(_ observation: Observation) {
    do {
      try append(observation)
    } catch {
      guard Self.writing.isFirstFailure() else { return }
      FileHandle.standardError.write(Data("TRACKING_OBSERVATIONS: \(error); this run is not observed\n".utf8))
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let path: String
    let reason: String
    var description: String { "can't write \(path): \(reason)" }
  }

  private final class WritingState: @unchecked Sendable {
    private let lock = NSLock()
    /// Guarded by `lock`.
    private var count = 0
    private var hasFailed = false

    func next() -> Int {
      lock.lock()
      defer { lock.unlock() }
      count += 1
      return count
    }

    func isFirstFailure() -> Bool {
      lock.lock()
      defer { lock.unlock() }
      defer { hasFailed = true }
      return !hasFailed
    }
  }

  // MARK: Reading

  /// All that one or several folders hold.
  package struct Contents: Sendable {
    package private(set) var observations: [Observation] = []
    /// Lines that no process finished writing, or that are no observations.
    package private(set) var tornLines = 0
    private var names: Set<String> = []
    private var ids: Set<String> = []

    package init() {}

    /// How many files were read: one for each process.
    package var files: Int { names.count }

    /// Adds the files of a folder in the order of their names.
    ///
    /// An observation counts once by its id, also when a file was copied or a folder is named twice.
    package mutating func add(_ folder: ObservationFolder) throws(PlanError) {
      let url = folder.url
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue else {
        throw PlanError(
          file: url.relativePath, reason: "no such folder of observations; TRACKING_OBSERVATIONS names it to the tests")
      }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      for name in names.sorted() where name.hasSuffix(".ndjson") {
        guard let data = FileManager.default.contents(atPath: url.appendingPathComponent(name).path) else {
          throw PlanError(file: url.appendingPathComponent(name).relativePath, reason: "can't be read")
        }
        add(data, isNew: self.names.insert(name).inserted)
      }
    }

    private mutating func add(_ data: Data, isNew: Bool) {
      for line in data.split(separator: 0x0A) {
        let isWhole = line.endIndex < data.endIndex
        guard isWhole, let observation = Observation(line: line) else {
          if isNew { tornLines += 1 }
          continue
        }
        if ids.insert(observation.id).inserted { observations.append(observation) }
      }
    }
  }

  /// Reads the observations of this folder alone.
  package func contents() throws(PlanError) -> Contents {
    var contents = Contents()
    try contents.add(self)
    return contents
  }
}
