import TrackingModel
import TrackingPatterns
import TrackingServer

package enum CountText {
  /// "once", "twice", "3 times".
  package static func times(_ count: Int) -> String {
    switch count {
    case 1: "once"
    case 2: "twice"
    default: "\(count) times"
    }
  }

  /// "1st", "2nd", "3rd", "11th".
  static func ordinal(_ number: Int) -> String {
    let ending =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(ending)"
  }

  /// "#1, #4 and #7"; shortens long lists.
  package static func list(_ items: [String], shown: Int = 8) -> String {
    items.inWords(most: items.count > shown + 1 ? shown : items.count)
  }

  /// Counts each distinct item, in the order of first appearance.
  static func each<Item: Hashable>(_ items: [Item]) -> [(item: Item, count: Int)] {
    var counts: [(item: Item, count: Int)] = []
    var places: [Item: Int] = [:]
    for item in items {
      if let place = places[item] {
        counts[place].count += 1
      } else {
        places[item] = counts.count
        counts.append((item, 1))
      }
    }
    return counts
  }
}

enum ResultText {
  /// Names of events and paths of requests, with counts: "screen_viewed (3 times) and tapped".
  static func names(of entries: [JournalEntry]) -> String {
    let names = entries.compactMap { entry -> String? in
      switch entry {
      case .event(let recorded): VisibleText.of(recorded.event.name)
      case .request(let recorded): Excerpt.of("\(recorded.method) \(recorded.request.path)", width: 60)
      case .rejection: nil
      }
    }
    return CountText.list(
      CountText.each(names).map { $0.count == 1 ? $0.item : "\($0.item) (\(CountText.times($0.count)))" })
  }

  /// A pattern's position and reference: `the 3rd, "purchase",`.
  static func subject(_ index: Int, of pattern: EntryPattern) -> Headline {
    "the \(CountText.ordinal(index + 1)), \(cutting: pattern.reference),"
  }

  /// Starts a sentence about an event and a request that may have overtaken each other; `nil` if chance can't explain their order.
  ///
  /// An event that arrives before a response is sent was also tracked before it.
  static func crossing(_ first: TimelineMoment, _ second: TimelineMoment) -> String? {
    let distance = second.instant - first.instant
    let connections = [first, second].map { $0.entry.event?.connection ?? $0.entry.request?.connection }
    guard !second.isResponse, (first.entry.event == nil) != (second.entry.event == nil), distance <= mostCrossing,
      connections[0] != connections[1]
    else { return nil }
    let kinds = first.entry.event == nil ? "a request and an event" : "an event and a request"
    return """
      #\(first.entry.number) and #\(second.entry.number) are \(kinds), which travel on two connections: \
      \(TimeText.duration(distance)) apart, either may arrive first. Let the test wait for one before the action that sends \
      the other
      """
  }

  /// The maximum time difference.
  private static let mostCrossing = Duration.milliseconds(50)

  /// "#1, #4 and #7".
  static func numbers(_ numbers: [Int]) -> String {
    CountText.list(numbers.map { "#\($0)" })
  }
}

package enum TimeText {
  /// `5 s`, `0.25 s`, as the test wrote it.
  static func seconds(_ seconds: Double) -> String {
    "\(TrackingValue.double(seconds)) s"
  }

  /// `0.3 ms`, `140 ms`, `1.2 s`, with the significant digits.
  static func duration(_ duration: Duration) -> String {
    let milliseconds = fractionalMilliseconds(duration)
    if milliseconds < 1 { return "\(TrackingValue.double((milliseconds * 10).rounded() / 10)) ms" }
    if milliseconds < 1_000 { return "\(Int(milliseconds)) ms" }
    return "\(TrackingValue.double((milliseconds / 10).rounded(.down) / 100)) s"
  }

  /// `+140 ms`, `-1.2 s`.
  static func offset(_ offset: Duration) -> String {
    offset < .zero ? "-\(duration(.zero - offset))" : "+\(duration(offset))"
  }

  package static func fractionalMilliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1_000
  }
}

extension LostEvents {
  package var numberTexts: [String] {
    numbers.flatMap {
      $0.upperBound - $0.lowerBound < 2 ? $0.map(String.init) : ["\($0.lowerBound) to \($0.upperBound)"]
    }
  }
}

package enum UnmatchedList {
  private struct Kind: Hashable {
    let name: String
    let hint: String?
    let nearest: String?
    let comparison: [String]
  }

  private static let mostKinds = 10
  /// The number of requests that are compared part by part with the nearest stub.
  private static let mostComparisons = 3

  /// Returns a warning about a failed test's requests, which no failure has listed.
  package static func warning(about requests: [RecordedRequest]) -> String {
    let title = "\(requests.count.counted("request")) matched no stub, which may be why the test failed:"
    return ([title] + lines(of: requests).map { "    \($0)" }).joined(separator: "\n")
  }

  /// Lists each request once, with the nearest stub; shows the differences for the first ones.
  static func lines(of requests: [RecordedRequest]) -> [String] {
    let kinds = CountText.each(
      requests.map {
        Kind(
          name: "\($0.method) \($0.target)", hint: $0.problem, nearest: $0.nearestStub, comparison: $0.comparison)
      })
    let shown = kinds.prefix(mostKinds)
    let lines = shown.enumerated().flatMap { index, kind in
      let name = Excerpt.of(kind.item.name, width: Excerpt.columns - 20)
      let texts = [kind.item.hint, kind.item.nearest.map { "nearest is \($0)" }].compactMap(\.self)
      let wrapped = texts.flatMap {
        Excerpt.wrapped($0, width: Excerpt.columns - 8).split(separator: "\n").map(String.init)
      }
      let comparison = index < mostComparisons ? kind.item.comparison : []
      return ["\(kind.count == 1 ? name : "\(name) (\(CountText.times(kind.count)))")"]
        + (wrapped + comparison).map { "    \($0)" }
    }
    return shown.count < kinds.count ? lines + ["... \(kinds.count - shown.count) more"] : lines
  }
}
