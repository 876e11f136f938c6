/// Sentences on what came instead of what was asked for.
enum ResultText {
  /// How many events came, and which of them matched.
  static func came(_ matched: [Int], of events: Int) -> String {
    switch (events, matched.count) {
    case (0, _): "No event came."
    case (1, 0): "One event came, and it did not match."
    case (_, 0): "\(events) events came, and none matched."
    case (1, _): "One event came, and it matched."
    case (_, 1): "\(events) events came, and one matched: #\(matched[0])."
    case (_, let count): "\(events) events came, and \(count) matched: \(numbers(matched))."
    }
  }

  /// "#1, #4 and #7".
  static func numbers(_ numbers: [Int]) -> String {
    CountText.list(numbers.map { "#\($0)" })
  }
}
