import TrackingModel

enum PersonalForm {
  /// A description of the personal data in a text, such as `a payment card number`.
  static func detected(in text: String, by detectors: PersonalData.Detectors) -> String? {
    for (index, reading) in text.percentReadings.enumerated() {
      guard let form = form(in: reading, by: detectors) else { continue }
      return form + (index > 0 ? ", percent-encoded" : "")
    }
    return nil
  }

  private static func form(in text: String, by detectors: PersonalData.Detectors) -> String? {
    let bytes = Array(text.utf8.prefix(20_000))
    if detectors.contains(.secrets) {
      if text.contains("-----BEGIN "), text.contains("PRIVATE KEY-----") { return "a private key" }
      if holdsToken(text) { return "a JSON Web Token" }
    }
    if detectors.contains(.email), let email = email(in: bytes) { return "an email address, \(email)" }
    if detectors.contains(.iban), holdsIBAN(bytes) { return "a bank account number (IBAN)" }
    if detectors.contains(.card), holdsCard(bytes) { return "a payment card number" }
    return nil
  }

  // MARK: Names

  /// The words in a param's name that suggest personal data; the first match is reported.
  private static let names: [(name: String, words: [[String]])] = [
    ("a password", [["password"], ["passwd"], ["passphrase"], ["pwd"]]),
    ("a card number", [["card", "number"], ["cardnumber"], ["cvv"], ["cvc"], ["pan"]]),
    ("a social security number", [["ssn"], ["social", "security"]]),
    ("a passport", [["passport"]]),
    (
      "a secret",
      [["secret"], ["access", "token"], ["auth", "token"], ["api", "key"], ["apikey"], ["private", "key"]]
    ),
    ("a birth date", [["birthday"], ["birthdate"], ["date", "of", "birth"], ["dob"]]),
    ("an email address", [["email"], ["e", "mail"]]),
    ("a phone number", [["phone"], ["telephone"], ["mobile", "number"]]),
    ("a bank account", [["iban"], ["account", "number"]]),
  ]

  static func personalName(of key: String) -> String? {
    // `APIKey` has two words if acronyms are split; `APIkey` and `PASSword` match only if they aren't.
    let readings = [true, false].map { key.words(splitsAcronyms: $0).map { $0.lowercased() } }
    return names.first { name in
      readings.contains { words in name.words.contains { holds(words, $0) } }
    }?.name
  }

  private static func holds(_ words: [String], _ part: [String]) -> Bool {
    words.indices.contains { words[$0...].starts(with: part) }
  }

  // MARK: Values

  private static func email(in bytes: [UInt8]) -> String? {
    for at in bytes.indices where bytes[at] == UInt8(ascii: "@") {
      let local = bytes[..<at].reversed().prefix { isWord($0) || [0x2E, 0x2B, 0x2D, 0x5F].contains($0) }
      let domain = bytes[(at + 1)...].prefix { isWord($0) || $0 == 0x2E || $0 == 0x2D }
      let labels = domain.split(separator: 0x2E)
      guard !local.isEmpty, labels.count >= 2, let last = labels.last, last.count >= 2, last.allSatisfy(\.isLetter),
        !fileExtensions.contains(String(decoding: last, as: UTF8.self).lowercased())
      else {
        continue
      }
      return String(decoding: Array(local.reversed()) + [bytes[at]] + domain, as: UTF8.self)
    }
    return nil
  }

  /// Extensions that aren't domains, because names of files have an @, too: `icon@2x.png`, `vue@3.4.0.min.js`.
  private static let fileExtensions: Set = [
    "png", "jpg", "jpeg", "gif", "webp", "svg", "heic", "avif", "bmp", "tiff", "ico", "pdf", "mp3", "wav", "webm",
    "css",
    "js", "mjs", "cjs", "json", "html", "xml", "txt", "plist", "strings", "swift", "woff", "ttf", "otf", "tgz", "gz",
  ]

  /// Whether the text contains the number of a payment card, alone or next to other digits, as in `4111 1111 1111 1111 12/25`.
  private static func holdsCard(_ bytes: [UInt8]) -> Bool {
    runs(of: bytes) { $0.isDigit || $0 == 0x20 || $0 == 0x2D }.contains { run in
      isCard(run.filter(\.isDigit))
        || run.indices.contains { ($0 == 0 || !run[$0 - 1].isDigit) && beginsCard(run[$0...]) }
    }
  }

  /// Whether a run begins with a card number in groups as on a card: at least four digits, except in the last, with equal separators.
  private static func beginsCard(_ run: ArraySlice<UInt8>) -> Bool {
    var (digits, rest): ([UInt8], ArraySlice<UInt8>) = ([], run)
    var separator: UInt8?
    while digits.count < 19 {
      let group = rest.prefix { $0.isDigit }
      digits += group
      rest = rest.dropFirst(group.count)
      if isCard(digits) { return true }
      guard group.count >= 4, let next = rest.first, next == separator ?? next, rest.dropFirst().first?.isDigit == true
      else { return false }
      separator = next
      rest = rest.dropFirst()
    }
    return false
  }

