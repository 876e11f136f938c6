#if canImport(Darwin)
  import Foundation
  import XCTest

  /// A regular file that exists and that this user cannot read.
  package struct UnreadableFile: Sendable {
    package let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    package let name = "secret.json"

    /// Skips the test if root runs it, whom no permission stops.
    package init() throws {
      try XCTSkipIf(getuid() == 0, "root can read every file")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: name)
      try Data("{}".utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path(percentEncoded: false))
    }

    package func remove() {
      try? FileManager.default.removeItem(at: folder)
    }
  }
#endif
