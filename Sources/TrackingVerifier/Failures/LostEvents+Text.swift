import TrackingServer

extension LostEvents {
  /// The numbers as failures write them: "5", "7 to 8".
  var numberTexts: [String] {
    numbers.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
  }
}
