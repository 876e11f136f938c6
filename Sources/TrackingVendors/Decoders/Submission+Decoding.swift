import TrackingModel
import TrackingServer

extension Submission {
  /// Notes an item that can't be read, up to a thousand.
  mutating func note(_ problem: Malformed) {
    if malformed.count < 1_000 { malformed.append(problem) }
  }

  /// The values that all items of a submission share, as a part of the context of each.
  ///
  /// Few values are merged with the item's own. Many stay together under a key, or each item would have a copy of all.
  static func sharedContext(_ values: [String: TrackingValue], as key: String) -> [String: TrackingValue] {
    values.count <= 64 ? values : [key: .object(values)]
  }
}
