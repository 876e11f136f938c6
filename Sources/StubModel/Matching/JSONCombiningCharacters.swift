import Foundation
import TrackingModel

/// How many combining characters follow one another in JSON, told before it is read.
///
/// Foundation's decoder hashes the keys of objects, which takes time that grows with the square of that number.
enum JSONCombiningCharacters {
  /// Whether more of them follow one another than can be put in order in good time, written as they are or as escapes.
  static func areTooMany(_ text: String) -> Bool {
    guard text.utf8.count > 2 * String.mostCombiningCharacters else { return false }
    var count = 0
    var high: UInt16?
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      var character: Unicode.Scalar? = scalar
      if scalar == "\\", rest.popFirst() == "u" {
        let unit = UInt16(String(rest.prefix(4)), radix: 16) ?? 0
        rest = rest.dropFirst(4)
        if UTF16.isLeadSurrogate(unit) {
          high = unit
          continue
        }
        character =
          high.map { UTF16.isTrailSurrogate(unit) ? UTF16.decode(UTF16.EncodedScalar([$0, unit])) : nil }
          ?? Unicode.Scalar(unit)
      }
      high = nil
      count = character?.isCombining == true ? count + 1 : 0
      if count > String.mostCombiningCharacters { return true }
    }
    return false
  }
}