  /// Whether 13 to 19 digits have an issuer's prefix and a valid check digit.
  private static func isCard(_ bytes: [UInt8]) -> Bool {
    guard 13...19 ~= bytes.count else { return false }
    let digits = bytes.map { Int($0 - 0x30) }
    return hasCardPrefix(digits) && luhn(digits)
  }

  private static func hasCardPrefix(_ digits: [Int]) -> Bool {
    let first2 = digits[0] * 10 + digits[1]
    let first4 = first2 * 100 + digits[2] * 10 + digits[3]
    switch digits.count {
    case 15: return first2 == 34 || first2 == 37
    case 14: return first2 == 36 || first2 == 38 || 300...305 ~= first4 / 10
    case 16:
      return digits[0] == 4 || 51...55 ~= first2 || 2221...2720 ~= first4 || first4 == 6011 || first2 == 65
        || first2 == 62 || first2 == 35
    case 13, 19: return digits[0] == 4 || first2 == 62
    default: return first2 == 62 || first2 == 50 || 56...58 ~= first2
    }
  }

  private static func luhn(_ digits: [Int]) -> Bool {
    let sum = digits.reversed().enumerated().reduce(0) { sum, item in
      guard item.offset % 2 == 1 else { return sum + item.element }
      return sum + (item.element > 4 ? item.element * 2 - 9 : item.element * 2)
    }
    return sum % 10 == 0
  }

  /// ISO 13616's registry: lengths by country.
  private static let ibanLengths: [String: Int] = [
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LI": 21, "LT": 20, "LU": 20,
    "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24,
    "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27,
    "TN": 24, "TR": 26, "UA": 29, "VA": 22, "XK": 20,
  ]

  private static func holdsIBAN(_ bytes: [UInt8]) -> Bool {
    let upper = bytes.map { $0.isLetter ? $0 & 0xDF : $0 }
    return runs(of: upper) { isWord($0) || $0 == 0x20 }.contains { run in
      // The text without spaces, and the places in it at which words begin.
      var (letters, beginnings): ([UInt8], [Bool]) = ([], [])
      for (position, byte) in run.enumerated() where byte != 0x20 {
        letters.append(byte)
        beginnings.append(position == 0 || run[position - 1] == 0x20)
      }
      let hasSpaces = letters.count < run.count
      return letters.indices.contains { start in
        guard !hasSpaces || beginnings[start], start + 4 < letters.count, letters[start].isLetter,
          letters[start + 1].isLetter,
          let length = ibanLengths[String(decoding: letters[start..<(start + 2)], as: UTF8.self)],
          start + length <= letters.count
        else { return false }
        return isIBAN(Array(letters[start..<(start + length)]))
      }
    }
  }

  /// ISO 7064: rotated by four characters, the number is 1 modulo 97.
  private static func isIBAN(_ text: [UInt8]) -> Bool {
    guard text[2].isDigit, text[3].isDigit else { return false }
    let rest = (text[4...] + text[..<4]).reduce(0) { rest, byte in
      byte.isDigit ? (rest * 10 + Int(byte - 0x30)) % 97 : (rest * 100 + Int(byte - 0x41) + 10) % 97
    }
    return rest == 1
  }

  /// RFC 7519: three parts in base64url, of which the first two are JSON objects.
  ///
  /// `SecretShape` has another rule: it cuts out what it redacts, and so reads the header first. A module for both would be compiled with each
  /// app that generates types from a plan.
  private static func holdsToken(_ text: String) -> Bool {
    guard text.contains("eyJ") else { return false }
    let isPart: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    return text.split { !isPart($0) && $0 != "." }.contains { word in
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 3 && parts[0].hasPrefix("eyJ") && parts[1].hasPrefix("eyJ") && parts[0].count >= 12
    }
  }

  private static func runs(of bytes: [UInt8], _ isPart: (UInt8) -> Bool) -> [[UInt8]] {
    var runs: [[UInt8]] = []
    var current: [UInt8] = []
    for byte in bytes {
      if isPart(byte) {
        current.append(byte)
      } else if !current.isEmpty {
        runs.append(current)
        current = []
      }
    }
    return current.isEmpty ? runs : runs + [current]
  }

  private static func isWord(_ byte: UInt8) -> Bool { byte.isDigit || byte.isLetter }
}

extension String {
  /// The text as it is, and as a query decodes it, up to three times, since a URL may be a param of another one.
  var percentReadings: [String] {
    var readings = [self]
    while readings.count < 4, let last = readings.last, last.utf8.contains(where: { $0 == 0x25 || $0 == 0x2B }) {
      // A percent sign that encodes nothing stays, as in "100%".
      let next = last.replacing("+", with: " ").replacing(/(%[0-9A-Fa-f]{2})+/) { match in
        match.output.0.removingPercentEncoding ?? String(match.output.0)
      }
      guard next != last else { break }
      readings.append(next)
    }
    return readings
  }
}
