import Foundation

/// The number of random cases of a test, and their seeds.
///
/// `swift test` tries a tenth, always the same ones. With `ORACLES=full` in the environment all are tried, of another seed each day, which is printed.
package enum RandomCases {
  package static let isFull = ProcessInfo.processInfo.environment["ORACLES"] == "full"

  private static let offset: Int = {
    guard isFull else { return 0 }
    let day = Int(Date().timeIntervalSince1970 / 86_400)
    FileHandle.standardError.write(Data("Random cases begin at seed \(day)000000\n".utf8))
    return day * 1_000_000
  }()

  /// The number of cases of a test that has so many at full size.
  package static func count(_ full: Int) -> Int { isFull ? full : max(full / 10, 1) }

  /// The seeds of a test that has so many cases at full size, each with its own.
  package static func seeds(_ full: Int) -> Range<Int> { offset..<(offset + count(full)) }

  /// The random numbers of a test whose cases share a generator.
  package static func generator(seed: UInt64) -> SeededGenerator { SeededGenerator(seed: seed &+ UInt64(offset)) }
}
