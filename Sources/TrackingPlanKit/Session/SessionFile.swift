import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

/// The events of a `session.json`, as `tracking serve --save` and failed tests write it.
public struct SessionFile {
  package struct Event {
    /// The event's number among all entries of the session.
    package let number: Int
    package let event: TrackingEvent
    /// Whether a wait of the test matched it.
    package let isMatched: Bool
  }

  /// The newest version that is read.
  private static let version = 1
  private static let format = "tracking-session"
  private static let deepest = 512

  /// The file's path, as the caller gave it.
  package let name: String
  /// The name of the test; empty if there is none.
  package let title: String
  package private(set) var events: [Event] = []
  /// The submissions that the server refused.
  package private(set) var rejections = 0
  /// The entries that were left out when the file was written.
  package let omitted: Int
  /// The events that were tracked and never arrived.
  package let lost: Int
  /// Equal for copies of a file, within one run of the tool.
  private let identity: String

  /// Whether a file says that it is a session, of whichever version, even if the rest of it can't be read.
  package static func isSession(_ path: String) -> Bool {
    guard let data = try? data(at: path) else { return false }
    return [UInt8](data).withUnsafeBufferPointer { buffer in
      var reader = JSONReader(buffer, maximumDepth: deepest)
      var format: String?
      try? reader.object { (reader, key) throws(JSONError) in
        guard key == "format", reader.peek() == UInt8(ascii: "\"") else {
          try reader.skipValue()
          return true
        }
        format = try reader.string()
        // An answer: the rest of the file doesn't matter.
        return false
      }
      return format == Self.format
    }
  }

  /// Reads a file's bytes; it may be a pipe.
  ///
  /// - Throws: ``PlanError`` with the reason in the system's words.
  public static func data(at path: String) throws(PlanError) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      return try handle.readToEnd() ?? Data()
    } catch {
      throw PlanError(file: path, reason: "can't be read: \(error.fileReason)")
    }
  }

  package init(contentsOf path: String) throws(PlanError) {
    try self.init(Self.data(at: path), name: path)
  }

  /// Reads a session from a file's bytes.
  ///
  /// - Throws: ``PlanError`` with the line and the reason if it isn't one, or is one of a newer version.
  public init(_ data: Data, name: String) throws(PlanError) {
    let bytes = [UInt8](data)
    let root = try Self.members(of: bytes, name: name)
    guard root["format"] == .string(Self.format) else {
      throw PlanError(
        file: name, reason: "is not a session: it has no member \"format\" with the value \"\(Self.format)\"")
    }
    guard case .int(let version)? = root["version"] else {
      throw PlanError(file: name, path: "version", reason: "is missing or is not an integer")
    }
    guard version <= Self.version else {
      throw PlanError(
        file: name,
        reason: "is a session of version \(version), and this tool reads version \(Self.version); update the tool")
    }
    guard case .array(let entries)? = root["entries"] else {
      throw PlanError(file: name, path: "entries", reason: "is missing or is not an array")
    }
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    identity = "session-\(hasher.finalize())"
    self.name = name
    title = root["title"]?.text ?? ""
    omitted = root["omittedEntries"]?.integer ?? 0
    lost = (root["lost"]?.elements ?? []).reduce(0) { total, loss in
      let sum = total.addingReportingOverflow(loss["count"]?.integer ?? 0)
      return sum.overflow ? .max : sum.partialValue
    }
    for (index, entry) in entries.enumerated() {
      switch entry["kind"]?.text {
      case "event":
        guard let name = entry["name"]?.text, case .object(let params) = entry["params"] ?? .object([:]) else {
          throw PlanError(
            file: self.name, path: "entries[\(index)]",
            reason: "an event needs a \"name\" that is a string, and \"params\" that are an object")
        }
        events.append(
          Event(
            number: entry["number"]?.integer ?? index + 1,
            event: TrackingEvent(
              name: name,
              params: [TrackingParam: TrackingValue](params.map { (.custom(key: $0), $1) }) { first, _ in first }),
            isMatched: entry["isMatched"] == .bool(true)))
      case "rejection": rejections += 1
      case nil:
        throw PlanError(
          file: self.name, path: "entries[\(index)]", reason: "an entry needs a \"kind\" that is a string")
      default: break
      }
    }
  }

  private static func members(of bytes: [UInt8], name: String) throws(PlanError) -> [String: TrackingValue] {
    guard !bytes.isEmpty else { throw PlanError(file: name, reason: "is empty, expected a session") }
    let result: Result<[String: TrackingValue], JSONError> = bytes.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(buffer, maximumDepth: deepest)
      do throws(JSONError) {
        let members = try reader.members()
        try reader.end()
        return .success(members)
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let members): return members
    case .failure(let error):
      let line = bytes.withUnsafeBufferPointer { LineTable($0) }.position(of: error.offset).line
      throw PlanError(file: name, line: line, path: error.path, reason: error.reason)
    }
  }
}

extension SessionFile {
  /// The session as a test's observation, which coverage and drafts count.
  var observation: Observation {
    let collector = ObservationCollector()
    for event in events { collector.add(event.event, isMatched: event.isMatched) }
    return collector.observation(id: identity, test: title.isEmpty ? name : title)
  }
}

extension TrackingValue {
  fileprivate subscript(key: String) -> TrackingValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var integer: Int? { if case .int(let value) = self { value } else { nil } }
  fileprivate var elements: [TrackingValue]? { if case .array(let values) = self { values } else { nil } }
}
