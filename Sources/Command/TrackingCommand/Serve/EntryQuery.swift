import StubModel
import TrackingModel
import TrackingServer

/// The query of `GET entries`: `kind=event,request&name=purchase&stubbed=false&since=m1`.
struct EntryQuery {
  enum Kind: String, CaseIterable {
    case event, request, rejection
  }

  private(set) var kinds = Kind.allCases
  /// The name of the events; `nil` for all.
  let name: String?
  /// Whether only requests without a stub are listed.
  let isUnstubbed: Bool
  /// The mark after which entries count; `nil` for the default mark.
  let since: String?

  /// - Throws: ``CommandError`` for an unknown word, or a filter that isn't of the kinds.
  init(_ query: ReceivedFields) throws(CommandError) {
    let known = ["kind", "name", "stubbed", "since"]
    var values: [String: String] = [:]
    for item in query.items {
      guard known.contains(item.name) else {
        throw CommandError("\"\(item.name)\" is unknown here; \(UsageError.hint(for: item.name, among: known, prefix: "there are"))")
      }
      guard !item.value.isEmpty else { throw CommandError("\(item.name): the value is empty; leave it out for all") }
      guard values.updateValue(item.value, forKey: item.name) == nil else {
        throw CommandError("\(item.name) is there twice")
      }
    }
    (name, since) = (values["name"], values["since"])
    isUnstubbed = values["stubbed"] != nil
    if let value = values["stubbed"], value != "false" {
      throw CommandError("stubbed: expected false, found \"\(value)\"; requests of all kinds are there without it")
    }
    let named = try values["kind"].map { text throws(CommandError) in try Self.kinds(in: text) }
    for (filter, isThere, kind) in [("name", name != nil, Kind.event), ("stubbed", isUnstubbed, .request)] where isThere {
      guard (named ?? [kind]) == [kind], kinds.contains(kind) else {
        throw CommandError("\(filter) is only of the kind \(kind): send \(kind == .event ? "kind=event" : "kind=request") alone")
      }
      kinds = [kind]
    }
    kinds = named ?? kinds
  }

  private static func kinds(in text: String) throws(CommandError) -> [Kind] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { word throws(CommandError) in
      guard let kind = Kind(rawValue: String(word)) else {
        throw CommandError("kind: \(UsageError.unknown(String(word), among: Kind.allCases.map(\.rawValue)))")
      }
      return kind
    }
  }

  /// Returns the numbers of the entries from a number on, by kind.
  func numbers(in journal: TrackingJournal, from first: Int) -> [Kind: Set<Int>] {
    var numbers = Dictionary(kinds.map { ($0, Set<Int>()) }) { $1 }
    for entry in journal.entries(from: first) {
      guard let kind = kind(of: entry) else { continue }
      numbers[kind]?.insert(entry.number)
    }
    return numbers
  }

  /// Returns the kind of an entry that is listed.
  private func kind(of entry: JournalEntry) -> Kind? {
    switch entry {
    case .event(let event): name.map { event.event.name.isSameText(as: $0) } ?? true ? .event : nil
    case .request(let request): isUnstubbed && !request.isUnmatched ? nil : .request
    case .rejection: .rejection
    }
  }
}
