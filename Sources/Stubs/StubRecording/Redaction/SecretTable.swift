import Foundation
import StubModel
import TrackingSecrets

/// The secrets of a recording with their placeholders, and the search for them in texts.
struct SecretTable: Sendable {
  private struct Secret {
    /// The kind of the place where the value is, or the first one of several.
    var kind: SecretKind
    /// The number of the placeholder, which also replaces a number in JSON.
    var number: Int
    /// The value, and other spellings of it.
    var spellings: [[UInt8]]

    var placeholder: String { "[redacted \(kind.rawValue) \(number)]" }
  }

  private var secrets: [Secret] = []
  private var numbers: [[UInt8]: Int] = [:]
  /// Values that aren't looked for, and whether they also stay in secret places.
  private var kept: [[UInt8]: Bool] = [:]
  /// Values that are only replaced in their positions.
  private var words: Set<[UInt8]> = []
  /// The numbers of the placeholders that were there before.
  private var noted: [SecretKind: Set<Int>] = [:]
  /// Whether the secrets have their final numbers.
  private var isNumbered = false
  private var search = SecretSearch()
  /// The number of secrets in the search.
  private var searched = 0
  /// Whether the search has a value that must not be found any more, or lacks an earlier one.
  private var isStale = false
  /// The last number of each kind.
  private var last: [SecretKind: Int] = [:]
  /// Whether the known secrets stay as they are: two secrets of the recording stay apart for a line that has both.
  var isFixed = false

  /// Shorter values are common words and numbers, which would be replaced all over a recording.
  static let shortest = 8

  init(values: [String] = []) {
    for value in values { add(Array(value.utf8), .secret) }
  }

  // MARK: Collecting

  /// Adds a secret value.
  ///
  /// - Parameter isWord: Whether it is only replaced in its position, unless it is also added otherwise.
  mutating func add(_ value: [UInt8], _ kind: SecretKind, isWord: Bool = false) {
    if let known = numbers[value] {
      guard !isFixed else { return }
      if !isWord, words.remove(value) != nil { isStale = true }
      if kind < secrets[known].kind { (secrets[known].kind, secrets[known].number) = (kind, nextNumber(kind)) }
      return
    }
    if isWord { words.insert(value) }
    numbers[value] = secrets.count
    secrets.append(Secret(kind: kind, number: nextNumber(kind), spellings: [value]))
  }

  private mutating func nextNumber(_ kind: SecretKind) -> Int {
    repeat { last[kind, default: 0] += 1 } while noted[kind]?.contains(last[kind, default: 0]) == true
    return last[kind, default: 0]
  }

  /// Adds another spelling of a secret value.
  mutating func add(_ spelling: [UInt8], of value: [UInt8]) {
    guard let known = numbers[value], numbers[spelling] != known else { return }
    if let other = numbers[spelling], !isFixed {
      // It was found before, as a separate secret.
      for text in secrets[other].spellings { numbers[text] = known }
      secrets[known].spellings += secrets[other].spellings
      secrets[other].spellings = []
      if secrets[other].kind < secrets[known].kind {
        (secrets[known].kind, secrets[known].number) = (secrets[other].kind, secrets[other].number)
      }
      isStale = true
    } else if numbers[spelling] == nil {
      // Its secret may be in a search already.
      if known < searched { isStale = true }
      numbers[spelling] = known
      secrets[known].spellings.append(spelling)
    }
  }

  /// Adds a value that is only replaced in secret places, or not even there.
  mutating func keep(_ value: [UInt8], inSecretPlaces: Bool) {
    let known = kept[value]
    guard known != true, known != inSecretPlaces else { return }
    kept[value] = inSecretPlaces
    if let known = numbers[value], known < searched { isStale = true }
  }

  /// Reserves the number of an existing placeholder.
  mutating func note(_ placeholder: String) {
    guard let (kind, number) = Placeholders.parts(of: placeholder) else { return }
    noted[kind, default: []].insert(number)
  }

  /// Gives the secrets their final numbers.
  ///
  /// - Parameters:
  ///   - order: Their placeholders in the order of the numbers; those that aren't named come last, as they were added.
  ///   - wanted: For placeholders, the numbers that they had in an earlier recording.
  mutating func number(inOrder order: [String], wanted: [String: Int] = [:]) {
    isNumbered = true
    let places = Dictionary(zip(order, order.indices)) { first, _ in first }
    let sorted = Set(numbers.values).sorted {
      (places[secrets[$0].placeholder] ?? .max, $0) < (places[secrets[$1].placeholder] ?? .max, $1)
    }
    var used = noted
    var others: [Int] = []
    for index in sorted {
      let number = wanted[secrets[index].placeholder]
      if let number, used[secrets[index].kind, default: []].insert(number).inserted {
        secrets[index].number = number
      } else {
        others.append(index)
      }
    }
    last = [:]
    for index in others {
      let kind = secrets[index].kind
      repeat { last[kind, default: 0] += 1 } while used[kind]?.contains(last[kind, default: 0]) == true
      secrets[index].number = last[kind, default: 0]
    }
  }

