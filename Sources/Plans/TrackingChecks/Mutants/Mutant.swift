import Foundation
import TrackingJSON
import TrackingModel
import TrackingRules
import TrackingServer
import TrackingVerifier

/// One change of what a test received.
struct Mutant: Sendable {
  enum Change: Sendable {
    case dropped, doubled, renamed, extended
    /// The event arrives in the place of a later one, and that one in its place.
    case exchanged(with: Int)
    case value(ValuePath, ValueChange)
  }

  /// The index of the entry that is changed.
  let entry: Int
  let change: Change

  /// An entry and the place of a value in it; without a path for a change of the whole entry.
  struct Site: Hashable {
    let entry: Int
    let path: ValuePath?
  }

  var site: Site {
    if case .value(let path, _) = change { Site(entry: entry, path: path) } else { Site(entry: entry, path: nil) }
  }

  /// The indices of all entries that are changed.
  var entries: [Int] {
    if case .exchanged(let other) = change { [entry, other] } else { [entry] }
  }
}

extension Mutant {
  /// The mutants of everything that a test received, except exchanges, in the order of arrival.
  static func all(of test: KeptTest) -> [Mutant] {
    var mutants: [Mutant] = []
    for (index, entry) in test.entries.enumerated() {
      switch entry {
      case .event(let recorded):
        mutants += [.dropped, .doubled, .renamed, .extended].map { Mutant(entry: index, change: $0) }
        mutants += values(in: .object(recorded.event.members), of: index)
      case .request(let request):
        mutants += [.dropped, .doubled].map { Mutant(entry: index, change: $0) }
        mutants += request.json.map { values(in: $0, of: index) } ?? []
      case .rejection: break
      }
    }
    return mutants
  }

  /// The events that can arrive in each other's place.
  ///
  /// Kept separate, because whether a wait had ended between two events differs from run to run.
  static func exchanges(of test: KeptTest, areExchangeable: (Int, Int) -> Bool) -> [Mutant] {
    let next = NextOfProcess(in: test.entries)
    return test.entries.indices.compactMap { index in
      guard let other = next.event(after: index), areExchangeable(index, other) else { return nil }
      return Mutant(entry: index, change: .exchanged(with: other))
    }
  }

  private static func values(in whole: TrackingValue, of entry: Int) -> [Mutant] {
    ValuePath.sites(in: whole).flatMap { site in
      var changes = ValueChange.changes(of: site.value)
      // An element that is missing is a change of its array, unless that has no path.
      switch site.path.steps.last {
      case .element? where site.path.steps.count > 1: break
      default: changes.append(.dropped)
      }
      return changes.map { Mutant(entry: entry, change: .value(site.path, $0)) }
    }
  }

  /// The next event of the same process, for each event.
  private struct NextOfProcess {
    private var next: [Int: Int] = [:]

    init(in entries: [JournalEntry]) {
      var last: [String?: Int] = [:]
      for (index, entry) in entries.enumerated() {
        guard let event = entry.event else { continue }
        // Equal neighbours are the same in either order.
        if let earlier = last[event.launch], entries[earlier].event?.event != event.event { next[earlier] = index }
        last[event.launch] = index
      }
    }

    func event(after index: Int) -> Int? { next[index] }
  }
}

extension Mutant {
  /// The change of the timeline; `nil` if it can't be made.
  func timelineChange(in entries: [JournalEntry]) -> TimelineChange? {
    switch change {
    case .dropped: .dropped(entry)
    case .doubled: .doubled(entry, in: entries)
    case .exchanged(let other): .exchanged(entry, other, in: entries)
    case .renamed: replacing(in: entries) { $0.name += "x" }
    case .extended: replacing(in: entries) { $0.params[.custom(key: ValueChange.addedName)] = 1 }
    case .value(let path, let change):
      switch entries[entry] {
      case .event(let recorded):
        replacing(in: entries, isReadable: path.value(in: .object(recorded.event.members)).map(change.isSafe) ?? false)
        {
          $0 = $0.changing(path, by: change)
        }
      case .request(let request):
        request.json.flatMap { json in
          path.changing(json, by: change).flatMap { request.with(json: $0) }
            .map { .replaced(entry, .request($0), isReadable: path.value(in: json).map(change.isSafe) ?? false) }
        }
      case .rejection: nil
      }
    }
  }

  private func replacing(
    in entries: [JournalEntry], isReadable: Bool = false, _ change: (inout TrackingEvent) -> Void
  ) -> TimelineChange? {
    guard let recorded = entries[entry].event else { return nil }
    var event = recorded.event
    change(&event)
    return .replaced(entry, .event(recorded.with(event)), isReadable: isReadable)
  }

  /// The mutants of an event that every closure can read.
  static func nearest(of event: TrackingEvent) -> [TrackingEvent] {
    ValuePath.sites(in: .object(event.members)).flatMap { site in
      ValueChange.changes(of: site.value).filter { $0.isSafe(for: site.value) }.map {
        event.changing(site.path, by: $0)
      }
    }
  }
}

extension TrackingEvent {
  /// The params by their names.
  var members: [String: TrackingValue] {
    Dictionary(params.map { ($0.key.key, $0.value) }) { first, _ in first }
  }
}

extension RecordedRequest {
  /// The body as JSON; `nil` if it isn't.
  var json: TrackingValue? { (try? JSONTree([UInt8](request.body)))?.value }

  fileprivate func with(json: TrackingValue) -> RecordedRequest? {
    var writer = JSONWriter()
    writer.write(json)
    return with(body: Data(writer.bytes))
  }
}
