import Foundation
import TrackingModel
import TrackingPlan

/// The effect of a change to a plan, per event: on apps in the field, and on the reports that use the data.
struct PlanDiff: Sendable {
  enum Verdict: String, Sendable {
    case fine
    case breaks
    case cannotTell = "cannot tell"
  }

  struct Answer: Sendable {
    let verdict: Verdict
    let reasons: [String]
  }

  enum Change: String, Sendable {
    case added, removed, changed
  }

  struct Event: Sendable {
    let name: String
    let change: Change
    /// Whether every event that was valid is still valid, since installed apps send it.
    let apps: Answer
    /// Whether every event that is valid now was valid before, so that existing reports understand it.
    let data: Answer
  }

  /// The events that differ, ordered by name.
  let events: [Event]

  init(from old: TrackingPlan, to new: TrackingPlan) {
    var events: [Event] = []
    for event in old.content.entries {
      if let entry = new.entry(named: event.name).map({ new.content.entries[$0] }) {
        if let changed = Self.compare(event, old, entry, new) { events.append(changed) }
      } else {
        let removed = Answer(verdict: .breaks, reasons: ["the event was removed"])
        events.append(Event(name: event.name, change: .removed, apps: removed, data: removed))
      }
    }
    for event in new.content.entries where old.entry(named: event.name) == nil {
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
}

extension PlanDiff.Answer {
  fileprivate init(_ obstacles: [JSONSchemaContainment.Obstacle]) {
    verdict = obstacles.contains(where: \.isCertain) ? .breaks : obstacles.isEmpty ? .fine : .cannotTell
    reasons = obstacles.map { $0.path.isEmpty ? $0.reason : "\($0.path) \($0.reason)" }
  }
}

extension PlanDiff {
  var report: Report { Report(value: .array(events.map(\.value)), write: write) }

  private func write(_ page: inout ReportPage) {
    if events.isEmpty { page.paragraph("no event changed") }
    guard !page.isMarkdown else {
      func cell(_ answer: Answer) -> ReportText {
        let verdict: ReportText = answer.verdict == .fine ? "fine" : "**\(answer.verdict.rawValue)**"
        return ([verdict] + answer.reasons.map { "\($0)" }).joined(separator: "<br>")
      }
      return page.table(
        nil, [.text("event"), .text("change"), .text("apps in the field"), .text("data")],
        events.map { ["\(code: $0.name)", "\($0.change.rawValue)", cell($0.apps), cell($0.data)] })
    }
    for event in events {
      page.paragraph("\(event.name): \(event.change.rawValue)")
      for (who, answer) in [("apps in the field", event.apps), ("data", event.data)] where event.change != .added {
        let label = "  \(who): ".padding(toLength: 21, withPad: " ", startingAt: 0)
        page.paragraph("\(label)\(answer.verdict.rawValue)\(answer.reasons.first.map { ": \($0)" } ?? "")")
        for reason in answer.reasons.dropFirst() { page.paragraph("\(String(repeating: " ", count: 21))\(reason)") }
      }
    }
  }
}

extension PlanDiff.Event {
  fileprivate var value: TrackingValue {
    func value(_ answer: PlanDiff.Answer) -> TrackingValue {
      ["verdict": .string(answer.verdict.rawValue), "reasons": answer.reasons.trackingValue]
    }
    return ["name": .string(name), "apps": value(apps), "data": value(data), "change": .string(change.rawValue)]
  }
}
