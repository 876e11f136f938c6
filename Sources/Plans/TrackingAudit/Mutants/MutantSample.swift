import TrackingModel
import TrackingPlan

/// The mutants on which a test's checks are repeated: all, or a random choice.
///
/// Either all changes of a value are chosen or none, because a value is pinned if all of its nearest changes are noticed.
struct MutantSample {
  private(set) var sites: [[Mutant]]
  /// The choice; `nil` if all mutants are included.
  private(set) var choice: MutationReport.Sample?

  init(of test: KeptTest, subjects: [MutatedSubject?], most: Int, areExchangeable: (Int, Int) -> Bool) {
    sites = Mutant.sites(of: test)
    let exchanges = Mutant.exchanges(of: test, areExchangeable: areExchangeable)
    let count = sites.reduce(0) { $0 + $1.count }
    guard count > most else {
      sites += exchanges.map { [$0] }
      return
    }
    let seed = test.name.stableHash
    choice = .init(of: count, seed: seed)
    var generator = SampleGenerator(state: seed)
    var room = most
    sites = sites.map { (order: Self.order(of: $0[0], subjects), mutants: $0) }
      // Events of different names may arrive in any order if several processes send them.
      .sorted { $0.order < $1.order }.shuffled(using: &generator).map(\.mutants)
      .filter { mutants in
        guard mutants.count <= room else { return false }
        room -= mutants.count
        return true
      }
    sites += exchanges.shuffled(using: &generator).prefix(most / 4).map { [$0] }
  }

  /// Sorts by the subject of a mutant's entry, the entry and the place of the change, not by values, which differ from run to run.
  private static func order(of mutant: Mutant, _ subjects: [MutatedSubject?]) -> (String, Int, String) {
    let subject = subjects[mutant.entries[0]].map { "\($0)" } ?? ""
    let path = if case .value(let site, _) = mutant.change { site.path.description } else { "" }
    return (subject, mutant.entries[0], path)
  }
}

/// SplitMix64, which makes the same choices for the same seed (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
private struct SampleGenerator: RandomNumberGenerator {
  /// Initially the seed.
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
