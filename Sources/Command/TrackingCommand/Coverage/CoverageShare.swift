import TrackingModel

/// A covered part of a whole, with its percentage.
struct CoverageShare: Sendable, Equatable {
  let covered: Int
  let all: Int
  /// The number of parts that may be covered, because observations were dropped.
  private(set) var unknown = 0

  init(covered: Int, all: Int) {
    (self.covered, self.all) = (covered, all)
  }

  init(_ items: some Collection<Bool>) {
    self.init(covered: items.count { $0 }, all: items.count)
  }

  func with(unknown: Int) -> CoverageShare {
    var share = self
    share.unknown = unknown
    return share
  }

  /// The percentage, rounded down so that 100 means complete.
  var percent: Int { all == 0 ? 100 : covered * 100 / all }
  var value: TrackingValue {
    TrackingValue(present: [
      "covered": covered, "all": all, "percent": percent, "unknown": unknown > 0 ? unknown : nil,
    ])
  }
  var text: String { "\(covered)/\(all) (\(percent) %)" }
  /// The text for a figure, which is unknown in a run without such items.
  var textIfKnown: String { all == 0 ? "not known" : text }
}

/// Something that can be covered, by a name that later runs can compare.
struct CoverageItem: Sendable {
  let name: String
  let isCovered: Bool
  var isKnown = true
}
