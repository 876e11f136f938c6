import Foundation
import TrackingModel
import TrackingRules

/// The rule that no event carries personal data: neither the test user's own data, nor values and names that look personal.
///
/// The test user's data is found as plain text in any letter case, percent-encoded, and in base64; forms are found percent-encoded, too. Most of them
/// have a checksum or a fixed prefix, so false positives are rare.
public struct PersonalData: EventRule {
  /// The kinds of personal data that are detected by form or by name.
  public struct Detectors: OptionSet, Sendable {
    /// The raw bits.
    public let rawValue: Int
    /// Creates a set from its raw bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Email addresses.
    public static let email = Detectors(rawValue: 1)
    /// Payment card numbers, by prefix, length and check digit (Luhn).
    public static let card = Detectors(rawValue: 2)
    /// International bank account numbers, by country, length and check digits.
    public static let iban = Detectors(rawValue: 4)
    /// JSON Web Tokens and private keys.
    public static let secrets = Detectors(rawValue: 8)
    /// Params whose names suggest personal data: `password`, `ssn`, `email`.
    public static let keyNames = Detectors(rawValue: 16)
    /// All kinds of personal data.
    public static let all: Detectors = [.email, .card, .iban, .secrets, .keyNames]
  }

  private let traces: [PersonalTrace]
  private let unusable: [String]
  private let detectors: Detectors
  private let allowed: Set<String>

  /// Creates a rule that searches for the test user's texts and for the detectors' forms; params named in `allowing` may hold anything.
  ///
  /// A text needs at least three characters. With a shorter one, every event has a finding that says so.
  public init(of texts: [String] = [], detecting detectors: Detectors = .all, allowing: [TrackingParam] = []) {
    traces = texts.compactMap(PersonalTrace.init)
    unusable = texts.filter { PersonalTrace($0) == nil }
    self.detectors = detectors
    allowed = Set(allowing.map(\.key))
  }

  /// The completion of "Expected …": `every event to be free of personal data`.
  public var expectation: String { "every event to be free of personal data" }

  /// Returns a finding for each place where an event carries personal data.
  public func findings(in event: TrackingEvent) -> [PlanFinding] {
    var findings = unusable.map { text in
      PlanFinding(
        kind: .unusable,
        reason:
          "can't be searched for \(text.swiftLiteral); personal data needs at least \(PersonalTrace.shortest) characters"
      )
    }
    look(at: event.name, path: "", of: nil, into: &findings)
    for (param, value) in event.params.sorted(by: { $0.key < $1.key }) {
      look(at: value, key: param.key, path: param.key, into: &findings)
    }
    return findings
  }

  private func look(at value: TrackingValue, key: String, path: String, into findings: inout [PlanFinding]) {
    guard !allowed.contains(key) else { return }
    if detectors.contains(.keyNames), value != .null, let name = PersonalForm.personalName(of: key) {
      findings.append(
        finding(
          path, value, "has a name that suggests personal data (\(name)); if it holds none, add its name to `allowing`")
      )
    }
    look(at: key, path: path, of: value, into: &findings)
    switch value {
    case .string(let text): look(at: text, path: path, of: value, into: &findings)
    case .int, .unsigned: look(at: value.description, path: path, of: value, into: &findings)
    case .array(let values):
      for (index, value) in values.enumerated() { look(at: value, key: "", path: "\(path)[\(index)]", into: &findings) }
    case .object(let members):
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        look(at: value, key: key, path: "\(path).\(key)", into: &findings)
      }
    case .null, .bool, .double: break
    }
  }

  /// Checks a value's text, or the name of a param or event.
  private func look(
    at text: String, path: String, of value: TrackingValue?, into findings: inout [PlanFinding]
  ) {
    guard text.utf8.count > 2 else { return }
    var isKnown = false
    for trace in traces {
      guard let form = trace.form(in: text) else { continue }
      isKnown = true
      findings.append(finding(path, value, "holds \"\(trace.text)\"\(form)"))
    }
    // A known text needs no second finding by its form.
    guard !isKnown, let form = PersonalForm.detected(in: text, by: detectors) else { return }
    findings.append(finding(path, value, "holds \(form)"))
  }

  private func finding(_ path: String, _ value: TrackingValue?, _ reason: String) -> PlanFinding {
    PlanFinding(
      kind: .personalData, path: path, value: value, reason: path.isEmpty ? "the event's name \(reason)" : reason)
  }
}

/// A text of the test user in all searched encodings.
private struct PersonalTrace: Sendable {
  let text: String
  private let lowercased: String
  /// Base64 of the text at each of the three alignments.
  private let encoded: [String]

  /// The minimum number of characters that identify a person.
  static let shortest = 3

  /// `nil` for texts that are too short.
  init?(_ text: String) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard trimmed.count >= Self.shortest else { return nil }
    self.text = trimmed
    lowercased = trimmed.lowercased()
    let spellings = Set([trimmed, lowercased])
    encoded = spellings.sorted().flatMap(Self.base64)
  }

  /// The form in which another text contains this one, for messages.
  func form(in other: String) -> String? {
    let lower = other.lowercased()
    if lower.contains(lowercased) { return "" }
    if other.percentReadings.dropFirst().contains(where: { $0.lowercased().contains(lowercased) }) {
      return ", percent-encoded"
    }
    let plain = other.replacing("-", with: "+").replacing("_", with: "/")
    return encoded.contains(where: plain.contains) ? " in base64" : nil
  }

  /// The base64 characters that depend only on the text, at each alignment.
  private static func base64(_ text: String) -> [String] {
    (0..<3).compactMap { shift in
      let bytes = [UInt8](repeating: 0, count: shift) + Array(text.utf8)
      let characters = Data(bytes).base64EncodedString().prefix { $0 != "=" }
      // A character encodes six bits. Characters that share bits with neighbouring bytes are dropped.
      let first = [0, 2, 3][shift]
      let last = bytes.count % 3 == 0 ? 0 : 1
      let core = characters.dropFirst(first).dropLast(last)
      return core.count >= 4 ? String(core) : nil
    }
  }
}
