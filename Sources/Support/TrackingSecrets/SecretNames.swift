import TrackingModel

package enum SecretKind: String, CaseIterable, Sendable {
  case token, password, cookie, key, secret
  case pem = "PEM"
}

/// The names whose values are secret, listed in `WhatIsRedacted.md`.
package struct SecretNames: Hashable, Sendable {
  private var redacted: Set<String> = []
  private var kept: Set<String> = []

  package init() {}

  package enum Classification: Hashable, Sendable {
    case plain
    /// A value that isn't redacted, with the kind of secret that its name usually means.
    case kept(insteadOf: SecretKind?)
    case secret(SecretKind)
  }

  package mutating func redact(_ names: [String]) {
    redacted.formUnion(names.map { Self.words(of: $0).joined() })
    kept.subtract(redacted)
  }

  package mutating func keep(_ names: [String]) {
    kept.formUnion(names.map { Self.words(of: $0).joined() })
    redacted.subtract(kept)
  }

  package func classification(of name: String) -> Classification {
    // A path, as in an OpenAPI document, isn't a name.
    guard !name.hasPrefix("/") else { return .plain }
    // The end of `user[address]…[password]` decides.
    let words = Self.words(of: name.utf8.count <= 200 ? name : String(decoding: name.utf8.suffix(200), as: UTF8.self))
    let joined = words.joined()
    let kind = Self.kind(of: words[...]) ?? (redacted.contains(joined) ? .secret : nil)
    if kept.contains(joined) { return .kept(insteadOf: kind) }
    return kind.map(Classification.secret) ?? .plain
  }

  /// `X-Sentry-Auth` has credentials; elsewhere `auth` is as often a flag.
  package func classification(ofField name: String) -> Classification {
    let classification = classification(of: name)
    return classification == .plain && Self.words(of: name).last == "auth" ? .secret(.token) : classification
  }

  /// `key=` is an API key, and a generated `code=` is that of a sign-in, not of a country.
  package func classification(ofItem name: String, isMadeUp: Bool) -> Classification {
    let classification = classification(of: name)
    guard classification == .plain, name.utf8.count <= 30 else { return classification }
    let joined = Self.words(of: name).joined()
    // `app_id` and `appId` are names of apps.
    if joined == "key" || name == "appid" { return .secret(.key) }
    let isToken = isMadeUp && (Self.isGrant(name) || Self.items.contains(joined))
    return isToken ? .secret(.token) : .plain
  }

  /// Whether a generated value of this name is a token, as in `{"access": "…", "refresh": "…"}`.
  package static func isGrant(_ name: String) -> Bool {
    name.utf8.count <= 30 && ["access", "refresh"].contains(words(of: name).joined())
  }

  private static func kind(of words: ArraySlice<String>) -> SecretKind? {
    guard let first = words.first, let last = words.last else { return nil }
    // `X-Session-Id` is the field of `session_id`.
    if first == "x", words.count > 1, let kind = kind(of: words.dropFirst()) { return kind }
    // `max_tokens` and `MaxKeys` are numbers.
    if words.count > 1, counts.contains(first), last == "tokens" || last == "keys" { return nil }
    let joined = words.joined()
    let singular = joined.hasSuffix("s") ? String(joined.dropLast()) : joined
    // `password1` and `password_2` are two fields of a form.
    var unnumbered = singular
    while unnumbered.last?.isNumber == true { unnumbered.removeLast() }
    let isPassword = passwords.contains(joined) || passwords.contains(unnumbered)
    if isPassword || passwordEndings.contains(where: unnumbered.hasSuffix) { return .password }
    if singular == "cookie" || joined == "setcookie" { return .cookie }
    if singular.hasSuffix("secret") || secrets.contains(singular) { return .secret }
    if tokens.contains(singular) || tokenEndings.contains(where: singular.hasSuffix) { return .token }
    if keys.contains(singular) { return .key }
    // Requires a word before it: "key" alone often names an entry, and "monkey" doesn't end in the word "key".
    let isKey = words.count > 1 && (last == "key" || last == "keys") && !plainKeys.contains(words[words.endIndex - 2])
    return isKey ? .key : nil
  }

  private static let items = list("auth code session sig signature ticket")
  private static let counts = list("max min num total prompt completion input output cached reasoning")
  private static let passwordEndings = ["password", "passwd", "passphrase", "passcode", "pwd"]
  private static let passwords = list(
    """
    pass pw passwordhash passwordconfirmation passwordconfirm otp otpcode totp mfacode twofactorcode smscode
    verificationcode securitycode onetimecode recoverycode backupcode cvv cvc
    """
  ).union(passOwners.map { "\($0)pass" })
  /// The words before `pass` in names of passwords; a boarding pass isn't one.
  private static let passOwners = list(
    """
    user admin root auth login basic http api proxy smtp imap mail email ftp sftp ssh ldap db database mysql postgres pg
    redis mongo
    """)
  private static let tokenEndings = ["token", "sessionid", "sessid"]
  private static let tokens = list(
    """
    authorization proxyauthorization jwt bearer credential sid connectsid csrf xsrf assertion clientassertion
    samlresponse samlassertion authcode authorizationcode codeverifier oauthverifier devicecode xamzsignature
    xamzcredential xgoogsignature xgoogcredential awsaccesskeyid
    """)
  private static let secrets: Set = ["connectionstring", "seedphrase", "recoveryphrase", "mnemonic", "secretkeybase"]
  private static let keys = list("apikey accesskey secretkey privatekey appkey authkey signingkey clientkeydata")
  /// The words before `key` in names of keys that aren't secret.
  private static let plainKeys = list(
    """
    public publishable primary foreign sort partition cache surrogate idempotency translation localization i18n
    message index lookup for image photo picture avatar thumbnail asset file object media issue project epic item
    row record entity parent category group event feature flag field column table label text string resource theme
    color icon route screen page section country language locale currency unit type status unique display join
    routing metric tag attribute property evaluated
    """)

  /// Whether a name under a secret name describes the secret, as in `"token": {"type": "Bearer", "expires": "…"}`.
  package static func isLabel(_ name: String) -> Bool {
    guard name.utf8.count <= 30 else { return false }
    let words = words(of: name)
    return labels.contains(words.joined()) || words.last == "at" || words.last == "url"
  }

  private static let labels = list(
    """
    type tokentype kind scope scopes alg algorithm name username email label description status created updated
    issued expires expiresin expiry expiration exp iat nbf ttl version format title pattern message error ref in
    """)

  /// Whether a value is a text about a secret, not the secret: `"forgot_password": "Forgot it?"`, `"password": "Password"`.
  package static func isLabel(_ value: String, of name: String) -> Bool {
    guard value.utf8.count <= 200, !value.utf8.contains(where: { $0 >= 0x30 && $0 <= 0x39 }) else { return false }
    let (own, said) = (words(of: name), value.split(separator: " ").map { words(of: String($0)).joined() })
    if own == words(of: value) || own.joined() == said.joined() { return value.contains { $0.isUppercase } }
    let isSentence = said.count > 1
    if let first = own.first, own.count > 1, verbs.contains(first) {
      // A generated value has capitals inside words, or other characters between the letters.
      return isSentence || value.dropFirst().allSatisfy { $0.isLowercase || ".!?…:".contains($0) }
    }
    return isSentence && own.last.map { said.contains($0) || said.contains("\($0)s") } ?? false
  }

  /// The first words of names whose values are texts, as in translation files.
  private static let verbs = list(
    """
    forgot forgotten reset change enter show hide invalid wrong incorrect missing weak choose create your lost
    remember no need recover update set repeat retype
    """)

  /// Whether texts under a name are messages about the fields they are named for: `"errors": {"password": ["is too short"]}`.
  package static func isAboutErrors(_ name: String) -> Bool {
    guard name.utf8.count <= 30, let last = words(of: name).last else { return false }
    return ["error", "errors", "messages", "violations", "issues", "invalid"].contains(last)
  }

  /// Whether a text is a word or several joined ones, as names and usual values are: `created_at`, `createdAt`, `application/json`.
  ///
  /// A generated value has digits, or several capitals between small letters.
  package static func isWord(_ text: String) -> Bool {
    text.split(omittingEmptySubsequences: false) { "_-./".contains($0) }.allSatisfy { word in
      let inner = word.drop(while: \.isUppercase).reversed().drop(while: \.isUppercase)
      return !word.isEmpty && word.allSatisfy(\.isLetter)
        && !zip(inner, inner.dropFirst()).contains { $0.isUppercase && $1.isUppercase }
    }
  }

  /// Whether a member's name is one that a person has given, as `oauth2_google`, and not a secret: up to two digits may end each word.
  package static func isWrittenName(_ name: String) -> Bool {
    name.contains(" ") || isWord(name.replacing(/(?<word>\p{L})[0-9]{1,2}(?=$|[_.\/-])/) { "\($0.word)" })
  }

  private static func list(_ text: String) -> Set<String> { Set(text.split { $0.isWhitespace }.map(String.init)) }

  /// Whether a text is a usual name for a secret, and so no secret itself: `password` or `refresh_token`.
  package static func isCommon(_ text: String) -> Bool {
    let words = words(of: text)
    guard words.count == 2 else { return words.count < 2 && commonWords.contains(words.first ?? "") }
    return commonBeginnings.contains(words[0]) && ["token", "secret", "key", "password"].contains(words[1])
  }

  private static let commonWords = list(
    "password passwords passphrase passcode authorization credential credentials required optional disabled undefined")
  private static let commonBeginnings = list("access refresh id client api auth session csrf xsrf")

  /// In lower case: `X-Api-Key`, `api_key`, `apiKey` and `APIKey` all end in `api`, `key`.
  package static func words(of name: String) -> [String] {
    name.words(splitsAcronyms: true).map { $0.lowercased() }
  }
}
