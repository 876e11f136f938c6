import TrackingJSON
import TrackingModel
import TrackingServer

/// The query of `GET entries`: `kind=event,request&name=purchase&stubbed=false&since=m1`.
struct EntryQuery {
  enum Kind: String, CaseIterable {
    case event, request, rejection
  }

  private static let since = FormMember("since", .mark)

  static let forms = Forms(
    [
      Form(
        "name",
        [
          kinds([.event]), .required("name", .text("an event's name"), "Only the events of this name."), since,
        ]),
      Form(
        "stubbed",
        [
          kinds([.request]), .required("stubbed", .constant(false), "`false`: only the requests that no stub matched."),
          since,
        ]), Form(nil, [kinds(Kind.allCases), since]),
    ], one: "the name is of events, and stubbed is of requests")

  private static func kinds(_ kinds: [Kind]) -> FormMember {
    .init(
      "kind", .list(.words(kinds.map(\.rawValue)), atLeast: 1, "kind"), "Only entries of these kinds; all by default.")
  }

  private let kinds: [Kind]
  /// The name of the events; `nil` for all.
  private let name: String?
  /// Whether only requests without a stub are listed.
  private let isUnstubbed: Bool
  /// The mark after which entries count; `nil` for the default mark.
  let since: String?

  /// - Throws: The unknown word, or the filter that isn't of the kinds.
  init(_ query: JSONNode) throws(JSONError) {
    try Self.forms.check(query)
    (name, since) = (try query["name"]?.string(), try query["since"]?.string())
    isUnstubbed = try query["stubbed"] != nil
    let named = try query["kind"]?.elements().compactMap(\.tree.string).compactMap(Kind.init)
    kinds = named ?? (name != nil ? [.event] : isUnstubbed ? [.request] : Kind.allCases)
  }

  /// Returns the numbers of the entries from a number on, by kind.
  func numbers(in journal: TrackingJournal, from first: Int) -> [Kind: Set<Int>] {
    var numbers = Dictionary(kinds.map { ($0, Set<Int>()) }) { first, _ in first }
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
