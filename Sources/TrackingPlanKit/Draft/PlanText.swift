import TrackingModel
import TrackingPlan

/// Writes JSON as people lay out plans: members in order, and an object on one line if it fits.
struct PlanText {
  /// A value to write; members keep their order.
  indirect enum Value {
    case scalar(TrackingValue)
    case array([Value])
    case object([(String, Value)])

    init(_ node: PlanNode) {
      switch node.content {
      case .scalar(let value): self = .scalar(value)
      case .array(let elements): self = .array(elements.map(Value.init))
      case .object(let members): self = .object(members.map { ($0.key, Value($0.value)) })
      }
    }

    /// An object without the members that have no value.
    static func members(_ members: [(String, Value?)]) -> Value {
      .object(members.compactMap { key, value in value.map { (key, $0) } })
    }

    static func text(_ text: String) -> Value { .scalar(.string(text)) }
    static let yes = Value.scalar(true)
  }

  private static let width = 110

  /// The text of a value that begins at a column of an indented line; the first line is not indented.
  static func text(of value: Value, indentation: Int, column: Int) -> String {
    let short = compact(value)
    if case .scalar = value { return short }
    if column + short.count <= width, !isPlanLevel(value) { return short }
    let inner = String(repeating: " ", count: indentation + 2)
    let end = "\n" + String(repeating: " ", count: indentation)
    switch value {
    case .scalar: return short
    case .array(let elements):
      guard !elements.isEmpty else { return "[]" }
      return "[\n"
        + elements.map { inner + text(of: $0, indentation: indentation + 2, column: indentation + 2) }.joined(
          separator: ",\n") + end + "]"
    case .object(let members):
      guard !members.isEmpty else { return "{}" }
      let lines = members.map { key, value in
        let name = "\(quoted(key)): "
        return inner + name + text(of: value, indentation: indentation + 2, column: indentation + 2 + name.count)
      }
      return "{\n" + lines.joined(separator: ",\n") + end + "}"
    }
  }

  /// Whether an object contains events or params, which get a line each so that diffs are readable.
  private static func isPlanLevel(_ value: Value) -> Bool {
    guard case .object(let members) = value else { return false }
    return members.contains { key, value in
      if case .object(let inner) = value {
        return ["params", "events", "types", "common"].contains(key) && !inner.isEmpty || Self.isPlanLevel(value)
      }
      return false
    } || members.count > 1 && members.allSatisfy { if case .object = $0.1 { true } else { false } }
  }

  private static func compact(_ value: Value) -> String {
    switch value {
    case .scalar(let value): value.description
    case .array(let elements): "[" + elements.map(compact).joined(separator: ", ") + "]"
    case .object(let members):
      members.isEmpty ? "{}" : "{ " + members.map { "\(quoted($0)): \(compact($1))" }.joined(separator: ", ") + " }"
    }
  }

  static func quoted(_ text: String) -> String { TrackingValue.string(text).description }
}
