import Foundation
import TrackingJSON
import TrackingModel
import TrackingRules

/// A plan's files, read and parsed once; their meaning is up to the formats.
package struct PlanFiles: Sendable {
  package struct File: Sendable {
    /// The path for messages.
    package let name: String
    /// The path in the plan's folder, with slashes; the file's name if the plan is a single file.
    package let relativePath: String
    package let root: JSONTree
    fileprivate let lines: LineTable
  }

  /// The maximum total size of a plan's files, in bytes.
  package static let mostBytes = 16 * 1_024 * 1_024
  /// The generator's configuration, which may be in a plan's folder and isn't part of the plan.
  package static let configurationName = "tracking-plan-generator.json"
  /// The maximum nesting of a file; each level of params takes two: the object of properties and the property.
  private static let deepest = 300

  /// The plan's path, as the caller gave it.
  package let name: String
  /// The file or the folder; `nil` if the plan was given as text.
  package let url: URL?
  package private(set) var files: [File] = []
  private let isFolder: Bool
  private var digests = PlanDigest()
  /// Sixteen hexadecimal digits that identify the plan's content.
  package var digest: String { digests.text }

  /// Reads a file, or all `.json` files in a folder and its subfolders in the order of their paths.
  package init(contentsOf url: URL) throws(PlanError) {
    self.url = url
    name = url.isFileURL ? url.relativePath : url.absoluteString
    guard url.isFileURL, let isFolder = url.isFolder else {
      throw PlanError(file: name, reason: "no such file or folder")
    }
    var rest = Self.mostBytes
    self.isFolder = isFolder
    guard isFolder else {
      try add(url, relativePath: url.lastPathComponent, rest: &rest)
      return
    }
    let paths = Self.paths(in: url)
    guard !paths.isEmpty else { throw PlanError(file: name, reason: Self.refusal(of: url)) }
    for path in paths {
      try add(url.appendingPathComponent(path), relativePath: path, rest: &rest)
    }
  }

  package init(text: String, name: String) throws(PlanError) {
    self.name = name
    url = nil
    isFolder = false
    try add(Array(text.utf8), name: name, relativePath: name)
  }

  /// Whether a folder has files that may be plans.
  package static func areIn(_ folder: URL) -> Bool { !paths(in: folder).isEmpty }

  /// The relative paths of a folder's plan files; Iglu names its schemas by version, without an extension.
  private static func paths(in folder: URL) -> [String] {
    let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return found.filter { path in
      let parts = path.split(separator: "/")
      guard let last = parts.last, last != configurationName, !parts.contains(where: { $0.hasPrefix(".") }) else {
        return false
      }
      return last.hasSuffix(".json") || parts.dropLast().last == "jsonschema"
    }
    .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The reason that a folder without plan files can't be used, with the files that it has.
  private static func refusal(of folder: URL) -> String {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
      !$0.hasPrefix(".")
    }
    .sorted()
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "the folder contains no .json files"
      + (names.isEmpty ? "" : ", but \(names.prefix(3).joined(separator: ", "))\(more)")
  }

  private mutating func add(_ url: URL, relativePath: String, rest: inout Int) throws(PlanError) {
    let name = url.relativePath
    let data: Data
    do {
      // By a handle, because the file may be a pipe.
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      data = try handle.read(upToCount: rest + 1) ?? Data()
      guard data.count <= rest else {
        throw PlanError(file: name, reason: "the plan is larger than \(Self.mostBytes / 1_048_576) MiB")
      }
    } catch let error as PlanError {
      throw error
    } catch {
      throw PlanError(file: name, reason: "can't be read: \(FileReason.of(error))")
    }
    rest -= data.count
    try add([UInt8](data), name: name, relativePath: relativePath)
  }

  private mutating func add(_ bytes: [UInt8], name: String, relativePath: String) throws(PlanError) {
    if let reason = Self.problem(of: bytes) { throw PlanError(file: name, line: 1, reason: reason) }
    let file = Int32(files.count)
    let lines = bytes.withUnsafeBufferPointer { LineTable($0) }
    do throws(JSONError) {
      let root = try JSONTree(bytes, file: file, maximumDepth: Self.deepest)
      files.append(File(name: name, relativePath: relativePath, root: root, lines: lines))
      digests.add(bytes, path: isFolder ? relativePath : "")
    } catch {
      throw PlanError(
        file: name, line: lines.position(of: error.offset).line, path: error.path,
        reason: Self.hint(for: error, in: bytes) ?? error.reason)
    }
  }

  /// The reason that bytes aren't JSON in UTF-8, by what they seem to be instead; `nil` if they may be JSON.
  private static func problem(of bytes: [UInt8]) -> String? {
    let start = bytes.prefix(4)
    if bytes.isEmpty { return "the file is empty" }
    if start.starts(with: [0xEF, 0xBB, 0xBF]) {
      return "begins with a byte order mark; save the file as UTF-8 without one"
    }
    if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) || start.prefix(2).contains(0) {
      return "this is UTF-16; save the file as UTF-8"
    }
    // YAML begins with a key, a comment, `---` or `%YAML`; a JSON plan begins with a bracket.
    switch bytes.first(where: { $0 > 0x20 }) {
    case (UInt8(ascii: "a")...UInt8(ascii: "z"))?, (UInt8(ascii: "A")...UInt8(ascii: "Z"))?, UInt8(ascii: "#"),
      UInt8(ascii: "$"), UInt8(ascii: "-"), UInt8(ascii: "%"):
      return "this is YAML, and a plan is JSON; `yq -o=json` converts it"
    default: return nil
    }
  }

  /// The reason with a hint, if the error looks like JSON5 syntax.
  private static func hint(for error: JSONError, in bytes: [UInt8]) -> String? {
    guard error.offset < bytes.count, error.reason.hasPrefix("expected") else { return nil }
    let isComma = bytes[..<error.offset].last { $0 > 0x20 } == UInt8(ascii: ",")
    let looksLikeJSON5 =
      switch bytes[error.offset] {
      case UInt8(ascii: "/"), UInt8(ascii: "'"): true
      case UInt8(ascii: "}"), UInt8(ascii: "]"): isComma
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        error.reason.hasPrefix("expected a key")
      default: false
      }
    guard looksLikeJSON5 else { return nil }
    return "\(error.reason); this looks like JSON5, and a plan is JSON"
  }
}

extension PlanFiles {
  package func place(of place: JSONTree.Place) -> PlanPlace {
    let file = files[Int(place.file)]
    let (line, column) = file.lines.position(of: Int(place.offset))
    return PlanPlace(file: file.name, line: line, column: column)
  }

  package func place(of node: JSONTree) -> PlanPlace {
    place(of: node.place)
  }

  package func error(at node: JSONTree, path: String, _ reason: String) -> PlanError {
    PlanError(at: place(of: node), path: path, reason)
  }

  /// Returns a node's value; throws an error that names the expected kind if it isn't there.
  func required<Value>(
    _ value: Value?, _ kind: String, of node: JSONTree, path: String
  ) throws(PlanError) -> Value {
    guard let value else { throw error(at: node, path: path, "must be \(kind), found \(node.kind)") }
    return value
  }
}

extension URL {
  /// Whether a file URL leads to a folder; `nil` if nothing exists there.
  package var isFolder: Bool? {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
  }
}
