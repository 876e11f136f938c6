import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan
import TrackingServer
import TrackingVerifier

/// One change to the received entries of a test.
struct Mutant: Sendable {
  enum Change: Sendable {
    case whole(MutationReport.Change)
    case value(ValueSite, ValueChange)
  }

  /// The indices of the changed entries; two if they are exchanged.
  let entries: [Int]
  let change: Change
}

extension Mutant {
  /// The mutants of all received entries, except exchanges, in the order of arrival: one list for each entry as a whole and for each value.
  static func sites(of test: KeptTest) -> [[Mutant]] {
    test.entries.enumerated().flatMap { index, entry -> [[Mutant]] in
      let whole: [MutationReport.Change] =
        switch entry {
        case .event: [.missing, .doubled, .renamed, .extended]
        case .request: [.missing, .doubled]
        case .rejection: []
        }
      let values = entry.sites.map { site in site.changes.map { Change.value(site, $0) } }
      return ([whole.map { .whole($0) }] + values).filter { !$0.isEmpty }.map {
        $0.map { Mutant(entries: [index], change: $0) }
      }
    }
  }

  /// The exchanges of neighbouring entries of one process.
  ///
  /// Separate, because whether a wait had ended between two events differs from run to run.
  static func exchanges(of test: KeptTest, areExchangeable: (Int, Int) -> Bool) -> [Mutant] {
    var last: [String?: Int] = [:]
    var pairs: [[Int]] = []
    for (index, entry) in test.entries.enumerated() {
      guard let event = entry.event else { continue }
      // Exchanging equal neighbours changes nothing.
      if let earlier = last.updateValue(index, forKey: event.launch),
        test.entries[earlier].event?.event != event.event, areExchangeable(earlier, index)
      {
        pairs.append([earlier, index])
      }
    }
    return pairs.sorted { $0[0] < $1[0] }.map { Mutant(entries: $0, change: .whole(.exchanged)) }
  }

  /// The entries that replace those at some indices; `nil` if the change can't be made.
  func edits(in entries: [JournalEntry]) -> [Int: [JournalEntry]]? {
    let (index, entry) = (self.entries[0], entries[self.entries[0]])
    switch change {
    case .whole(.missing): return [index: []]
    // Another number, so that two waits can match one each. Not the next one, which an entry after the last would have.
    case .whole(.doubled): return [index: [entry, entry.with(number: (entries.last?.number ?? 0) + 2)]]
    case .whole(.exchanged):
      let other = entries[self.entries[1]]
      guard let first = entry.event?.event, let second = other.event?.event else { return nil }
      return [index: [entry.changing { $0 = second }], self.entries[1]: [other.changing { $0 = first }]]
    case .whole(.renamed): return [index: [entry.changing { $0.name += "x" }]]
    case .whole(.extended): return [index: [entry.changing { $0.params[.custom(key: ValueChange.addedName)] = 1 }]]
    case .value(let site, let change): return entry.changing(site, by: change).map { [index: [$0]] }
    }
  }
}

extension JournalEntry {
  /// The values in the params of an event, or in the body of a request.
  var sites: [ValueSite] {
    switch self {
    case .event(let recorded):
      ValueSite.all(
        in: .object(Dictionary(recorded.event.params.map { ($0.key.key, $0.value) }) { first, _ in first }))
    case .request(let request): request.json.map(ValueSite.all) ?? []
    case .rejection: []
    }
  }

  /// The entries with one other value each, such that every closure that could read the old value can read the new one.
  var nearest: [JournalEntry] {
    sites.flatMap { site in
      site.changes.filter { $0.isSafe(for: site.value) }.compactMap { changing(site, by: $0) }
    }
  }

  fileprivate func changing(_ site: ValueSite, by change: ValueChange) -> JournalEntry? {
    if let request {
      return request.json?.changing(at: site.path.steps) { change.applied(to: $0) }.flatMap { json in
        var writer = JSONWriter()
        writer.write(json)
        return request.with(body: Data(writer.bytes)).map { .request($0) }
      }
    }
    return changing { $0 = $0.changing(site, by: change) }
  }

  /// The entry with a changed event; a request stays the same.
  fileprivate func changing(_ change: (inout TrackingEvent) -> Void) -> JournalEntry {
    guard let recorded = event else { return self }
    var event = recorded.event
    change(&event)
    return .event(recorded.with(event))
  }

  fileprivate func with(number: Int) -> JournalEntry {
    switch self {
    case .event(let event): .event(event.with(number: number))
    case .request(let request): .request(request.with(number: number))
    case .rejection: self
    }
  }
}

extension RecordedRequest {
  /// Whether a request's stub matches it; `nil` without a stub, or if that can't be decided, since a recorded stub has no conditions in code.
  var isMatchedByItsStub: Bool? {
    switch stub?.pattern.match(ParsedRequest(request)) {
    case .yes?: true
    case .no?: false
    case .undecided?, nil: nil
    }
  }

  fileprivate var json: TrackingValue? { (try? JSONTree([UInt8](request.body)))?.value }
}
