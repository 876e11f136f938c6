import Foundation
import TrackingModel

/// The files of a recording: one for each method and path, laid out for people who review a change.
///
/// Unchanged exchanges keep their lines: file names follow from the requests, and an equal exchange keeps its time.
struct RecordingFiles {
  /// The largest body, in bytes, that is written into its exchange's file.
  private static let longestInline = 16 * 1_024
  static let bodiesFolder = "bodies"

  /// The contents by their paths in the folder.
  private(set) var files: [String: Data] = [:]
  private let recording: Recording
  /// When each distinct exchange of this recording and the previous one was first recorded.
  private var firstTimes: [String: Date] = [:]
  private var earlierOrder: [String] = []

  /// The files of a recording, which take the place of another's.
  init(_ recording: Recording, insteadOf old: Recording?) {
    self.recording = Self.prepared(recording)
    if let old {
      let old = Self.prepared(old)
      earlierOrder = Self.order(of: old.exchanges)
      note(old)
    }
    note(self.recording)
    let entries = Dictionary(grouping: self.recording.exchanges) { Entry(of: $0, in: recording) }
    let names = Self.names(of: Array(entries.keys))
    var files: [String: Data] = [:]
    for (entry, exchanges) in entries {
      files[names[entry] ?? ""] = Data(text(of: entry, exchanges, bodies: &files).utf8)
    }
    self.files = files
    self.files[Recording.indexName] = Data(index.utf8)
  }

  /// A method and the path, or the template of paths, of the requests in one file.
  private struct Entry: Hashable, Comparable {
    let method: String
    let path: String

    init(of exchange: RecordedExchange, in recording: Recording) {
      method = exchange.request.method
      path = recording.path(of: exchange)
    }

    static func < (left: Entry, right: Entry) -> Bool { (left.path, left.method) < (right.path, right.method) }
  }

  /// The exchanges with what is kept of them.
  private static func prepared(_ recording: Recording) -> Recording {
    var recording = recording
    recording.exchanges = recording.numbered
    let revalidated = Set(
      recording.exchanges.filter { $0.request.headers["If-None-Match"] != nil }.map(\.request.path))
    let kept = Set(Self.keptFields + recording.headers.map { $0.lowercased() })
    for index in recording.exchanges.indices {
      let request = recording.exchanges[index].request
      recording.exchanges[index].request.headers.fields.removeAll { !kept.contains($0.name.lowercased()) }
      guard !revalidated.contains(request.path) else { continue }
      // Without a request that names it, it only changes with each recording.
      recording.exchanges[index].answer.headers.fields.removeAll { $0.name.lowercased() == "etag" }
    }
    return recording
  }

  /// The fields of requests that are kept: those that answers depend on, and that don't change from machine to machine.
  private static let keptFields = [
    "accept", "accept-language", "authorization", "content-type", "if-modified-since", "if-none-match", "range",
  ]

  private mutating func note(_ recording: Recording) {
    for exchange in recording.exchanges {
      var unused: [String: Data] = [:]
      let text = text(of: exchange, bodies: &unused)
      if firstTimes[text] == nil { firstTimes[text] = exchange.date }
    }
  }
}

// MARK: - Names

extension RecordingFiles {
  /// `GET books~42.json`, with a hash if a file system might not distinguish two names.
  private static func names(of entries: [Entry]) -> [Entry: String] {
    var (names, taken): ([Entry: String], Set<String>) = ([:], [])
    for entry in entries.sorted() {
      let segments = entry.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
        $0.hasPrefix(":") ? $0.dropFirst() : $0
      }
      let path = entry.path == "/" ? "~" : segments.map(escaped).joined(separator: "~")
      let hash = EntityTag.of(Array("\(entry.method) \(entry.path)".utf8)).filter(\.isHexDigit)
      var name = "\(escaped(entry.method[...])) \(path)"
      if name.utf8.count > 120 { name = "\(name.prefix(100))-\(hash.prefix(8))" }
      if !taken.insert(name.lowercased()).inserted { name += "-\(hash.prefix(8))" }
      names[entry] = "\(name).json"
    }
    return names
  }

  /// Without the characters that a file system doesn't allow in names.
  private static func escaped(_ text: Substring) -> String {
    text.utf8.reduce(into: "") { name, byte in
      let isPlain = byte > 0x20 && byte < 0x7F && !#"<>:"/\|?*~"#.utf8.contains(byte)
      name +=
        isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }

  /// The file of a body, by its content.
  private static func name(ofBody body: Data, type: String?) -> String {
    let hash = EntityTag.of([UInt8](body)).filter { $0.isHexDigit || $0 == "-" }
    return "\(bodiesFolder)/\(hash).\(MediaType.fileExtension(of: type))"
  }

  /// Whether a file has a name that a body could have.
  static func isNameOfBody(_ name: String) -> Bool {
    name.wholeMatch(of: /[0-9a-f]+-[0-9a-f]+\.[a-z0-9]+/) != nil
  }
}

