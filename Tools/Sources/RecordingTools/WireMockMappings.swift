import Foundation
@_spi(TrackingCommand) import StubRecording

/// WireMock's mapping files as a recording.
///
/// A recording has one request for each answer, so a mapping that answers others too is left out, or taken for one of them. ``notes`` names
/// each with its reason.
public struct WireMockMappings {
  /// The recording.
  public private(set) var recording: BackendRecording
  /// The mappings, and the parts of mappings, that were left out or changed, with the place and the reason.
  public private(set) var notes: [String] = []

  /// Reads a file with one mapping, or with several in the member `mappings`, or a folder with the folders `mappings` and `__files`.
  ///
  /// - Parameters:
  ///   - url: The file or folder.
  ///   - origin: The scheme, host and port of the backend that the mappings stand for.
  /// - Throws: `RecordingError` with the file and the path of an error in it, or the error of reading a file.
  public init(contentsOf url: URL, of origin: String = "http://localhost:8080") throws {
    recording = BackendRecording(upstreams: ["/*": origin])
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    var mappings: [ReadMapping] = []
    if isFolder.boolValue {
      let files = url.appendingPathComponent("__files", isDirectory: true)
      for (name, file) in try Self.files(in: url) {
        mappings += try read(Data(contentsOf: file), named: name, files: files, origin)
      }
    } else {
      mappings = try read(Data(contentsOf: url), named: url.lastPathComponent, files: nil, origin)
    }
    take(mappings)
  }

  /// Reads the text of one mapping, of several in the member `mappings`, or of an array.
  ///
  /// - Throws: `RecordingError` with the path of an error in it.
  public init(_ data: Data) throws {
    recording = BackendRecording(upstreams: ["/*": "http://localhost:8080"])
    take(try read(data, named: "", files: nil, "http://localhost:8080"))
  }

  /// The files with mappings, by their paths in the folder `mappings`.
  private static func files(in folder: URL) throws -> [(name: String, url: URL)] {
    let mappings = folder.appendingPathComponent("mappings", isDirectory: true)
    guard FileManager.default.fileExists(atPath: mappings.path),
      let enumerator = FileManager.default.enumerator(at: mappings, includingPropertiesForKeys: nil)
    else { throw RecordingError("\(folder.path) has no folder \"mappings\"") }
    let files = enumerator.compactMap { $0 as? URL }.filter { $0.pathExtension.lowercased() == "json" }
    guard !files.isEmpty else { throw RecordingError("\(mappings.path) has no JSON file") }
    return files.sorted { $0.path < $1.path }.map { (String($0.path.dropFirst(mappings.path.count + 1)), $0) }
  }

  private mutating func read(
    _ data: Data, named name: String, files: URL?, _ origin: String
  ) throws -> [ReadMapping] {
    let root = try JSONNode(data, file: name)
    var read: [ReadMapping] = []
    for node in root.isArray ? try root.elements() : try root["mappings"]?.elements() ?? [root] {
      do {
        let mapping = try ReadMapping(node, files: files, origin: origin)
        notes += mapping.notes
        read.append(mapping)
      } catch let reason as Untranslatable {
        leaveOut(node, "\(reason)", at: reason.node)
      }
    }
    return read
  }

  private mutating func leaveOut(_ node: JSONNode, _ reason: String, at part: JSONNode? = nil) {
    notes.append("\(node.error("left out: \(reason)", at: part))")
  }

  /// Takes the mapping with the highest priority for each request, and the answers of a scenario in their order.
  private mutating func take(_ mappings: [ReadMapping]) {
    var scenarios: Set<String> = []
    var known: Set<RecordedExchange.Request> = []
    for mapping in mappings.sorted(by: { $0.priority < $1.priority }) {
      var answers = [mapping]
      if let scenario = mapping.scenario {
        guard scenarios.insert(scenario.name).inserted else { continue }
        let parts = mappings.filter { $0.scenario?.name == scenario.name }
        guard let sequence = ReadMapping.sequence(parts) else {
          for part in parts {
            leaveOut(part.node, "its scenario \"\(scenario.name)\" isn't a sequence of answers to one request")
          }
          continue
        }
        answers = sequence
      }
      guard known.insert(mapping.request).inserted else {
        leaveOut(mapping.node, "another mapping answers the same request")
        continue
      }
      if let template = mapping.template, !recording.paths.contains(template) { recording.paths.append(template) }
      recording.exchanges += answers.map {
        RecordedExchange(request: mapping.request, answer: $0.answer, date: Date(), epoch: 0)
      }
    }
    let loose = mappings.count(where: \.answersAnyQuery)
    if loose > 0 {
      notes.append(
        "\(loose.counted(as: "mapping answers", plural: "mappings answer")) any query, and in the recording only requests without one"
      )
    }
  }
}
