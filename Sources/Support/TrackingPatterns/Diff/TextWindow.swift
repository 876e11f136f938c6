import TrackingModel

/// Two different texts, quoted, and shortened to one width so that the first difference is visible.
struct TextWindow {
  let expected: String
  let found: String
  /// If the texts were shortened, their lengths and the place of the first difference.
  let note: String?

  private static let mark = Array(" ... ")
  /// The characters shown before the first difference, and at the end.
  private static let context = 12
  private static let end = 8

  init(_ expected: String, _ found: String, width: Int) {
    let texts = [expected, found].map { Array(VisibleText.of("\(TrackingValue.string($0))")) }
    let place = Self.place(texts[0], texts[1])
    self.expected = Self.cut(texts[0], at: place, width: width)
    self.found = Self.cut(texts[1], at: place, width: width)
    if texts.allSatisfy({ $0.count <= width }) {
      note = nil
    } else {
      let parting = Self.place(Array(expected), Array(found)) + 1
      let length = expected.count == found.count ? "" : ", expected \(expected.count)"
      note = "\(found.count) characters\(length); they differ from character \(parting) on"
    }
  }

  /// The length of the common prefix.
  private static func place(_ left: [Character], _ right: [Character]) -> Int {
    zip(left, right).prefix { String($0).isSameText(as: String($1)) }.count
  }

  private static func cut(_ text: [Character], at place: Int, width: Int) -> String {
    guard text.count > width else { return String(text) }
    let start = place <= width * 2 / 3 ? 0 : place - context
    let head = start == 0 ? [] : text.prefix(context) + mark
    let rest = text.dropFirst(start)
    let room = width - head.count
    guard rest.count > room else { return String(head + rest) }
    return String(head + rest.prefix(room - mark.count - end) + mark + text.suffix(end))
  }
}