// MARK: - Texts

extension RecordingFiles {
  private var index: String {
    let order = Self.order(of: recording.exchanges)
    var lines = ["\"format\": \(Recording.format)", "\"recordedAt\": \(quoted(Recording.text(of: lastDate)))"]
    let upstreams = recording.upstreams.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \(quoted($0.value))" }
    lines.append("\"upstreams\": \(block(upstreams, "{}", 1))")
    for (name, values) in [
      ("paths", recording.paths), ("headers", recording.headers), ("redacted", recording.redacted),
      ("volatile", recording.volatile),
    ] where !values.isEmpty { lines.append("\"\(name)\": \(block(values.map(quoted), "[]", 1))") }
    lines.append(
      "\"order\": \(block(Self.stable(order, like: earlierOrder).map { quoted(String($0.drop { $0 != " " }.dropFirst())) }, "[]", 1))"
    )
    return block(lines, "{}", 0) + "\n"
  }

  private var lastDate: Date {
    recording.exchanges.map { time(of: $0) }.max() ?? Date(timeIntervalSince1970: 0)
  }

  /// The request lines, each after its epoch.
  private static func order(of exchanges: [RecordedExchange]) -> [String] {
    exchanges.sorted { ($0.epoch ?? 0) < ($1.epoch ?? 0) }.map { "\($0.epoch ?? 0) \($0.request.line)" }
  }

  /// The lines, each behind the one that it followed earlier: requests that are sent at the same time arrive in any order.
  private static func stable(_ order: [String], like earlier: [String]) -> [String] {
    func epochs(_ lines: [String]) -> [Substring: [String]] { Dictionary(grouping: lines) { $0.prefix { $0 != " " } } }
    let (old, new) = (epochs(earlier), epochs(order))
    return new.sorted { Int($0.key) ?? 0 < Int($1.key) ?? 0 }.flatMap { epoch, lines in
      var places = Dictionary(grouping: (old[epoch] ?? []).enumerated(), by: \.element)
        .mapValues { $0.map(\.offset)[...] }
      // A line that is new stays behind the one in front of it.
      var last = -1
      let keys = lines.map { line in
        let known = places[line]?.popFirst()
        if let known { last = known }
        return (place: last, isNew: known == nil)
      }
      return lines.indices.sorted { left, right in
        let (a, b) = (keys[left], keys[right])
        if a.place != b.place { return a.place < b.place }
        return a.isNew == b.isNew ? left < right : b.isNew
      }.map { lines[$0] }
    }
  }

