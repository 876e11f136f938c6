import TrackingModel
import TrackingPlan
import TrackingRules

// The forms of a coverage report that other programs read.

extension Coverage {
  // MARK: LCOV

  /// The plan's files as sources.
  ///
  /// The line of an event or param counts its occurrences, the line of a value is hit if it was seen. An event has a branch that is taken if a
  /// test asks for it, and a param one that is taken if it is pinned.
  var lcov: String {
    var hits: [String: [Int: Int]] = [:]
    func hit(_ place: PlanPlace, _ count: Int) {
      // A line with several items is covered if all of them are.
      hits[place.file, default: [:]][place.line] = min(hits[place.file]?[place.line] ?? .max, count)
    }
    for event in events {
      hit(event.event.place, event.count)
      for param in event.params {
        hit(param.param.place, param.open == nil ? param.seen : 0)
        for value in param.values { hit(value.place, value.isSeen ? 1 : 0) }
      }
    }
    var lines: [String] = []
    let branches = Dictionary(grouping: branches, by: \.place.file)
    for (file, counts) in hits.sorted(by: { $0.key < $1.key }) {
      lines += ["TN:tracking_plan", "SF:\(file)"]
      let own = branches[file] ?? []
      lines += own.enumerated().map { "BRDA:\($1.place.line),0,\($0),\($1.isTaken.map { $0 ? "1" : "0" } ?? "-")" }
      if !own.isEmpty { lines += ["BRF:\(own.count)", "BRH:\(own.count { $0.isTaken == true })"] }
      lines += counts.sorted { $0.key < $1.key }.map { "DA:\($0.key),\($0.value)" }
      lines += ["LF:\(counts.count)", "LH:\(counts.values.count { $0 > 0 })", "end_of_record"]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The branches of events and params, in the order of the plan; `nil` for a param that wasn't tried or that `require` returned.
  private var branches: [(place: PlanPlace, isTaken: Bool?)] {
    events.flatMap { event -> [(place: PlanPlace, isTaken: Bool?)] in
      guard let subject = noticed?.events[event.event.name] else { return [] }
      return [(event.event.place, subject.isAskedFor)]
        + event.params.compactMap { param in
          guard let found = subject.params[param.param.path] else { return nil }
          let isOpen = found.pin == .returned || found.pin == .untried
          return (param.param.place, isOpen ? nil : found.isPinned)
        }
    }
  }

  // MARK: GitHub

  /// Annotations for GitHub, which shows ten per kind and step: the ten most severe, and the number of the others.
  var github: String {
    var all: [(place: PlanPlace?, text: String)] = []
    all += unplanned.map { (nil, "\($0.sentence.plain) (not in the plan)") }
    all += neverArrived.map { ($0.event.place, "\($0.event.name) never arrived in any test") }
    all += unverified.map {
      ($0.event.place, "\($0.event.name) arrived \(CountWords.times($0.count)) but no test verified it")
    }
    all += (noticed?.unnoticed ?? []).map { ($0.place, $0.sentence.plain) }
    all += unseenValues.map {
      ($0.value.place, "\($0.event.event.name).\($0.param.param.path): \($0.value.value) was never seen")
    }
    var lines = all.prefix(10).map { place, text in
      let where_ = place.map { " file=\(Self.property($0.file)),line=\($0.line)" } ?? ""
      return "::warning\(where_)::\(Self.message(text))"
    }
    if all.count > 10 {
      let more = (all.count - 10).counted("more finding")
      let verb = all.count == 11 ? "is" : "are"
      lines.append("::notice::\(more) about the tracking plan's coverage \(verb) in the report")
    }
    lines.append("::notice::\(Self.message(headline)); \(Self.message(checks.sentence))")
    return lines.map { $0 + "\n" }.joined()
  }

  private static func message(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
