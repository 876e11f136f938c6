/// Finds the stubs whose paths are spelled most like a request's, without comparing all of them.
///
/// A misspelled path shares its beginning or its end with the right one, so both orders are kept: by path, and by reversed path.
struct StubNeighbours: Sendable {
  /// The largest table whose stubs are all compared.
  private static let mostCompared = 16
  /// The number of compared paths with the longest common beginnings, and with the longest common ends.
  ///
  /// An unmatched request must not cost more than twice what it costs with a single stub.
  private static let mostSimilar = 2
  /// The number of compared stubs without a spelled path, such as regular expressions; the latest are compared.
  private static let mostOthers = 4

  private var beginnings = SortedRuns()
  private var ends = SortedRuns()
  private var others: [Int] = []

  mutating func add(_ paths: [StubPath], at place: Int) {
    for path in paths {
      guard case .template(let text) = path.form else { continue }
      beginnings.add(text, place)
      ends.add(String(text.reversed()), place)
    }
    if !paths.contains(where: { if case .template = $0.form { true } else { false } }) { others.append(place) }
  }

  /// The places of the stubs to compare with a path, in a table of `count` stubs.
  func places(near path: String, among count: Int, where isKept: @escaping (Int) -> Bool) -> [Int] {
    guard count > Self.mostCompared else { return (0..<count).filter(isKept) }
    var places = Set(others.reversed().lazy.filter(isKept).prefix(Self.mostOthers))
    places.formUnion(beginnings.places(near: path, atMost: Self.mostSimilar, where: isKept))
    places.formUnion(ends.places(near: String(path.reversed()), atMost: Self.mostSimilar, where: isKept))
    return places.sorted()
  }
}

/// Sorted texts, in runs that at least halve in length, so that adding a text moves only a few.
private struct SortedRuns: Sendable {
  private struct Item: Sendable {
    let text: String
    let place: Int
  }

  private var runs: [[Item]] = []

  mutating func add(_ text: String, _ place: Int) {
    var run = [Item(text: text, place: place)]
    while let last = runs.last, last.count <= run.count { run = Self.merged(runs.removeLast(), run) }
    runs.append(run)
  }

  private static func merged(_ left: [Item], _ right: [Item]) -> [Item] {
    var merged: [Item] = []
    merged.reserveCapacity(left.count + right.count)
    var (leftIndex, rightIndex) = (0, 0)
    while leftIndex < left.count, rightIndex < right.count {
      if right[rightIndex].text < left[leftIndex].text {
        merged.append(right[rightIndex])
        rightIndex += 1
      } else {
        merged.append(left[leftIndex])
        leftIndex += 1
      }
    }
    return merged + left[leftIndex...] + right[rightIndex...]
  }

  func places(near text: String, atMost count: Int, where isKept: @escaping (Int) -> Bool) -> [Int] {
    var candidates: [(shared: Int, place: Int)] = []
    for run in runs {
      let index = Self.index(of: text, in: run)
      let before = run[..<index].reversed().lazy.filter { isKept($0.place) }.prefix((count + 1) / 2)
      let after = run[index...].lazy.filter { isKept($0.place) }.prefix((count + 1) / 2)
      for item in Array(before) + Array(after) {
        candidates.append((zip(item.text.utf8, text.utf8).prefix { $0 == $1 }.count, item.place))
      }
    }
    return candidates.sorted { ($0.shared, $0.place) > ($1.shared, $1.place) }.prefix(count).map(\.place)
  }

  /// The first index whose text doesn't precede `text`.
  private static func index(of text: String, in run: [Item]) -> Int {
    run.indices.partition { run[$0].text < text }
  }
}
