import TrackingModel

/// Two different texts, quoted, each cut to one width so that the place where they part is seen.
struct TextWindow {
  let expected: String
  let found: String
  /// How long they are and where they part, when they had to be cut.
  let note: String?

  private static let mark = Array(" ... ")
  /// Characters before the place where the texts part, from their beginning, and from their end.
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

  /// How many characters two texts begin with alike.
  private static func place(_ left: [Character], _ right: [Character]) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
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
