import TrackingModel
import TrackingPlan

/// The mutants of a test that its questions are asked about: all, or a random choice of them.
struct MutantSample {
  private(set) var mutants: [Mutant] = []
  /// The choice; `nil` if these are all mutants.
  private(set) var choice: MutationReport.Sample?

  init(of test: KeptTest, subjects: [MutatedSubject?], most: Int, areExchangeable: (Int, Int) -> Bool) {
    let sites = Mutant.sites(of: test)
    let exchanges = Mutant.exchanges(of: test, areExchangeable: areExchangeable)
    let count = sites.reduce(0) { $0 + $1.count }
    guard count > most else {
      mutants = sites.flatMap(\.self) + exchanges
      return
    }
    let seed = StableHash.of(test.name)
    choice = .init(of: count, seed: seed)
    var generator = SampleGenerator(seed: seed)
    // All changes of a value or none, because a value is pinned if all of its nearest changes are noticed.
    let ordered = sites.filter { !$0.isEmpty }.map { (order: Self.order(of: $0[0], subjects), mutants: $0) }
      // Events of different names may arrive in any order if several processes send them.
      .sorted { $0.order < $1.order }
    for site in ordered.shuffled(using: &generator) where mutants.count + site.mutants.count <= most {
      mutants += site.mutants
    }
    mutants += exchanges.shuffled(using: &generator).prefix(most / 4)
  }

  /// The subject of a mutant's entry, the entry and the place of the change; without values, which differ from run to run.
  private static func order(of mutant: Mutant, _ subjects: [MutatedSubject?]) -> (String, Int, String) {
    let subject = subjects[mutant.entries[0]].map { "\($0)" } ?? ""
    let path = if case .value(let site, _) = mutant.change { site.path.description } else { "" }
    return (subject, mutant.entries[0], path)
  }
}

/// The same choices for the same seed: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
private struct SampleGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A hash that is the same in every process: FNV-1a.
private enum StableHash {
  static func of(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
