import Foundation
import TrackingModel

/// The rule that no event carries personal data: the texts that the test knows of its user, and what is personal by its form.
///
/// The test's own persona is found wherever it is: as it is, in other letter case, percent-encoded, in base64, and hashed by MD5, SHA-1 or
/// SHA-256, which SDKs call anonymous. What is recognized by form has a checksum or a fixed beginning, so that false alarms are rare.
public struct PersonalData: EventRule {
  /// What is looked for by form.
  public struct Detectors: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int
    /// A set of detectors.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Email addresses.
    public static let email = Detectors(rawValue: 1)
    /// Payment card numbers, by prefix, length and check digit (Luhn).
    public static let card = Detectors(rawValue: 2)
    /// International bank account numbers, by country, length and check digits.
    public static let iban = Detectors(rawValue: 4)
    /// JSON Web Tokens and private keys.
    public static let secrets = Detectors(rawValue: 8)
    /// Params whose names say what they hold: `password`, `ssn`, `email`.
    public static let keyNames = Detectors(rawValue: 16)
    /// All of them.
    public static let all: Detectors = [.email, .card, .iban, .secrets, .keyNames]
  }

  private let traces: [PersonalTrace]
  private let detectors: Detectors
  private let allowed: Set<String>

  /// A rule about texts of a persona; params of the names in `allowing` may hold anything.
  public init(of texts: [String] = [], detecting detectors: Detectors = .all, allowing: [String] = []) {
    traces = texts.compactMap(PersonalTrace.init)
    self.detectors = detectors
    allowed = Set(allowing)
  }

  /// `no event to hold personal data`.
  public var expectation: String { "no event to hold personal data" }

  /// Where an event carries personal data.
  public func findings(in event: TrackingEvent) -> [PlanFinding] {
    var findings: [PlanFinding] = []
    look(at: event.name, path: "", into: &findings)
    for (param, value) in event.params.sorted(by: { $0.key < $1.key }) {
      look(at: value, key: param.key, path: param.key, into: &findings)
    }
    return findings
  }

  private func look(at value: TrackingValue, key: String, path: String, into findings: inout [PlanFinding]) {
    guard !allowed.contains(key) else { return }
    if detectors.contains(.keyNames), value != .null, let name = PersonalForm.personalName(of: key) {
      findings.append(finding(path, "is called like personal data (\(name)); allow it by its name if it isn't"))
    }
    look(at: key, path: path, into: &findings)
    switch value {
    case .string(let text): look(at: text, path: path, into: &findings)
    case .int, .unsigned: look(at: value.description, path: path, into: &findings)
    case .array(let values):
      for (index, value) in values.enumerated() { look(at: value, key: "", path: "\(path)[\(index)]", into: &findings) }
    case .object(let members):
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        look(at: value, key: key, path: "\(path).\(key)", into: &findings)
      }
    case .null, .bool, .double: break
    }
  }

  private func look(at text: String, path: String, into findings: inout [PlanFinding]) {
    guard text.utf8.count > 2 else { return }
    var isKnown = false
    for trace in traces {
      guard let form = trace.form(in: text) else { continue }
      isKnown = true
      findings.append(finding(path, "holds \"\(trace.text)\"\(form)"))
    }
    // What the test knows needs no guess beside it.
    guard !isKnown, let form = PersonalForm.detected(in: text, by: detectors) else { return }
    findings.append(finding(path, "holds \(form)"))
  }

  private func finding(_ path: String, _ reason: String) -> PlanFinding {
    PlanFinding(kind: .personalData, path: path, reason: path.isEmpty ? "the event's name \(reason)" : reason)
  }
}

/// A text of the persona in all the forms in which it travels.
private struct PersonalTrace: Sendable {
  let text: String
  private let lowercased: String
  /// Base64 of the text at each of the three places where it may begin in what was encoded.
  private let encoded: [String]
  private let digests: [(name: String, hex: String)]

  /// `nil` for texts too short to mean anybody.
  init?(_ text: String) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard trimmed.count >= 3 else { return nil }
    self.text = trimmed
    lowercased = trimmed.lowercased()
    let spellings = Set([trimmed, lowercased])
    encoded = spellings.sorted().flatMap(Self.base64)
    digests = spellings.sorted().flatMap { text in Digest.allCases.map { ($0.rawValue, $0.hex(of: text)) } }
  }

  /// How the text stands in another one, in words; `nil` if it doesn't.
  func form(in other: String) -> String? {
    let lower = other.lowercased()
    if lower.contains(lowercased) { return "" }
    if other.contains("%") || other.contains("+"),
      let decoded = other.replacing("+", with: " ").removingPercentEncoding, decoded.lowercased().contains(lowercased)
    {
      return ", percent-encoded"
    }
    let plain = other.replacing("-", with: "+").replacing("_", with: "/")
    if encoded.contains(where: plain.contains) { return " in base64" }
    return digests.first { lower.contains($0.hex) }.map { " hashed by \($0.name)" }
  }

  /// The characters of base64 that the text alone decides.
  private static func base64(_ text: String) -> [String] {
    (0..<3).compactMap { shift in
      let bytes = [UInt8](repeating: 0, count: shift) + Array(text.utf8)
      let characters = Data(bytes).base64EncodedString().prefix { $0 != "=" }
      // Six bits a character: those that share bits with neighbours are left out.
      let first = [0, 2, 3][shift]
      let last = bytes.count % 3 == 0 ? 0 : 1
      let core = characters.dropFirst(first).dropLast(last)
      return core.count >= 4 ? String(core) : nil
    }
  }
}
