import TrackingModel
import TrackingPlan

/// The kind of values that differ from run to run, if the values or their name show it.
enum VolatileKind {
  case id, time, address

  /// `nil` if none of the values looks volatile.
  init?(of values: Set<TrackingValue>, named path: String) {
    let kinds = values.compactMap { Self.kind(of: $0, named: path) }
    guard let first = [Self.time, .id, .address].first(where: { kinds.contains($0) }) else { return nil }
    self = first
  }

  var text: String {
    switch self {
    case .id: "it looks like an id that is made at run time"
    case .time: "it looks like a time or a duration"
    case .address: "it holds an address of this machine"
    }
  }

  /// Wide, because two runs are only compared: a value that is left out is named in the report.
  private static let forms: [VolatileForm] = [
    .partialDate, .partialTime, .timestamp, .localAddress, .partialUUID, .counter, .hash, .alternation,
  ]

  private static func kind(of value: TrackingValue, named path: String) -> VolatileKind? {
    switch VolatileForm.first(of: forms, in: value) {
    case .partialDate?, .partialTime?, .timestamp?: .time
    case .localAddress?: .address
    case .some: .id
    case nil: value.isNumber && words(in: path).contains(where: namesOfTimes.contains) ? .time : nil
    }
  }

  /// Words in the names of params whose numbers are times.
  private static let namesOfTimes: Set<String> = [
    "time", "timestamp", "date", "duration", "elapsed", "latency", "uptime", "ms", "millis", "milliseconds",
  ]

  /// The words in the last part of a param's path: `load_time`, `loadTime`.
  private static func words(in path: String) -> [String] {
    (path.split(separator: ".").last.map(String.init) ?? "").words(splitsAcronyms: true).map { $0.lowercased() }
  }
}

extension TrackingValue {
  /// Whether the value was written as a number, even one that JSON doesn't have.
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .unsigned, .double: true
    case .null, .bool, .string, .array, .object: false
    }
  }
}