  var isEmpty: Bool { secrets.isEmpty }

  /// Whether two secrets are of one kind.
  var hasSeveralOfAKind: Bool { Set(secrets.map(\.kind)).count < secrets.count }

  /// Completes the search after secrets have been added.
  mutating func prepare() {
    if isStale { (search, searched, isStale) = (SecretSearch(), 0, false) }
    guard searched < secrets.count else { return }
    var values: [SecretSearch.Value] = []
    for secret in searched..<secrets.count {
      for value in secrets[secret].spellings.sorted(by: { $0.count < $1.count }) where isFound(value) {
        values.append(.init(text: value, secret: secret))
      }
    }
    searched = secrets.count
    search.add(values)
  }

  /// Whether a value is replaced in other places than its own.
  private func isFound(_ value: [UInt8]) -> Bool {
    let text = String(decoding: value, as: UTF8.self)
    return text.unicodeScalars.count >= Self.shortest && kept[value] == nil && !words.contains(value)
      // A value like "password" is also the name of members, and "redacted" is in each placeholder.
      && !SecretNames.isCommon(text) && !Self.isInPlaceholder(text)
  }

  /// Whether a text is a part of a placeholder with any number.
  private static func isInPlaceholder(_ text: String) -> Bool {
    guard text.contains(where: \.isLetter) else { return false }
    let pattern = text.reduce(into: "") { pattern, character in
      guard character.isASCII, character.isNumber else { return pattern.append(character) }
      if pattern.last != "#" { pattern.append("#") }
    }
    return SecretKind.allCases.contains { "[redacted \($0.rawValue) #]".contains(pattern) }
  }

  // MARK: Replacing

  /// The placeholder for a value in a secret position; `nil` for one that is kept.
  func placeholder(of value: [UInt8]) -> String? {
    kept[value] == true ? nil : numbers[value].map { secrets[$0].placeholder }
  }

  /// The number that replaces a number: 0 until the secrets have their final numbers.
  func number(of value: [UInt8]) -> Int? {
    kept[value] == true ? nil : numbers[value].map { isNumbered ? secrets[$0].number : 0 }
  }

  /// Replaces the secrets in a text, in all forms; `found` is called with each placeholder.
  ///
  /// - Parameter inURL: Whether the text is part of a URL, so that placeholders need percent-encoding.
  func replacing(in text: [UInt8], inURL: Bool = false, found: (String) -> Void) -> [UInt8] {
    var text = text
    // A replacement in one form can complete another, but each makes some secret disappear. The bound is for safety.
    for _ in 0..<4 {
      let edits = edits(in: text, inURL: inURL)
      guard !edits.isEmpty else { break }
      for edit in edits { found(secrets[edit.secret].placeholder) }
      text = text.replacing(edits.map { ($0.range, $0.bytes) })
    }
    return text
  }

  private struct Edit {
    let range: Range<Int>
    let bytes: [UInt8]
    let secret: Int
  }

  /// The replacements in a text, in order and without overlaps.
  private func edits(in text: [UInt8], inURL: Bool) -> [Edit] {
    guard !search.isEmpty, text.count >= ByteSearch.shortest else { return [] }
    let edits = TextView.all(of: text).flatMap { self.edits(in: $0, inURL: inURL) }
    // The views come with the plainest first, and the sort is stable for equal starts.
    return edits.longestWithoutOverlaps(\.range)
  }

  private func edits(in view: TextView, inURL: Bool) -> [Edit] {
    var edits: [Edit] = []
    // A run of base64 is decoded once, however many secrets are in it.
    var end = 0
    for (range, needle) in search.matches(in: view.bytes) where range.lowerBound >= end {
      let placeholder = Array(secrets[needle.secret].placeholder.utf8)
      var (range, bytes) = (range, placeholder)
      if let offset = needle.base64Offset {
        let run = Base64.Run(around: range, offset: offset, in: view.bytes)
        range = run.range
        bytes = run.replacing { replacingPlain(in: $0) } ?? placeholder
      }
      end = range.upperBound
      let isInURL = inURL || view.coding == .percent || view.coding == .form
      let depth = max(view.percentDepth(at: range), isInURL ? 1 : 0)
      edits.append(
        Edit(
          range: view.source(of: range), bytes: PercentEncoding.encoded(bytes, times: depth), secret: needle.secret))
    }
    return edits
  }

  /// Replaces unencoded values; returns `nil` if the text contains none.
  private func replacingPlain(in text: [UInt8]) -> [UInt8]? {
    let edits = search.matches(in: text).filter { $0.needle.base64Offset == nil }
      .map { ($0.range, Array(secrets[$0.needle.secret].placeholder.utf8)) }
    return edits.isEmpty ? nil : text.replacing(edits)
  }

  /// The placeholder of the first secret that a text still has, however it is written; `nil` if it has none.
  func leak(in text: [UInt8]) -> String? {
    edits(in: text, inURL: false).first.map { secrets[$0.secret].placeholder }
  }
}

extension Sequence {
  /// The elements in the order of their ranges, without those that begin in an earlier one; of equal beginnings, the longest stays.
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
