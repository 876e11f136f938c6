import TrackingModel

/// What a provider accepts of an event; what exceeds it is dropped or cut in production without a word.
public struct ProviderLimits: Sendable, EventRule {
  /// The provider's name, for example `"firebase"`.
  public let name: String
  var longestEventName = Int.max
  var longestParamName = Int.max
  var longestValue = Int.max
  var mostParams = Int.max
  /// Whether names are letters, digits and underscores, beginning with a letter.
  var namesAreIdentifiers = false
  var reservedPrefixes: [String] = []
  /// Whether lengths are counted in bytes of UTF-8; else in characters.
  var countsBytes = false

  init(name: String) {
    self.name = name
  }

  /// The provider's name.
  public var ruleName: String { "the limits of \(name)" }

  /// What the provider would drop or cut.
  public func findings(in event: TrackingEvent) -> [PlanFinding] {
    var findings = problems(ofName: event.name, params: event.params.keys.map(\.key).sorted())
      .map { PlanFinding(kind: .limit, reason: $0) }
    for (param, value) in event.params.sorted(by: { $0.key < $1.key }) {
      guard case .string(let text) = value, length(of: text) > longestValue else { continue }
      findings.append(
        PlanFinding(
          kind: .limit, path: param.key,
          reason: "has \(length(of: text)) \(unit), \(name) keeps at most \(longestValue)"))
    }
    return findings
  }

  /// What is wrong with names and numbers, before there is any value.
  package func problems(ofName event: String, params: [String]) -> [String] {
    var problems = problems(of: event, "the event's name", longestEventName)
    for param in params { problems += self.problems(of: param, "the param's name \(param)", longestParamName) }
    if params.count > mostParams { problems.append("has \(params.count) params, \(name) keeps at most \(mostParams)") }
    return problems
  }

  private func problems(of text: String, _ what: String, _ longest: Int) -> [String] {
    var problems: [String] = []
    if length(of: text) > longest {
      problems.append("\(what) has \(length(of: text)) \(unit), \(name) takes at most \(longest)")
    }
    if namesAreIdentifiers, !Self.isIdentifier(text) {
      problems.append("\(what) must be letters, digits and underscores and begin with a letter for \(name)")
    }
    if let prefix = reservedPrefixes.first(where: text.hasPrefix) {
      problems.append("\(what) begins with \(prefix), which \(name) keeps for itself")
    }
    return problems
  }

  private var unit: String { countsBytes ? "bytes" : "characters" }

  private func length(of text: String) -> Int {
    countsBytes ? text.utf8.count : text.unicodeScalars.count
  }

  private static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else { return false }
    return text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_"
    }
  }
}

extension ProviderLimits {
  /// All providers of which limits are published.
  public static let all: [ProviderLimits] = [firebase]

  /// Google Analytics for Firebase.
  public static let firebase: ProviderLimits = {
    var limits = ProviderLimits(name: "firebase")
    limits.longestEventName = 40
    limits.longestParamName = 40
    limits.longestValue = 100
    limits.mostParams = 25
    limits.namesAreIdentifiers = true
    limits.reservedPrefixes = ["firebase_", "google_", "ga_"]
    return limits
  }()
}
