import Foundation
import TrackingModel

/// A report for a terminal: headlines, and sections with their titles in a column.
struct TextSections {
  private var lines: [String]

  init(_ headlines: [String]) {
    lines = headlines + [""]
  }

  mutating func add(_ title: String, _ items: [String]) {
    for (index, item) in items.enumerated() {
      lines.append((index == 0 ? title + ":" : "").padding(toLength: 20, withPad: " ", startingAt: 0) + item)
    }
  }

  mutating func add(table: [String]) {
    if !table.isEmpty { lines += (lines.last == "" ? [] : [""]) + table }
  }

  /// The text; it ends with a line feed.
  var text: String {
    var lines = lines
    while lines.last == "" { lines.removeLast() }
    return lines.map { $0.onOneLine + "\n" }.joined()
  }
}

/// Numbers of events in words.
enum CountWords {
  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  /// `3 times in 2 tests`.
  static func seen(_ event: ObservedEvents.Event) -> String {
    "\(times(event.count)) in \(event.tests.count.counted("test"))"
  }
}
