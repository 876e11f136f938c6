import TrackingModel

/// The user searched, and the results were shown.
public struct SearchPerformed: TrackingSchema, Hashable {
  /// `"search_performed"`.
  public static let eventName = "search_performed"

  /// What was searched for, as the user typed it.
  public var text: String
  /// How many products were found.
  public var resultCount: Int

  /// A search that gave its results.
  public init(text: String, resultCount: Int) {
    self.text = text
    self.resultCount = resultCount
  }

  private enum CodingKeys: String, CodingKey {
    case text
    case resultCount = "result_count"
  }
}
