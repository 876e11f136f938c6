import Foundation
import TrackingModel

/// The file with the addresses of a running `serve`, as variables that a shell reads: `. ./serve.env`.
enum ServedEnvironment {
  /// Its first line, by which a file of another kind is told from it.
  private static let title = "# Written by `tracking serve`, which removes it at its end."
  private static let checks = TestVariable.serve.name

  /// The variables: the app's, and the URL of checks, whole and in its two parts.
  static func variables(_ app: TrackingEndpoint, checks: String) -> [(String, String)] {
    let parts = checks.components(separatedBy: "#token=")
    return app.launchEnvironment.sorted { $0.key > $1.key }.map { ($0.key, $0.value) }
      + [
        (Self.checks, checks), (TestVariable.serveURL.name, parts[0]),
        (TestVariable.serveToken.name, parts.last ?? ""),
      ]
  }

  /// Writes the file for this user alone, since it has the token, and in one step, since a script may wait for it.
  static func write(_ variables: [(String, String)], to file: String) throws(Refusal) {
    // None of the values has a quotation mark.
    let lines = [title] + variables.map { "export \($0)='\($1)'" }
    let part = "\(file).\(ProcessInfo.processInfo.processIdentifier)"
    let data = Data("\(lines.joined(separator: "\n"))\n".utf8)
    guard FileManager.default.createFile(atPath: part, contents: data, attributes: [.posixPermissions: 0o600]),
      rename(part, file) == 0
    else {
      let reason = String(cString: strerror(errno))
      try? FileManager.default.removeItem(atPath: part)
      throw Refusal("--write-env \(file) can't be written: \(reason)")
    }
  }

  /// Removes the file of an earlier `serve`, so that no script takes its addresses for those of this one.
  ///
  /// - Throws: ``Refusal`` if there is a file of another kind.
  static func remove(_ file: String) throws(Refusal) {
    guard FileManager.default.fileExists(atPath: file) else { return }
    guard let text = try? String(contentsOfFile: file, encoding: .utf8), text.hasPrefix(title) else {
      throw Refusal("--write-env \(file): there is another file, which `tracking serve` hasn't written")
    }
    do {
      try FileManager.default.removeItem(atPath: file)
    } catch {
      throw Refusal("--write-env \(file): \(error.fileReason)")
    }
  }

  /// The URL of checks in a file.
  static func checks(in file: String) throws(Refusal) -> String {
    let text: String
    do {
      text = try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      throw Refusal("--env \(file): \(error.fileReason)")
    }
    let start = "export \(checks)='"
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(start) }) else {
      throw Refusal("--env \(file): it isn't a file of `tracking serve --write-env`")
    }
    return String(line.dropFirst(start.count).dropLast())
  }
}
