import Foundation
import TrackingJSON

/// The files of a recording: one for each method and path, laid out for people who review a change.
///
/// Unchanged exchanges keep their lines: file names follow from the requests, an equal exchange keeps its time, and the order in which parallel
/// requests have arrived makes no difference.
struct RecordingFiles {
  static let bodiesFolder = "bodies"

  /// The contents by their paths in the folder.
  private(set) var files: [String: Data] = [:]
  private let recording: BackendRecording
  /// The first time of each distinct exchange in this recording and the previous one, by its text.
  private var firstTimes: [String: Date] = [:]

  /// The files of a recording, which take the place of another's.
  init(_ recording: BackendRecording, insteadOf old: BackendRecording?) {
    var recording = Self.prepared(recording)
    var texts = recording.exchanges.map { ExchangeText($0, in: recording) }
    Self.orderByNumbers(&recording.exchanges, &texts)
    self.recording = recording
    let old = old.map(Self.prepared)
    if let old { note(old.exchanges, old.exchanges.map { ExchangeText($0, in: old).members }) }
    note(recording.exchanges, texts.map(\.members))
    let entries = Dictionary(grouping: recording.exchanges.indices) {
      Entry(of: recording.exchanges[$0], in: recording)
    }
    let names = Self.names(of: Array(entries.keys))
    for (entry, indices) in entries {
      files[names[entry] ?? ""] = Data(text(of: entry, indices.map { (recording.exchanges[$0], texts[$0]) }).utf8)
    }
    for text in texts { files.merge(text.bodies) { $1 } }
    let lastTime = texts.compactMap { firstTimes[$0.members] }.max() ?? Date(timeIntervalSince1970: 0)
    files[BackendRecording.indexName] = Data(index(lastTime, like: old.map { Self.order(of: $0.exchanges) } ?? []).utf8)
  }

  /// A method and the path, or the template of paths, of the requests in one file.
  struct Entry: Hashable, Comparable {
    let method: String
    let path: String

    fileprivate init(of exchange: RecordedExchange, in recording: BackendRecording) {
      method = exchange.request.method
      path = recording.path(of: exchange)
    }

    static func < (left: Entry, right: Entry) -> Bool { (left.path, left.method) < (right.path, right.method) }
  }

  /// The recording with only those header fields that are written.
  private static func prepared(_ recording: BackendRecording) -> BackendRecording {
    var recording = recording
    recording.exchanges = recording.numbered
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

  /// Brings exchanges that differ only in the numbers of placeholders into the order of the numbers: which of them arrived first says nothing.
  ///
  /// In different epochs only those that change something, whose epochs don't matter.
  private static func orderByNumbers(_ exchanges: inout [RecordedExchange], _ texts: inout [ExchangeText]) {
    let (arrived, arrivedTexts) = (exchanges, texts)
    let groups = Dictionary(grouping: exchanges.indices) { index in
      let request = exchanges[index].request
      let epoch = request.changesSomething ? 0 : exchanges[index].epoch ?? 0
      return Placeholders.unnumbered("\(request.method) \(request.path) \(epoch) \(texts[index].members)")
    }
    for places in groups.values where places.count > 1 {
      for (place, source) in zip(places, places.sorted { arrivedTexts[$0].members < arrivedTexts[$1].members }) {
        (exchanges[place], texts[place]) = (arrived[source], arrivedTexts[source])
        exchanges[place].epoch = arrived[place].epoch
      }
    }
  }

  private mutating func note(_ exchanges: [RecordedExchange], _ texts: [String]) {
    for (exchange, text) in zip(exchanges, texts) where firstTimes[text] == nil { firstTimes[text] = exchange.date }
  }
}

// MARK: - An entry

extension RecordingFiles {
  private func text(of entry: Entry, _ exchanges: [(exchange: RecordedExchange, text: ExchangeText)]) -> String {
    let trees = exchanges.enumerated()
      .map {
        (key: SortKey($1.exchange, arrival: $0, headers: recording.headers), exchange: $1.exchange, text: $1.text)
      }
      .sorted { $0.key < $1.key }
      .map { $0.text.tree(epoch: $0.key.epoch, time: firstTimes[$0.text.members] ?? $0.exchange.date) }
    let tree: JSONTree = [
      "method": JSONTree(entry.method), "path": JSONTree(entry.path), "exchanges": JSONTree(.array(trees)),
    ]
    return tree.text(.lines) + "\n"
  }

  /// The place of an exchange in its file.
  ///
  /// Of an epoch, requests that differ may have arrived in any order; equal ones are a sequence.
  private struct SortKey: Comparable {
    let epoch: Int
    /// The request's line and the fields that tell equal requests apart.
    private let line: String
    private let body: Data
    private let arrival: Int

    init(_ exchange: RecordedExchange, arrival: Int, headers: [String]) {
      epoch = exchange.epoch ?? 0
      let fields = (["Accept-Language", "Range"] + headers).map { exchange.request.headers[$0] ?? "" }
      line = ([exchange.request.line] + fields).joined(separator: "\n")
      body = exchange.request.body
      self.arrival = arrival
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
      if (left.epoch, left.line) != (right.epoch, right.line) {
        return (left.epoch, left.line) < (right.epoch, right.line)
      }
      return left.body == right.body
        ? left.arrival < right.arrival : left.body.lexicographicallyPrecedes(right.body)
    }
  }
}

// MARK: - The index

extension RecordingFiles {
  /// - Parameters:
  ///   - time: When the last exchange was recorded.
  ///   - order: The order of the earlier recording.
  private func index(_ time: Date, like order: [String]) -> String {
    let upstreams = recording.upstreams.sorted { $0.key < $1.key }
      .map { JSONTree.Member($0.key, JSONTree($0.value)) }
    let lines = Self.ordered(Self.order(of: recording.exchanges), like: order)
      .map { String($0.drop { $0 != " " }.dropFirst()) }
    func list(_ texts: [String]) -> JSONTree? { texts.isEmpty ? nil : JSONTree(.array(texts.map { JSONTree($0) })) }
    let tree: JSONTree = [
      "format": JSONTree(integerLiteral: BackendRecording.format),
      "recordedAt": JSONTree(BackendRecording.text(of: time)), "upstreams": JSONTree(.object(upstreams)),
      "paths": list(recording.paths), "headers": list(recording.headers), "redacted": list(recording.redacted),
      "order": list(lines) ?? [],
    ]
    return tree.text(.lines) + "\n"
  }

  /// The request lines, each after its epoch.
  private static func order(of exchanges: [RecordedExchange]) -> [String] {
    exchanges.sorted { ($0.epoch ?? 0) < ($1.epoch ?? 0) }.map { "\($0.epoch ?? 0) \($0.request.line)" }
  }

  /// The lines of each epoch in their earlier order, because requests that are sent at the same time arrive in any order; a new line stays behind
  /// the one in front of it.
  private static func ordered(_ order: [String], like earlier: [String]) -> [String] {
    func epochs(_ lines: [String]) -> [Substring: [String]] { Dictionary(grouping: lines) { $0.prefix { $0 != " " } } }
    let (old, new) = (epochs(earlier), epochs(order))
    return new.sorted { Int($0.key) ?? 0 < Int($1.key) ?? 0 }.flatMap { epoch, lines in
      var places = Dictionary(grouping: (old[epoch] ?? []).enumerated(), by: \.element)
        .mapValues { $0.map(\.offset)[...] }
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
}
