import Foundation

/// The measured values of each subject, printed for `run` as one line of JSON each.
public struct Samples {
  private var subjects: [Subject] = []
  private var values: [Subject: [Double]] = [:]

  /// No samples yet.
  public init() {}

  /// Adds one measured value.
  public mutating func add(_ value: Double, of subject: Subject) {
    add([value], of: subject)
  }

  /// Adds measured values.
  public mutating func add(_ more: [Double], of subject: Subject) {
    if values[subject] == nil { subjects.append(subject) }
    values[subject, default: []] += more
  }

  /// Prints a line for each subject, in the order of a table's rows, regardless of the order of measurement.
  public func write(inOrderOf order: [Subject]) {
    let known = order.filter { values[$0] != nil }
    for subject in known + subjects.filter({ !known.contains($0) }) {
      write(subject, (values[subject] ?? []).sorted())
    }
    fflush(nil)
  }

  private func write(_ subject: Subject, _ sorted: [Double]) {
    guard !sorted.isEmpty else { return }
    let line = Line(
      what: subject.what, contestant: subject.contestant, role: subject.role.rawValue, unit: subject.unit,
      median: sorted[sorted.count / 2], p99: sorted[min(sorted.count * 99 / 100, sorted.count - 1)],
      samples: sorted.count)
    guard let bytes = try? JSONEncoder().encode(line) else { return }
    print(String(decoding: bytes, as: UTF8.self))
  }

  private struct Line: Encodable {
    let what: String
    let contestant: String
    let role: String
    let unit: String
    let median: Double
    let p99: Double
    let samples: Int
  }
}