  private func text(
    of entry: Entry, _ exchanges: [RecordedExchange], bodies: inout [String: Data]
  ) -> String {
    // Requests of an epoch that differ arrive in any order.
    let sorted = exchanges.map { (key: sortKey(of: $0), exchange: $0) }.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      let (x, y) = (a.exchange, b.exchange)
      if (x.epoch ?? 0, a.key) != (y.epoch ?? 0, b.key) { return (x.epoch ?? 0, a.key) < (y.epoch ?? 0, b.key) }
      if x.request.body != y.request.body { return x.request.body.lexicographicallyPrecedes(y.request.body) }
      return left.offset < right.offset
    }.map(\.element.exchange)
    let alone = Self.orderedByNumbers(sorted.map { text(of: $0, bodies: &bodies) })
    let texts = zip(sorted, alone).map { exchange, text in
      let time = "\"recordedAt\": \(quoted(Recording.text(of: time(of: exchange, text))))"
      return String(text.dropLast("\n    }".count)) + ",\n      \(time)\n    }"
    }
    return block(
      [
        "\"method\": \(quoted(entry.method))", "\"path\": \(quoted(entry.path))",
        "\"exchanges\": \(block(texts, "[]", 1))",
      ], "{}", 0) + "\n"
  }

  /// The request's line and the fields that tell equal requests apart.
  private func sortKey(of exchange: RecordedExchange) -> String {
    let names = ["Accept-Language", "Range"] + recording.headers
    return ([exchange.request.line] + names.map { exchange.request.headers[$0] ?? "" }).joined(separator: "\n")
  }

  /// The texts with those in the order of their numbers that differ only in the numbers of placeholders: they too may have arrived in any order.
  private static func orderedByNumbers(_ texts: [String]) -> [String] {
    var ordered = texts
    for places in Dictionary(grouping: texts.indices, by: { Placeholders.unnumbered(texts[$0]) }).values {
      for (place, text) in zip(places, places.map { texts[$0] }.sorted()) { ordered[place] = text }
    }
    return ordered
  }

  /// When an equal exchange was first recorded; otherwise the exchange's own time.
  private func time(of exchange: RecordedExchange, _ text: String? = nil) -> Date {
    var unused: [String: Data] = [:]
    return firstTimes[text ?? self.text(of: exchange, bodies: &unused)] ?? exchange.date
  }

  /// An exchange, without its time.
  private func text(of exchange: RecordedExchange, bodies: inout [String: Data]) -> String {
    let request = exchange.request
    var parts: [String] = []
    if Set(recording.upstreams.values).count > 1 { parts.append("\"origin\": \(quoted(request.origin))") }
    if recording.path(of: exchange) != request.path { parts.append("\"path\": \(quoted(request.path))") }
    if let query = request.query { parts.append("\"query\": \(quoted(query))") }
    parts += content(request.headers, request.body, &bodies)
    let answer =
      ["\"status\": \(exchange.answer.status)"] + content(exchange.answer.headers, exchange.answer.body, &bodies)
    return block(
      [
        "\"epoch\": \(exchange.epoch ?? 0)", "\"request\": \(block(parts, "{}", 3))",
        "\"answer\": \(block(answer, "{}", 3))",
      ], "{}", 2)
  }

  private func content(_ headers: HeaderFields, _ body: Data, _ bodies: inout [String: Data]) -> [String] {
    var parts: [String] = []
    if !headers.fields.isEmpty {
      let names = Dictionary(grouping: headers.fields) { $0.name }.sorted {
        ($0.key.lowercased(), $0.key) < ($1.key.lowercased(), $1.key)
      }
      let lines = names.map { name, fields in
        let values = fields.map { quoted($0.value) }
        return "\(quoted(name)): \(values.count == 1 ? values[0] : block(values, "[]", 5))"
      }
      parts.append("\"headers\": \(block(lines, "{}", 4))")
    }
    if let body = self.body(body, type: headers["Content-Type"], &bodies) { parts.append(body) }
    return parts
  }

  private func body(_ body: Data, type: String?, _ bodies: inout [String: Data]) -> String? {
    guard !body.isEmpty else { return nil }
    if body.count <= Self.longestInline {
      let isJSON = type.map { $0.lowercased().contains("json") } ?? true
      if isJSON, let json = try? JSONText(body) { return "\"json\": \(json.pretty(depth: 4))" }
      if let text = String(data: body, encoding: .utf8), !text.unicodeScalars.contains(where: Self.isBinary) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count > 1 else { return "\"text\": \(quoted(text))" }
        let ended = lines.enumerated().map { $0 < lines.count - 1 ? $1 + "\n" : $1 }.filter { !$0.isEmpty }
        return "\"text\": \(block(ended.map(quoted), "[]", 4))"
      }
    }
    let name = Self.name(ofBody: body, type: type)
    bodies[name] = body
    return "\"file\": \(quoted(name))"
  }

  private static func isBinary(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && !"\n\r\t".unicodeScalars.contains(scalar) || scalar.value == 0x7F
  }

  private func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.write(string: text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Lines in brackets, two spaces deeper than the brackets.
  private func block(_ lines: [String], _ brackets: String, _ depth: Int) -> String {
    guard !lines.isEmpty else { return brackets }
    let indent = String(repeating: "  ", count: depth)
    return "\(brackets.prefix(1))\n" + lines.map { "\(indent)  \($0)" }.joined(separator: ",\n")
      + "\n\(indent)\(brackets.suffix(1))"
  }
}
