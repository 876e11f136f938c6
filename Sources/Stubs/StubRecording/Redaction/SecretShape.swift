/// The form of a provider's tokens: a prefix, and characters behind it.
struct SecretShape {
  /// The characters behind a prefix.
  enum Alphabet {
    case alphanumeric, upper, hexadecimal
    /// Letters, digits, hyphens and underscores.
    case urlSafe
    /// The same, with dots.
    case dotted

    func contains(_ byte: UInt8) -> Bool {
      let isDigit = byte >= 0x30 && byte <= 0x39
      let letter = byte | 0x20
      switch self {
      case .upper: return isDigit || byte >= 0x41 && byte <= 0x5A
      case .hexadecimal: return isDigit || letter >= 0x61 && letter <= 0x66
      case .alphanumeric: return isDigit || letter >= 0x61 && letter <= 0x7A
      case .urlSafe: return isDigit || letter >= 0x61 && letter <= 0x7A || byte == 0x2D || byte == 0x5F
      case .dotted: return isDigit || letter >= 0x61 && letter <= 0x7A || byte == 0x2D || byte == 0x5F || byte == 0x2E
      }
    }
  }

  let prefix: StaticString
  let alphabet: Alphabet
  /// The least number of characters behind the prefix.
  let shortest: Int

  private init(_ prefix: StaticString, _ alphabet: Alphabet, _ shortest: Int) {
    (self.prefix, self.alphabet, self.shortest) = (prefix, alphabet, shortest)
  }

  /// The shapes whose prefixes end in a byte.
  static func shapes(endingIn byte: UInt8) -> [SecretShape] { byEnd[Int(byte)] }

  /// The bytes in which prefixes end.
  static let ends: [UInt8] = Set(all.map(\.end)).sorted()

  private static let byEnd: [[SecretShape]] = (0..<256).map { byte in all.filter { Int($0.end) == byte } }

  private var end: UInt8 { prefix.utf8Start[prefix.utf8CodeUnitCount - 1] }

  private static let all = [
    // Amazon Web Services, Google
    SecretShape("AKIA", .upper, 16), SecretShape("ASIA", .upper, 16), SecretShape("ABIA", .upper, 16),
    SecretShape("AIz", .urlSafe, 36), SecretShape("GOCSPX-", .urlSafe, 28), SecretShape("ya29.", .urlSafe, 20),
    // GitHub, GitLab, Atlassian
    SecretShape("ghp_", .alphanumeric, 36), SecretShape("gho_", .alphanumeric, 36),
    SecretShape("ghu_", .alphanumeric, 36), SecretShape("ghs_", .alphanumeric, 36),
    SecretShape("ghr_", .alphanumeric, 36), SecretShape("github_pat_", .urlSafe, 22),
    SecretShape("glpat-", .dotted, 20), SecretShape("gldt-", .urlSafe, 20), SecretShape("glrt-", .urlSafe, 20),
    SecretShape("glptt-", .urlSafe, 20), SecretShape("glcbt-", .urlSafe, 20), SecretShape("ATATT", .urlSafe, 25),
    // Stripe, Square, Shopify
    SecretShape("sk_live_", .alphanumeric, 16), SecretShape("sk_test_", .alphanumeric, 16),
    SecretShape("rk_live_", .alphanumeric, 16), SecretShape("rk_test_", .alphanumeric, 16),
    SecretShape("whsec_", .alphanumeric, 20), SecretShape("sq0atp-", .urlSafe, 22),
    SecretShape("sq0csp-", .urlSafe, 22), SecretShape("shpat_", .hexadecimal, 32),
    SecretShape("shpss_", .hexadecimal, 32), SecretShape("shpca_", .hexadecimal, 32),
    SecretShape("shppa_", .hexadecimal, 32),
    // Slack, SendGrid, Mailgun, Twilio
    SecretShape("xoxb-", .urlSafe, 10), SecretShape("xoxp-", .urlSafe, 10), SecretShape("xoxa-", .urlSafe, 10),
    SecretShape("xoxr-", .urlSafe, 10), SecretShape("xoxs-", .urlSafe, 10), SecretShape("xoxe-", .urlSafe, 10),
    SecretShape("xapp-", .urlSafe, 10), SecretShape("SG.", .dotted, 40), SecretShape("key-", .hexadecimal, 32),
    SecretShape("SK", .hexadecimal, 32),
    // Package registries
    SecretShape("npm_", .alphanumeric, 36), SecretShape("pypi-", .urlSafe, 50),
    SecretShape("rubygems_", .hexadecimal, 48),
    // Models
    SecretShape("sk-ant-", .urlSafe, 20), SecretShape("sk-proj-", .urlSafe, 20), SecretShape("sk-", .alphanumeric, 32),
    SecretShape("hf_", .alphanumeric, 30),
    // Infrastructure
    SecretShape("dop_v1_", .hexadecimal, 64), SecretShape("doo_v1_", .hexadecimal, 64),
    SecretShape("hvs.", .urlSafe, 24), SecretShape("glsa_", .urlSafe, 32), SecretShape("NRAK-", .alphanumeric, 27),
    SecretShape("PMAK-", .urlSafe, 24), SecretShape("lin_api_", .alphanumeric, 32),
    SecretShape("dp.pt.", .alphanumeric, 40), SecretShape("HRKU-", .urlSafe, 36), SecretShape("sntrys_", .urlSafe, 40),
  ]
}
