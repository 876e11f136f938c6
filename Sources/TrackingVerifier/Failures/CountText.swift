import TrackingPatterns

/// Numbers as failures write them.
enum CountText {
  /// "1 event", "3 events".
  static func events(_ count: Int) -> String {
    Excerpt.count(count, "event")
  }

  /// "once", "twice", "3 times".
  static func times(_ count: Int) -> String {
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

  /// "#1, #4 and #7"; of many, the first few and how many more.
  static func list(_ items: [String], shown: Int = 8) -> String {
    if items.count > shown + 1 {
      return "\(items.prefix(shown).joined(separator: ", ")) and \(items.count - shown) more"
    }
    return items.count < 2
      ? items.joined() : "\(items.dropLast().joined(separator: ", ")) and \(items[items.count - 1])"
  }
}
