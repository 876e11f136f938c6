import Foundation
import StubReplay
import TrackingJSON
import TrackingModel

struct RecordingFiles {
  private let content: RecordingFormat
  private let folder: URL
  private var bodies: URL { folder.appending(path: RecordingFormat.bodiesFolder) }

  init(_ recording: BackendRecording, in folder: URL) {
    (content, self.folder) = (RecordingFormat(recording), folder)
  }

  /// If writing fails, removes the written bodies.
  func write() throws {
    try Self.check(folder)
    let manager = FileManager.default
    let before = Set((try? manager.contentsOfDirectory(atPath: bodies.path(percentEncoded: false))) ?? [])
    do {
      for step in steps() { try step() }
    } catch {
      for name in (try? manager.contentsOfDirectory(atPath: bodies.path(percentEncoded: false))) ?? []
      where !before.contains(name) {
        try? manager.removeItem(at: bodies.appending(path: name))
      }
      rmdir(bodies.path(percentEncoded: false))
      throw RecordingError("\(folder.path(percentEncoded: false)) can't be written: \(FileReason.of(error)).")
    }
  }

  /// Refuses a folder of bodies that is a link: files elsewhere would be written and removed.
  static func check(_ folder: URL) throws {
    let path = folder.appending(path: RecordingFormat.bodiesFolder).path(percentEncoded: false)
    guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil else { return }
    throw RecordingError("\(path) is a link, and bodies are only written into a folder: remove it.")
  }

  /// The changes of the folder, in order.
  ///
  /// Between any two, the folder has the earlier recording or this one: bodies are written before `recording.json` replaces the earlier file
  /// atomically, and removed after that.
  func steps() -> [() throws -> Void] {
    let manager = FileManager.default
    let old = Self.filesOfFirstFormat(in: folder)
    var steps: [() throws -> Void] = [
      { try manager.createDirectory(at: content.bodies.isEmpty ? folder : bodies, withIntermediateDirectories: true) }
    ]
    for (name, data) in content.bodies.sorted(by: { $0.key < $1.key }) {
      let url = folder.appending(path: name)
      if (try? Data(contentsOf: url)) != data { steps.append { try data.write(to: url, options: .atomic) } }
    }
    steps.append { try content.index.write(to: folder.appending(path: RecordingFormat.indexName), options: .atomic) }
    func remove(_ isObsolete: (String) -> Bool, in folder: URL) {
      for name in (try? manager.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
      // The name of Foundation's temporary files; a killed recorder has left this one.
      where isObsolete(name) || name.hasPrefix(".dat.nosync") {
        steps.append { try manager.removeItem(at: folder.appending(path: name)) }
      }
    }
    remove(old.contains, in: folder)
    remove(
      {
        $0.wholeMatch(of: /[0-9a-f]+-[0-9a-f]+\.[a-z0-9]+/) != nil
          && content.bodies["\(RecordingFormat.bodiesFolder)/\($0)"] == nil
      }, in: bodies)
    steps.append { if content.bodies.isEmpty { rmdir(bodies.path(percentEncoded: false)) } }
    return steps
  }

  /// Recordings of format 1 had one file for each method and path.
  private static func filesOfFirstFormat(in folder: URL) -> Set<String> {
    func tree(_ name: String) -> JSONTree? {
      (try? Data(contentsOf: folder.appending(path: name))).flatMap { try? JSONTree($0) }
    }
    guard tree(RecordingFormat.indexName)?["format"]?.int == 1 else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
    return Set(
      names.filter { name in
        guard name.contains(/^\S+ .*\.json$/), let file = tree(name) else { return false }
        return ["method", "path", "exchanges"].allSatisfy { file[$0] != nil }
      })
  }
}
