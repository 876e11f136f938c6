/// Why a text is not as it must be.
struct TextMiss {
  /// In words, where they help.
  var note: String?
  /// The share of it that is wrong, from 0 to 1.
  let share: Double
}
