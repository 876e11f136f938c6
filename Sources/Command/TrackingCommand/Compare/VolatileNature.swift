import TrackingModel

/// The reason that values differ from run to run, if the values or their name show it.
enum VolatileNature {
  case id, time, address

  /// `nil` if none of the values looks volatile.
  init?(of values: Set<TrackingValue>, named path: String) {
    let natures = values.compactMap { Self.nature(of: $0, named: path) }
    guard let first = [Self.time, .id, .address].first(where: { natures.contains($0) }) else { return nil }
    self = first
  }

  var text: String {
    switch self {
    case .id: "it looks like an id that is made at run time"
    case .time: "it looks like a time or a duration"
    case .address: "it holds an address of this machine"
    }
  }

  private static func nature(of value: TrackingValue, named path: String) -> VolatileNature? {
    switch value {
    case .string(let text): nature(of: text)
    case .int, .unsigned, .double:
      value.isTimestamp || words(in: path).contains(where: namesOfTimes.contains) ? .time : nil
    case .null, .bool, .array, .object: nil
    }
  }

  private static func nature(of text: String) -> VolatileNature? {
    let bytes = Array(text.utf8)
    if has(bytes, like: "0000-00-00") || has(bytes, like: "00:00:00") { return .time }
    if ["localhost:", "127.0.0.1:", "[::1]:"].contains(where: { text.contains($0) }) { return .address }
    let isID =
      has(bytes, like: "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") || has(bytes, like: "000000000") || isHash(bytes)
      || isRandom(bytes)
    return isID ? .id : nil
  }

  /// Words in the names of params whose numbers are times.
  private static let namesOfTimes: Set<String> = [
    "time", "timestamp", "date", "duration", "elapsed", "latency", "uptime", "ms", "millis", "milliseconds",
  ]

  /// The words in the last part of a param's path: `load_time`, `loadTime`.
  private static func words(in path: String) -> [String] {
    (path.split(separator: ".").last.map(String.init) ?? "").words(splitsAcronyms: true).map { $0.lowercased() }
  }

  /// Whether a part of a text has a form, in which `0` matches a digit and `x` a hexadecimal one.
  private static func has(_ bytes: [UInt8], like form: StaticString) -> Bool {
    let form = form.withUTF8Buffer { Array($0) }
    guard bytes.count >= form.count else { return false }
    return (0...bytes.count - form.count).contains { start in
      zip(bytes[start...], form).allSatisfy { byte, expected in
        switch expected {
        case UInt8(ascii: "0"): byte.isDigit
        case UInt8(ascii: "x"): byte.isHexDigit
        default: byte == expected
        }
      }
    }
  }

  private static func isHash(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 16 && bytes.allSatisfy(\.isHexDigit) && bytes.contains(where: \.isDigit)
  }

  /// Whether a text without spaces alternates often between letters and digits, as tokens do.
  private static func isRandom(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12, !bytes.contains(UInt8(ascii: " ")) else { return false }
    return zip(bytes, bytes.dropFirst()).count { $0.isDigit && $1.isLetter || $0.isLetter && $1.isDigit } >= 4
  }
}

extension TrackingValue {
  /// Whether a number is a time since 1970 between 2001 and 2100, in seconds, milliseconds, microseconds or nanoseconds.
  fileprivate var isTimestamp: Bool {
    let number: Double
    switch self {
    case .int(let value): number = Double(value)
    case .unsigned(let value): number = Double(value)
    case .double(let value): number = value
    default: return false
    }
    return [1.0, 1e3, 1e6, 1e9].contains { unit in (978_307_200...4_102_444_800).contains(number / unit) }
  }
}
