import Foundation

/// The kinds of secrets, as placeholders name them.
enum SecretKind: String, CaseIterable, Comparable, Sendable {
  case token, password, cookie, key, secret
  case pem = "PEM"

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  static func < (left: SecretKind, right: SecretKind) -> Bool { left.rank < right.rank }
}

/// The names whose values are secret.
struct SecretNames: Hashable, Sendable {
  private var redacted: Set<String> = []
  private var kept: Set<String> = []

  enum Verdict: Hashable {
    case plain
    case kept
    case secret(SecretKind)
  }

  mutating func redact(_ names: [String]) {
    let names = names.map { Self.words(of: $0).joined() }
    redacted.formUnion(names)
    kept.subtract(names)
  }

  mutating func keep(_ names: [String]) {
    let names = names.map { Self.words(of: $0).joined() }
    kept.formUnion(names)
    redacted.subtract(names)
  }

  /// Whether the value of a name is secret.
  func verdict(on name: String) -> Verdict {
    // Names longer than this are data, and splitting them would cost time.
    guard name.utf8.count <= 200 else { return .plain }
    let words = Self.words(of: name)
    let joined = words.joined()
    if kept.contains(joined) { return .kept }
    if let kind = Self.kind(of: words, joined) { return .secret(kind) }
    return redacted.contains(joined) ? .secret(.secret) : .plain
  }

  /// What the name of a cookie says: it is secret unless it is kept.
  func verdict(onCookie name: String) -> Verdict {
    verdict(on: name) == .kept ? .kept : .secret(.cookie)
  }

  /// What the name of a query item says: `key=` in a URL is an API key.
  func verdict(onQueryItem name: String) -> Verdict {
    let verdict = verdict(on: name)
    return verdict == .plain && name.lowercased() == "key" ? .secret(.key) : verdict
  }

  private static func kind(of words: [String], _ joined: String) -> SecretKind? {
    guard let last = words.last else { return nil }
    // `X-Session-Id` is the field of `session_id`.
    if words[0] == "x", words.count > 1, let kind = kind(of: Array(words[1...]), words[1...].joined()) { return kind }
    let singular = joined.hasSuffix("s") ? String(joined.dropLast()) : joined
    if passwords.contains(joined) || passwordEndings.contains(where: singular.hasSuffix) { return .password }
    if singular == "cookie" || joined == "setcookie" { return .cookie }
    if singular.hasSuffix("secret") { return .secret }
    if singular.hasSuffix("token") || tokens.contains(singular) { return .token }
    // Requires a word before it: "key" alone often names an entry, and "monkey" doesn't end in the word "key".
    return last == "key" && words.count > 1 || last == "keys" && words.count > 1 || keys.contains(singular) ? .key : nil
  }

  private static let passwordEndings = ["password", "passwd", "passphrase", "passcode", "pwd"]
  private static let passwords: Set = ["pass", "passwordhash", "passwordconfirmation", "passwordconfirm"]
  private static let tokens: Set = [
    "authorization", "proxyauthorization", "jwt", "bearer", "credential", "sessionid", "jsessionid", "phpsessid", "sid",
    "clientassertion", "samlresponse", "xamzsignature", "xamzcredential",
  ]
  private static let keys: Set = ["apikey", "accesskey", "secretkey", "privatekey", "appkey", "authkey", "signingkey"]

  /// Whether a text is a usual name for a secret and so no secret itself: `password` or `refresh_token`.
  static func isCommon(_ text: String) -> Bool {
    let words = words(of: text)
    guard words.count == 2 else { return words.count < 2 && commonWords.contains(words.first ?? "") }
    return commonBeginnings.contains(words[0]) && ["token", "secret", "key", "password"].contains(words[1])
  }

  private static let commonWords: Set = [
    "password", "passwords", "passphrase", "passcode", "authorization", "credential", "credentials",
  ]
  private static let commonBeginnings: Set = [
    "access", "refresh", "id", "client", "api", "auth", "session", "csrf", "xsrf",
  ]

  /// The words of a name in lower case: `X-Api-Key`, `api_key`, `apiKey` and `APIKey` all end in `api`, `key`.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let scalars = Array(name.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      guard CharacterSet.alphanumerics.contains(scalar) else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      let isUpper = scalar.properties.isUppercase
      let followsLower = index > 0 && !scalars[index - 1].properties.isUppercase
      let precedesLower = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
      if isUpper, followsLower || precedesLower, !word.isEmpty {
        words.append(word)
        word = ""
      }
      word += scalar.properties.lowercaseMapping
    }
    return word.isEmpty ? words : words + [word]
  }
}
