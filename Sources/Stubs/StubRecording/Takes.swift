import Foundation
import TrackingJSON
import TrackingModel

/// The differences between two recordings of the same flow.
///
/// Values that an app creates in each run, such as ids and times, differ between them. In requests they are replaced by
/// `{any}`, which matches every value; in answers they are listed as volatile.
struct Takes {
  /// The first take, with what differs in the second.
  private(set) var recording: BackendRecording
  private var volatile: Set<String>
  /// The second take's exchanges that have no partner yet.
  private var others: [RecordedExchange] = []

  init(_ first: BackendRecording, _ second: [RecordedExchange]) {
    recording = first
    recording.exchanges = first.numbered
    volatile = Set(first.volatile)
    // Equal requests first, because requests that are sent at the same time arrive in any order.
    var equal = Dictionary(grouping: second.indices) { RequestKey(second[$0]).inAnyEpoch }.mapValues { $0[...] }
    var left = Set(second.indices)
    var unequal: [Int] = []
    for index in recording.exchanges.indices {
      if let partner = equal[RequestKey(recording.exchanges[index]).inAnyEpoch]?.popFirst() {
        left.remove(partner)
        compare(index, with: second[partner])
      } else {
        unequal.append(index)
      }
    }
    others = left.sorted().map { second[$0] }
    var alone: [Int] = []
    for index in unequal {
      let request = recording.exchanges[index].request
      if let partner = takePartner(where: { $0.request.method == request.method && $0.request.path == request.path }) {
        compare(index, with: partner)
      } else {
        alone.append(index)
      }
    }
    for index in alone { compareWithOtherPath(index) }
    recording.volatile = volatile.sorted()
  }

  private mutating func takePartner(where isPartner: (RecordedExchange) -> Bool) -> RecordedExchange? {
    others.firstIndex(where: isPartner).map { others.remove(at: $0) }
  }

  /// Leaves a segment of the path open, if a request with another path is alike but for that segment.
  private mutating func compareWithOtherPath(_ index: Int) {
    let request = recording.exchanges[index].request
    func segments(_ path: String) -> [Substring] { path.split(separator: "/", omittingEmptySubsequences: false) }
    let own = segments(request.path)
    func differing(_ other: RecordedExchange) -> [Int]? {
      let theirs = segments(other.request.path)
      guard other.request.method == request.method, theirs.count == own.count else { return nil }
      return own.indices.filter { own[$0] != theirs[$0] }
    }
    guard let partner = takePartner(where: { differing($0)?.count == 1 }), let place = differing(partner)?.first else {
      return
    }
    var template = own
    template[place] = ":any"
    let path = template.joined(separator: "/")
    if !recording.paths.contains(path) { recording.paths.append(path) }
    compare(index, with: partner)
  }

  private mutating func compare(_ index: Int, with partner: RecordedExchange) {
    var exchange = recording.exchanges[index]
    let (request, other) = (exchange.request, partner.request)
    exchange.request.query = Self.opened(request.query, other.query, separator: "&")
    exchange.request.body = Self.opened(request, other)
    for field in request.headers.lines {
      guard let value = other.headers[field.name], !Self.areAlike(field.value, value) else { continue }
      exchange.request.headers[field.name] = OpenText.any
    }
    recording.exchanges[index] = exchange
    note(exchange.request.method + " " + exchange.request.path, exchange.answer, partner.answer)
  }

  // MARK: Requests

  /// Items of a query or a form, with those open whose values differ.
  private static func opened(_ text: String?, _ other: String?, separator: Character) -> String? {
    guard let text, let other, text != other else { return text }
    let (own, theirs) = (text.split(separator: separator), other.split(separator: separator))
    func name(_ item: Substring) -> Substring { item.prefix { $0 != "=" } }
    return own.map { item in
      let values = theirs.filter { name($0) == name(item) }
      guard values.count == 1, own.count(where: { name($0) == name(item) }) == 1,
        !areAlike(String(item), String(values[0]))
      else { return String(item) }
      return "\(name(item))=\(OpenText.any)"
    }.joined(separator: String(separator))
  }

  private static func opened(_ request: RecordedExchange.Request, _ other: RecordedExchange.Request) -> Data {
    guard request.body != other.body else { return request.body }
    if let own = try? TrackingValue(json: request.body),
      let theirs = try? TrackingValue(json: other.body)
    {
      let opened = opened(own, theirs)
      guard opened != own else { return request.body }
      var writer = JSONWriter()
      writer.write(opened)
      return Data(writer.bytes)
    }
    if request.headers["Content-Type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
      let text = opened(
        String(decoding: request.body, as: UTF8.self), String(decoding: other.body, as: UTF8.self), separator: "&")
      return Data((text ?? "").utf8)
    }
    return request.body
  }

  private static func opened(_ own: TrackingValue, _ other: TrackingValue) -> TrackingValue {
    switch (own, other) {
    case (.object(let own), .object(let other)):
      .object(
        own.reduce(into: [:]) { $0[$1.key] = other[$1.key].map { [value = $1.value] in opened(value, $0) } ?? $1.value }
      )
    case (.array(let own), .array(let other)) where own.count == other.count:
      .array(zip(own, other).map { opened($0, $1) })
    case (.string(let text), .string(let other)) where areAlike(text, other): own
    default: own == other ? own : .string(OpenText.any)
    }
  }

  /// Whether two texts are the same, but for the numbers of redacted values in them.
  private static func areAlike(_ text: String, _ other: String) -> Bool {
    text == other || Placeholders.unnumbered(text) == Placeholders.unnumbered(other)
  }

  // MARK: Answers

  private mutating func note(_ line: String, _ answer: RecordedExchange.Answer, _ other: RecordedExchange.Answer) {
    if answer.status != other.status { volatile.insert("\(line): status") }
    for name in Set(answer.headers.lines.map { $0.name.lowercased() }) where name != "etag" {
      let (own, theirs) = (answer.headers[name] ?? "", other.headers[name] ?? "")
      if !Self.areAlike(own, theirs) { volatile.insert("\(line): header \(name)") }
    }
    guard answer.body != other.body else { return }
    guard let own = try? TrackingValue(json: answer.body),
      let theirs = try? TrackingValue(json: other.body)
    else {
      volatile.insert("\(line): body")
      return
    }
    note("\(line): body", own, theirs)
  }

  private mutating func note(_ place: String, _ own: TrackingValue, _ other: TrackingValue) {
    switch (own, other) {
    case (.object(let own), .object(let other)):
      for name in Set(own.keys).union(other.keys) {
        guard let (mine, theirs) = own[name].flatMap({ mine in other[name].map { (mine, $0) } }) else {
          volatile.insert("\(place) \(name)")
          continue
        }
        note("\(place) \(name)", mine, theirs)
      }
    case (.array(let own), .array(let other)) where own.count == other.count:
      for (mine, theirs) in zip(own, other) { note("\(place)[]", mine, theirs) }
    case (.string(let text), .string(let other)) where Self.areAlike(text, other): break
    default:
      if own != other { volatile.insert(place) }
    }
  }
}
