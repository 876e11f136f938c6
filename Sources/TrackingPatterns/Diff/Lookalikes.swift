import Foundation

/// Texts that look alike have one skeleton.
///
/// It is no transcription of Unicode's table of confusables (UTS 39), but of what happens to event names and params: letters of another
/// keyboard, typographic marks that an editor or a translation tool puts in, full-width and ligature forms, and what nobody sees.
enum Lookalikes {
  static func skeleton(of text: String) -> String {
    var skeleton = String.UnicodeScalarView()
    // NFKC makes one of the forms that Unicode itself calls compatible: wide and narrow, ligatures, most spaces.
    for scalar in text.precomposedStringWithCompatibilityMapping.unicodeScalars where !scalar.isIgnorable {
      skeleton.append(scalar.isASCII ? scalar : table[scalar] ?? scalar.plainMark)
    }
    return String(skeleton)
  }

  /// Letters of other alphabets by the Latin ones that they look like.
  private static let table: [Unicode.Scalar: Unicode.Scalar] = {
    let pairs = [
      ("АВЕЅІЈКМНОРСТХУЗаеѕіјорсухһԁԛԝ", "ABESIJKMHOPCTXY3aesijopcyxhdqw"),
      ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυι", "ABEZHIKMNOPTYXavopui"),
      ("ı‚", "i,"),
    ]
    return Dictionary(
      pairs.flatMap { zip($0.0.unicodeScalars, $0.1.unicodeScalars) }.map { ($0, $1) }, uniquingKeysWith: { $1 })
  }()
}

extension Unicode.Scalar {
  /// Whether it takes no room at all.
  var isIgnorable: Bool {
    properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
  }

  /// Dashes, quotation marks and spaces as they are typed.
  fileprivate var plainMark: Unicode.Scalar {
    switch properties.generalCategory {
    case .dashPunctuation: "-"
    case .spaceSeparator: " "
    default:
      switch self {
      case "\u{2018}", "\u{2019}", "\u{02BC}", "\u{2032}": "'"
      case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2033}": "\""
      case "\u{2212}": "-"
      default: self
      }
    }
  }
}
