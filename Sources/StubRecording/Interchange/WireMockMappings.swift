import Foundation
import StubModel

/// The stubs of WireMock's mapping files.
///
/// ```swift
/// let mappings = try WireMockMappings(folder: URL(fileURLWithPath: "wiremock"))     // with the folders mappings and __files
/// for endpoint in mappings.endpoints { verifier.stub(endpoint) }
/// ```
///
/// A mapping that a stub can't express is left out, so that no stub matches more requests than its mapping did. ``notes`` names each
/// with its reason.
public struct WireMockMappings: Sendable {
  /// The stubs, lowest priority first: if several match, the later one answers.
  public private(set) var endpoints: [StubEndpoint] = []
  /// What was left out or changed, with the place and the reason.
  public private(set) var notes: [String] = []

  /// The mappings in a folder that has the folders `mappings` and `__files`, as a WireMock server reads it.
  ///
  /// - Throws: `RecordingError` with the file and the path of what is wrong in it, or the error of reading a file.
  public init(folder: URL) throws {
    let mappings = folder.appendingPathComponent("mappings", isDirectory: true)
    guard FileManager.default.fileExists(atPath: mappings.path),
      let enumerator = FileManager.default.enumerator(at: mappings, includingPropertiesForKeys: nil)
    else { throw RecordingError("\(folder.path) has no folder \"mappings\"") }
    let files = enumerator.compactMap { $0 as? URL }.filter { $0.pathExtension.lowercased() == "json" }
    guard !files.isEmpty else {
      throw RecordingError("\(mappings.path) has no JSON file")
    }
    var found: [ReadMapping] = []
    for file in files.sorted(by: { $0.path < $1.path }) {
      try found += read(
        Data(contentsOf: file), named: String(file.path.dropFirst(mappings.path.count + 1)),
        files: folder.appendingPathComponent("__files", isDirectory: true))
    }
    take(found)
  }

  /// The mappings in a file: one, or several in the member `mappings`.
  ///
  /// Answers may name files of a folder; without it, such mappings are left out.
  ///
  /// - Throws: `RecordingError` with the path of what is wrong in it, or the error of reading the file.
  public init(contentsOf url: URL, files: URL? = nil) throws {
    take(try read(Data(contentsOf: url), named: url.lastPathComponent, files: files))
  }

  private mutating func read(_ data: Data, named name: String, files: URL?) throws -> [ReadMapping] {
    let root = try JSONNode(data, file: name)
    var read: [ReadMapping] = []
    for node in try root["mappings"]?.elements() ?? [root] {
      do {
        let mapping = try ReadMapping(node, files: files.map { .url($0) })
        notes += mapping.notes
        read.append(mapping)
      } catch let reason as Untranslatable {
        notes.append(Self.leftOut(node, "\(reason)"))
      }
    }
    return read
  }

  private static func leftOut(_ node: JSONNode, _ reason: String) -> String {
    "\(node.error("left out: \(reason)"))"
  }

  /// Makes stubs of mappings: one of each, or one of a scenario whose answers follow one another.
  private mutating func take(_ mappings: [ReadMapping]) {
    var taken: [(priority: Int, endpoint: StubEndpoint)] = []
    var scenarios: Set<String> = []
    for mapping in mappings {
      guard let scenario = mapping.scenario else {
        taken.append((mapping.priority, mapping.endpoint))
        continue
      }
      guard scenarios.insert(scenario.name).inserted else { continue }
      let parts = mappings.filter { $0.scenario?.name == scenario.name }
      if let endpoint = Self.sequence(parts) {
        taken.append((mapping.priority, endpoint))
      } else {
        for part in parts {
          let reason = "its scenario \"\(scenario.name)\" isn't a sequence of answers to one request"
          notes.append(Self.leftOut(part.node, reason))
        }
      }
    }
    endpoints = taken.enumerated().sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }
      .map(\.element.endpoint)
  }

  /// One stub for a scenario: equal requests, and states that lead from one answer to the next.
  private static func sequence(_ mappings: [ReadMapping]) -> StubEndpoint? {
    guard var endpoint = mappings.first?.endpoint else { return nil }
    // A mapping without a required state answers in every state.
    if mappings.count == 1, mappings[0].scenario?.required == nil { return endpoint }
    endpoint.results = []
    endpoint.name = nil
    var rest = mappings
    var state: String? = "Started"
    while let current = state {
      let next = rest.indices.filter { rest[$0].scenario?.required == current }
      guard next.count == 1 else { return nil }
      let mapping = rest.remove(at: next[0])
      var conditions = mapping.endpoint
      endpoint.results += conditions.results
      conditions.results = []
      conditions.name = nil
      var own = endpoint
      own.results = []
      guard conditions == own else { return nil }
      state = mapping.scenario?.next == current ? nil : mapping.scenario?.next
    }
    return rest.isEmpty ? endpoint : nil
  }
}
