import TrackingSecrets

/// Names with their verdicts, which are kept because the same few names are looked up again and again.
struct KnownNames {
  let names: SecretNames
  private var verdicts: [String: SecretNames.Verdict] = [:]
  private var aboutErrors: [String: Bool] = [:]
  private var items: [String: (short: SecretNames.Verdict, long: SecretNames.Verdict)] = [:]

  init(_ names: SecretNames) {
    self.names = names
  }

  mutating func verdict(on name: String) -> SecretNames.Verdict {
    if let known = verdicts[name] { return known }
    let verdict = names.verdict(on: name)
    verdicts[name] = verdict
    return verdict
  }

  mutating func isAboutErrors(_ name: String) -> Bool {
    if let known = aboutErrors[name] { return known }
    let isAboutErrors = SecretNames.isAboutErrors(name)
    aboutErrors[name] = isAboutErrors
    return isAboutErrors
  }

  mutating func verdicts(onItem name: String) -> (short: SecretNames.Verdict, long: SecretNames.Verdict) {
    if let known = items[name] { return known }
    let verdicts = names.verdicts(onItem: name)
    items[name] = verdicts
    return verdicts
  }
}
