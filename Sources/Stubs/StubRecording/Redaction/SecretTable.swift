import TrackingSecrets

/// The secrets of a recording with their placeholders, and the search for them in texts.
struct SecretTable: Sendable {
  private struct Secret {
    let value: [UInt8]
    var kind: SecretKind
    /// Whether a person has named the value, which is then replaced whatever it looks like.
    let isNamed: Bool
    /// Also replaces a number in JSON; 0 until the secrets are numbered.
    var number = 0
  }

  private var secrets: [Secret] = []
  private var indices: [[UInt8]: Int] = [:]
  private var kept: [[UInt8]: Bool] = [:]
  private var last: [SecretKind: Int] = [:]
  /// Each search has at most half as many secrets as the one before it, so that an addition doesn't rebuild all of them.
  private var searches: [(first: Int, secrets: [Int], search: ByteSearch)] = []
  private var searched = 0

  /// Shorter values are common words and numbers, which would be replaced all over a recording.
  static let shortest = 8

  init(values: [String] = []) {
    for value in values { add(Array(value.utf8), .secret, isNamed: true) }
  }

  mutating func add(_ value: [UInt8], _ kind: SecretKind, isNamed: Bool = false) {
    if let known = indices[value] {
      let kinds = [kind, secrets[known].kind]
      if secrets[known].number == 0 { secrets[known].kind = SecretKind.allCases.first(where: kinds.contains) ?? kind }
    } else if !value.isEmpty {
      indices[value] = secrets.count
      secrets.append(Secret(value: value, kind: kind, isNamed: isNamed))
    }
  }

  /// Adds a value that is replaced only in secret places, or not even there.
  mutating func keep(_ value: [UInt8], inSecretPlaces: Bool) { kept[value] = inSecretPlaces || kept[value] == true }

  /// Continues numbering after an existing placeholder.
  mutating func note(_ placeholder: String) {
    let words = placeholder.split { " []".contains($0) }
    guard words.count == 3, let kind = SecretKind(rawValue: "\(words[1])"), let number = Int(words[2]) else { return }
    last[kind] = max(last[kind] ?? 0, number)
  }

  /// Numbers the new secrets; those without a place in the order come last.
  mutating func number(inOrder order: [Int] = []) {
    for index in order + Array(secrets.indices) where secrets[index].number == 0 {
      last[secrets[index].kind, default: 0] += 1
      secrets[index].number = last[secrets[index].kind] ?? 0
    }
  }

  mutating func prepare() {
    guard searched < secrets.count else { return }
    var first = searched
    searched = secrets.count
    while let last = searches.last, first - last.first <= 2 * (searched - first) { first = searches.removeLast().first }
    let needles = (first..<searched).filter { Self.isSearched(secrets[$0]) }.flatMap { index in
      SecretSpelling.all(of: secrets[index].value).map { (index, $0) }
    }
    searches.append((first, needles.map(\.0), ByteSearch(needles.map(\.1))))
  }

  /// Whether a secret is replaced outside of its place, too, where a word is a name or a part of a text.
  private static func isSearched(_ secret: Secret) -> Bool {
    let text = string(secret.value)
    return text.unicodeScalars.count >= shortest
      && (secret.isNamed || !SecretNames.isWord(text) && !SecretNames.isCommon(text))
      // In each placeholder.
      && !SecretKind.allCases.contains { "[redacted \($0.rawValue) ".contains(text) }
  }

  func secret(_ value: [UInt8]) -> Int? { kept[value] == true ? nil : indices[value] }

  func placeholder(of secret: Int) -> String { "[redacted \(secrets[secret].kind.rawValue) \(secrets[secret].number)]" }

  func number(of secret: Int) -> Int { secrets[secret].number }

  /// The leftmost secrets, the longest at each place, without overlaps; and whether they are percent-encoded there.
  func matches(in text: [UInt8]) -> [(range: Range<Int>, secret: Int, isPercentEncoded: Bool)] {
    func isDigit(_ index: Int) -> Bool { text.indices.contains(index) && 0x30...0x39 ~= text[index] }
    let all = searches.flatMap { _, secrets, search in search.matches(in: text).map { ($0.range, secrets[$0.needle]) } }
    return all.longestWithoutOverlaps(\.0).compactMap { range, secret in
      let value = secrets[secret].value
      // A number isn't part of a longer one.
      let isPart = (isDigit(range.lowerBound - 1) || isDigit(range.upperBound)) && range.allSatisfy(isDigit)
      if isPart || kept[value] != nil { return nil }
      let percent = UInt8(ascii: "%")
      return (range, secret, text[range].contains(percent) && !value.contains(percent))
    }
  }

  func leak(in text: [UInt8]) -> String? { matches(in: text).first.map { placeholder(of: $0.secret) } }
}

extension Sequence {
  /// Sorts by range, and removes elements that begin within an earlier one; the longest of those with equal beginnings stays.
  func longestWithoutOverlaps(_ range: (Element) -> Range<Int>) -> [Element] {
    func key(_ element: Element) -> (Int, Int) { (range(element).lowerBound, -range(element).count) }
    var end = 0
    return sorted { key($0) < key($1) }.filter { element in
      guard range(element).lowerBound >= end else { return false }
      end = range(element).upperBound
      return true
    }
  }
}
