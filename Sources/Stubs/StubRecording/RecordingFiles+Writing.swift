import Foundation

extension RecordingFiles {
  /// Writes the files that changed, then removes those of the earlier recording that are no longer there.
  func write(to folder: URL) throws {
    let manager = FileManager.default
    var created: [URL] = []
    do {
      let bodies = folder.appending(path: Self.bodiesFolder, directoryHint: .isDirectory)
      let hasBodies = files.keys.contains { $0.hasPrefix(Self.bodiesFolder) }
      try manager.createDirectory(at: hasBodies ? bodies : folder, withIntermediateDirectories: true)
      let obsolete = Self.existing(in: folder).filter { files[$0] == nil }
      func remove(_ name: String) throws { try manager.removeItem(at: folder.appending(path: name)) }
      // On a file system that ignores case, a name that differs only in case is that of the new file.
      let names = Set(files.keys.map { $0.lowercased() })
      for name in obsolete where names.contains(name.lowercased()) { try remove(name) }
      // Bodies before the exchanges that name them, and the index last.
      for (name, data) in files.sorted(by: { Self.rank($0.key) < Self.rank($1.key) }) {
        let url = folder.appending(path: name)
        // The index always: its time says whether this run has written the recording.
        if name == BackendRecording.indexName || (try? Data(contentsOf: url)) != data {
          if !manager.fileExists(atPath: url.path(percentEncoded: false)) { created.append(url) }
          try data.write(to: url, options: .atomic)
        }
      }
      for name in obsolete where !names.contains(name.lowercased()) { try remove(name) }
      if !hasBodies, (try? manager.contentsOfDirectory(atPath: bodies.path(percentEncoded: false)))?.isEmpty == true {
        try manager.removeItem(at: bodies)
      }
    } catch {
      // No index names them, as on a disk that is full.
      for url in created { try? manager.removeItem(at: url) }
      throw RecordingError("\(folder.path(percentEncoded: false)) can't be written: \(error.localizedDescription).")
    }
  }

  private static func rank(_ name: String) -> (Int, String) {
    (name.hasPrefix(bodiesFolder) ? 0 : name == BackendRecording.indexName ? 2 : 1, name)
  }

  /// The files of a recording, also those that a killed recorder was about to write; others in its folder are left alone.
  static func existing(in folder: URL) -> [String] {
    func names(_ path: String, _ isOwn: (String) -> Bool) -> [String] {
      let path = folder.appending(path: path).path(percentEncoded: false)
      // Foundation writes a file under such a name before it takes the place of another.
      return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
        .filter { isOwn($0) || $0.hasPrefix(".dat.nosync") }
    }
    return ((try? BackendRecording.entryNames(in: folder)) ?? []) + names("") { _ in false }
      + names(bodiesFolder, isNameOfBody).map { "\(bodiesFolder)/\($0)" }
  }
}
