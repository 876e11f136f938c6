import Foundation
import TrackingJSON

/// The files of a recording: `recording.json`, laid out for people who review a change, and bodies that are binary or large.
///
/// Two recordings of one flow have the same files, in whatever order parallel requests arrived.
struct RecordingFiles {
  /// The largest body, in bytes, that is written into `recording.json`.
  private static let longestInline = 16 * 1_024

  private var index = Data()
  /// The bodies in separate files, by their paths.
  private var bodies: [String: Data] = [:]

  /// - Parameter recording: A recording without secrets.
  init(_ recording: BackendRecording) {
    let recording = Self.prepared(recording)
    let exchanges = recording.exchanges.map { tree(of: $0, in: recording) }
    func list(_ texts: [String]) -> JSONTree? { texts.isEmpty ? nil : JSONTree(.array(texts.map { JSONTree($0) })) }
    let upstreams = recording.upstreams.sorted { $0.key < $1.key }
      .map { JSONTree.Member($0.key, JSONTree($0.value)) }
    let whole: JSONTree = [
      "format": JSONTree(integerLiteral: BackendRecording.format), "upstreams": JSONTree(.object(upstreams)),
      "paths": list(recording.paths), "headers": list(recording.headers), "exchanges": JSONTree(.array(exchanges)),
    ]
    index = Data((whole.text(.lines) + "\n").utf8)
  }

  // MARK: Content

  /// The recording with only those header fields that are written.
  private static func prepared(_ recording: BackendRecording) -> BackendRecording {
    var recording = recording
    let revalidated = Set(
      recording.exchanges.filter { $0.request.headers["If-None-Match"] != nil }.map(\.request.path))
    let kept = Set(keptFields + recording.headers.map { $0.lowercased() })
    let handedOut = recording.handedOut
    for index in recording.exchanges.indices {
      let request = recording.exchanges[index].request
      recording.exchanges[index].request.headers.lines = request.headers.lines.compactMap { field in
        if kept.contains(field.name.lowercased()) { return field }
        guard field.name.isCookie else { return OpenText.isHandedOut(field.value, in: handedOut) ? field : nil }
        // Sorted, because URL loading sends them in any order.
        let cookies = OpenText.cookies(of: field.value).filter { OpenText.isHandedOut($0.value, in: handedOut) }
        let text = cookies.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "; ")
        return text.isEmpty ? nil : .init(name: field.name, value: text)
      }
      guard !revalidated.contains(request.path) else { continue }
      // Without a request that names it, it only changes with each recording.
      recording.exchanges[index].answer.headers.lines.removeAll { $0.name.lowercased() == "etag" }
    }
    return recording
  }

  /// The fields of requests that are kept: those that answers depend on, and that don't change from machine to machine.
  ///
  /// Of the others, values that an answer has handed out are kept: they say who asks.
  private static let keptFields = [
    "accept", "accept-language", "authorization", "content-type", "if-modified-since", "if-none-match", "range",
  ]

  private mutating func tree(of exchange: RecordedExchange, in recording: BackendRecording) -> JSONTree {
    let (request, answer) = (exchange.request, exchange.answer)
    let target: JSONTree = [
      "method": JSONTree(request.method),
      "origin": Set(recording.upstreams.values).count > 1 ? JSONTree(request.origin) : nil,
      "path": JSONTree(request.path), "query": request.query.map { JSONTree($0) },
    ]
    let status: JSONTree = ["status": JSONTree(integerLiteral: answer.status)]
    return [
      "epoch": JSONTree(integerLiteral: exchange.epoch ?? 0),
      "request": target.adding(content(request.headers, request.body)),
      "answer": status.adding(content(answer.headers, answer.body)),
    ]
  }

  private mutating func content(_ headers: MessageHeaders, _ body: Data) -> [JSONTree.Member] {
    var parts: [JSONTree.Member] = []
    if !headers.lines.isEmpty {
      let names = Dictionary(grouping: headers.lines) { $0.name }.sorted {
        ($0.key.lowercased(), $0.key) < ($1.key.lowercased(), $1.key)
      }
      let members = names.map { name, fields in
        let values = fields.map { JSONTree($0.value) }
        return JSONTree.Member(name, values.count == 1 ? values[0] : JSONTree(.array(values)))
      }
      parts.append(.init("headers", JSONTree(.object(members))))
    }
    if !body.isEmpty { parts.append(self.body(body, type: headers["Content-Type"])) }
    return parts
  }

  private mutating func body(_ body: Data, type: String?) -> JSONTree.Member {
    if body.count <= Self.longestInline {
      let isJSON = type.map { $0.lowercased().contains("json") } ?? true
      if isJSON, let json = try? JSONTree(body, spelling: .written, maximumDepth: BackendRecording.deepestBody) {
        return .init("json", json)
      }
      // Foundation's decoding would drop a byte order mark.
      let text = String(decoding: body, as: UTF8.self)
      if Data(text.utf8) == body, !text.unicodeScalars.contains(where: Self.isBinary) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count > 1 else { return .init("text", JSONTree(text)) }
        let ended = lines.enumerated().map { $0 < lines.count - 1 ? $1 + "\n" : $1 }.filter { !$0.isEmpty }
        return .init("text", JSONTree(.array(ended.map { JSONTree($0) })))
      }
    }
    let hash = EntityTag.of([UInt8](body)).filter { $0.isHexDigit || $0 == "-" }
    let name = "\(BackendRecording.bodiesFolder)/\(hash).\(MediaType.fileExtension(of: type))"
    bodies[name] = body
    return .init("file", JSONTree(name))
  }

  private static func isBinary(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && !"\n\r\t".unicodeScalars.contains(scalar) || scalar.value == 0x7F
  }
}

