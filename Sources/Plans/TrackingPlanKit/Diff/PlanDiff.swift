import Foundation
import TrackingModel
import TrackingPlan

/// The effect of a change to a plan, per event: on apps in the field, and on the reports that use the data.
package struct PlanDiff: Sendable {
  package enum Verdict: String, Sendable {
    case fine
    case breaks
    case cannotTell = "cannot tell"
  }

  package struct Answer: Sendable {
    package let verdict: Verdict
    package let reasons: [String]
  }

  package enum Change: Sendable, Equatable {
    case added, removed, changed
    case renamed(to: String)
  }

  package struct Event: Sendable {
    package let name: String
    package let change: Change
    /// Whether every event that was valid is still valid, since installed apps send it.
    package let apps: Answer
    /// Whether every event that is valid now was valid before, so that existing reports understand it.
    package let data: Answer
  }

  /// The events that differ, ordered by name.
  package let events: [Event]

  package init(from old: TrackingPlan, to new: TrackingPlan) {
    let renames = Self.renames(from: old, to: new)
    var events: [Event] = []
    for event in old.content.entries {
      if let entry = new.entry(named: event.name).map({ new.content.entries[$0] }) {
        if let changed = Self.compare(event, old, entry, new) { events.append(changed) }
      } else {
        let target = renames[event.name]
        let reason = target.map { "is now called \($0)" } ?? "was removed"
        events.append(
          Event(
            name: event.name, change: target.map { .renamed(to: $0) } ?? .removed,
            apps: Answer(verdict: .breaks, reasons: ["the event \(reason)"]),
            data: Answer(verdict: .breaks, reasons: ["the event \(reason)"])))
      }
    }
    for event in new.content.entries where old.entry(named: event.name) == nil && !renames.values.contains(event.name) {
      let fine = Answer(verdict: .fine, reasons: [])
      events.append(Event(name: event.name, change: .added, apps: fine, data: fine))
    }
    self.events = events.sorted { $0.name < $1.name }
  }

  private static func compare(_ a: PlanEntry, _ old: TrackingPlan, _ b: PlanEntry, _ new: TrackingPlan) -> Event? {
    let (before, after) = (SchemaOwner(plan: old, entry: a), SchemaOwner(plan: new, entry: b))
    let apps = JSONSchemaContainment(inner: before, outer: after, ignoresAdded: false).obstacles()
    let data = JSONSchemaContainment(inner: after, outer: before, ignoresAdded: true).obstacles()
    let isSame = apps.isEmpty && data.isEmpty && names(a) == names(b) && a.deprecated == b.deprecated
    return isSame ? nil : Event(name: a.name, change: .changed, apps: Answer(apps), data: Answer(data))
  }

  private static func names(_ entry: PlanEntry) -> [String] {
    (entry.params["properties"]?.members ?? []).map(\.key).sorted()
  }

  /// The likely renames: removed events by name, with the added events that have nearly the same params.
  private static func renames(from old: TrackingPlan, to new: TrackingPlan) -> [String: String] {
    var added = new.content.entries.filter { old.entry(named: $0.name) == nil }
    var renames: [String: String] = [:]
    for event in old.content.entries where new.entry(named: event.name) == nil {
      let mine = signature(event)
      guard !mine.isEmpty else { continue }
      let best = added.indices.max {
        LikelyRenames.similarity(mine, signature(added[$0])) < LikelyRenames.similarity(mine, signature(added[$1]))
      }
      guard let best, LikelyRenames.similarity(mine, signature(added[best])) >= 0.75 else { continue }
      renames[event.name] = added.remove(at: best).name
    }
    return renames
  }

  private static func signature(_ entry: PlanEntry) -> Set<String> {
    Set((entry.params["properties"]?.members ?? []).map { "\($0.key): \($0.value["type"]?.value.description ?? "")" })
  }

}

extension PlanDiff.Answer {
  fileprivate init(_ obstacles: [JSONSchemaContainment.Obstacle]) {
    verdict = obstacles.contains(where: \.isCertain) ? .breaks : obstacles.isEmpty ? .fine : .cannotTell
    reasons = obstacles.map { $0.path.isEmpty ? $0.reason : "\($0.path) \($0.reason)" }
  }
}

extension PlanDiff {
  package var report: Report { Report(value: .array(events.map(\.value)), write: write) }

  private func write(_ page: inout ReportPage) {
    if events.isEmpty { page.paragraph("no event changed") }
    guard !page.isMarkdown else {
      func cell(_ answer: Answer) -> ReportText {
        let verdict: ReportText = answer.verdict == .fine ? "fine" : "**\(answer.verdict.rawValue)**"
        return ([verdict] + answer.reasons.map { "\($0)" }).joined(separator: "<br>")
      }
      return page.table(
        nil, [.text("event"), .text("change"), .text("apps in the field"), .text("data")],
        events.map { ["\(code: $0.name)", "\($0.change.text)", cell($0.apps), cell($0.data)] })
    }
    for event in events {
      page.paragraph("\(event.name): \(event.change.text)")
      for (who, answer) in [("apps in the field", event.apps), ("data", event.data)] where event.change != .added {
        let label = "  \(who): ".padding(toLength: 21, withPad: " ", startingAt: 0)
        page.paragraph("\(label)\(answer.verdict.rawValue)\(answer.reasons.first.map { ": \($0)" } ?? "")")
        for reason in answer.reasons.dropFirst() { page.paragraph("\(String(repeating: " ", count: 21))\(reason)") }
      }
    }
  }
}

extension PlanDiff.Change {
  fileprivate var text: String {
    switch self {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    case .renamed(let name): "renamed to \(name), by its params"
    }
  }
}

extension PlanDiff.Event {
  fileprivate var value: TrackingValue {
    func value(_ answer: PlanDiff.Answer) -> TrackingValue {
      ["verdict": .string(answer.verdict.rawValue), "reasons": answer.reasons.trackingValue]
    }
    let (word, target): (String, String?) =
      switch change {
      case .added: ("added", nil)
      case .removed: ("removed", nil)
      case .changed: ("changed", nil)
      case .renamed(let name): ("renamed", name)
      }
    return TrackingValue(present: [
      "name": name, "apps": value(apps), "data": value(data), "change": word, "to": target,
    ])
  }
}
