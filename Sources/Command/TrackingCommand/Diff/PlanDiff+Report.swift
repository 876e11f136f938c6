import TrackingModel

extension PlanDiff {
  var report: Report { Report(value: .array(events.map(\.value)), write: write) }

  private func write(_ page: inout ReportPage) {
    if events.isEmpty { page.paragraph("no event changed") }
    guard !page.isMarkdown else {
      return page.table(
        nil, [.text("event"), .text("change"), .text("apps in the field")],
        events.map { event in
          let lines: [ReportText] = event.changes.map {
            ($0.param.isEmpty ? "" : "\(code: $0.param): ") + "\($0.text)" + ($0.breaksApps ? " **(breaks)**" : "")
          }
          return [
            "\(code: event.name)", (["\(event.kind.rawValue)"] + lines).joined(separator: "<br>"),
            event.breaksApps ? "**breaks**" : "fine",
          ]
        })
    }
    for event in events {
      page.paragraph("\(event.name): \(event.kind.rawValue)\(event.kind == .removed ? Self.mark : "")")
      for change in event.changes {
        let param = change.param.isEmpty ? "" : "\(change.param): "
        page.paragraph("  \(param)\(change.text)\(change.breaksApps ? Self.mark : "")")
      }
    }
  }

  private static let mark = " (breaks apps in the field)"
}

extension PlanDiff.Event {
  fileprivate var value: TrackingValue {
    [
      "name": .string(name), "change": .string(kind.rawValue), "breaksApps": .bool(breaksApps),
      "changes": .array(
        changes.map { change in
          [
            "param": change.param.isEmpty ? nil : .string(change.param), "kind": .string(change.kind.rawValue),
            "text": .string(change.text), "breaksApps": .bool(change.breaksApps),
          ]
        }),
    ]
  }
}