// MARK: - Writing

extension RecordingFiles {
  /// Writes the files, and removes bodies of an earlier recording that no exchange names any more.
  func write(to folder: URL) throws {
    do {
      for step in steps(in: folder) { try step() }
    } catch {
      throw RecordingError("\(folder.path(percentEncoded: false)) can't be written: \(error.localizedDescription).")
    }
  }

  /// The changes of the folder, in order.
  ///
  /// Between any two, the folder holds the earlier recording or this one: bodies are written before `recording.json` takes the place of the
  /// earlier one, in one step, and removed after it.
  func steps(in folder: URL) -> [() throws -> Void] {
    let (manager, all) = (FileManager.default, folder.appending(path: BackendRecording.bodiesFolder))
    var steps: [() throws -> Void] = [
      { [bodies] in
        try manager.createDirectory(at: bodies.isEmpty ? folder : all, withIntermediateDirectories: true)
      }
    ]
    for (name, data) in bodies.sorted(by: { $0.key < $1.key }) {
      let url = folder.appending(path: name)
      if (try? Data(contentsOf: url)) != data { steps.append { try data.write(to: url, options: .atomic) } }
    }
    steps.append { [index] in
      try index.write(to: folder.appending(path: BackendRecording.indexName), options: .atomic)
    }
    func remove(_ isObsolete: (String) -> Bool, in folder: URL) {
      for name in (try? manager.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
      // Foundation writes a file under such a name before it takes the place of another; a killed recorder has left it.
      where isObsolete(name) || name.hasPrefix(".dat.nosync") {
        steps.append { try manager.removeItem(at: folder.appending(path: name)) }
      }
    }
    remove({ _ in false }, in: folder)
    remove(
      { [bodies] in Self.isNameOfBody($0) && bodies["\(BackendRecording.bodiesFolder)/\($0)"] == nil }, in: all)
    steps.append { [bodies] in if bodies.isEmpty { rmdir(all.path(percentEncoded: false)) } }
    return steps
  }

  /// Whether a file has a name that a body could have.
  private static func isNameOfBody(_ name: String) -> Bool {
    name.wholeMatch(of: /[0-9a-f]+-[0-9a-f]+\.[a-z0-9]+/) != nil
  }
}
