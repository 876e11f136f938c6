import TrackingModel
import TrackingPatterns
import TrackingPlan
import TrackingVerifier

/// A sequence of events, written as text for review.
///
/// ```
/// added_to_cart
///   product_id: "42"
///   quantity: 1
/// order_placed
///   order_id: <uuid>
/// ```
struct EventFlow: Equatable {
  struct Step: Equatable {
    let title: String
    /// The params, such as `quantity: 1`, ordered by name.
    let lines: [String]
  }

  private(set) var steps: [Step]

  init(_ steps: [Step]) {
    self.steps = steps
  }

  init(text: String) {
    steps = []
    var title: String?
    var lines: [String] = []
    func finish(_ steps: inout [Step]) {
      if let title { steps.append(Step(title: title, lines: lines)) }
    }
    for line in text.split(whereSeparator: \.isNewline) {
      // By bytes, since a space with a combining character is one character.
      if line.utf8.starts(with: "  ".utf8) {
        lines.append(String(line.unicodeScalars.dropFirst(2)))
      } else {
        finish(&steps)
        (title, lines) = (String(line), [])
      }
    }
    finish(&steps)
  }

  var text: String {
    steps.map { step in ([step.title] + step.lines.map { "  " + $0 }).joined(separator: "\n") + "\n" }.joined()
  }

  /// Replaces values by `<any>` where a recorded flow has it, as in `order_id: <any>`.
  func opened(like recorded: EventFlow) -> EventFlow {
    var result = self
    for (position, partner) in pairs(with: recorded) {
      let open = Set(recorded.steps[partner].lines.compactMap { $0.hasSuffix(": <any>") ? $0.dropLast(5) : nil })
      let lines = steps[position].lines.map { line in
        open.first { line.hasPrefix($0) }.map { "\($0)<any>" } ?? line
      }
      result.steps[position] = Step(title: steps[position].title, lines: lines)
    }
    return result
  }

  /// The diff from the recorded flow to this one; equal steps are only counted.
  func difference(from recorded: EventFlow) -> String {
    var lines: [String] = []
    var equal = 0
    func flush() {
      if equal > 0 { lines.append("    ... \(equal) equal") }
      equal = 0
    }
    func addWhole(_ step: Step, _ mark: Character) {
      flush()
      lines += ["\(mark)   \(step.title)"] + step.lines.map { "\(mark)     \($0)" }
    }
    for change in changes(from: recorded) {
      switch change {
      case .equal: equal += 1
      case .removed(let step): addWhole(step, "-")
      case .added(let position): addWhole(steps[position], "+")
      case .changed(let position, let old):
        flush()
        lines.append("    \(steps[position].title)")
        lines += Self.changes(from: old.lines, to: steps[position].lines)
      }
    }
    flush()
    return lines.joined(separator: "\n")
  }

  /// The first step without an equal one in the recorded flow, or missing from this flow, in words, and its position in this flow.
  ///
  /// Of a step that replaces another, it is the new one. `nil` if all steps are equal.
  func firstDifference(from recorded: EventFlow) -> (words: Headline, position: Int?)? {
    var removed: String?
    func missing(_ title: String) -> (words: Headline, position: Int?) { ("a missing step, \(name: title)", nil) }
    for change in changes(from: recorded) {
      switch change {
      case .removed(let step): removed = removed ?? step.title
      case .added(let position):
        let title = steps[position].title
        return (removed.map { "\(name: title) instead of \(name: $0)" } ?? "an extra step, \(name: title)", position)
      case .changed(let position, _): return removed.map(missing) ?? ("in \(name: steps[position].title)", position)
      case .equal: if let removed { return missing(removed) }
      }
    }
    return removed.map(missing)
  }

  private enum Change {
    case equal
    /// A step of the recorded flow alone.
    case removed(Step)
    /// The position of a step of this flow alone.
    case added(Int)
    case changed(Int, from: Step)
  }

  /// The changes from the recorded flow, in order; where steps are replaced, the removed ones come first.
  private func changes(from recorded: EventFlow) -> [Change] {
    var changes: [Change] = []
    var (left, right) = (0, 0)
    func addUnpaired(before position: Int, _ partner: Int) {
      changes += recorded.steps[left..<partner].map { .removed($0) }
      changes += (right..<position).map { .added($0) }
      (left, right) = (partner + 1, position + 1)
    }
    for (position, partner) in pairs(with: recorded) {
      addUnpaired(before: position, partner)
      let old = recorded.steps[partner]
      changes.append(steps[position] == old ? .equal : .changed(position, from: old))
    }
    addUnpaired(before: steps.count, recorded.steps.count)
    return changes
  }

  private static func changes(from old: [String], to new: [String]) -> [String] {
    var lines: [String] = []
    for line in old where !new.contains(line) {
      lines.append("-     \(line)")
      let name = line.prefix { $0 != ":" }
      lines += new.filter { !old.contains($0) && $0.prefix { $0 != ":" } == name }.map { "+     \($0)" }
    }
    let known = Set(lines.map { String($0.dropFirst(6)) })
    return lines + new.filter { !old.contains($0) && !known.contains($0) }.map { "+     \($0)" }
  }

  /// The longest common subsequence of both flows' steps, compared by title.
  private func pairs(with recorded: EventFlow) -> [(Int, Int)] {
    let (new, old) = (steps.map(\.title), recorded.steps.map(\.title))
    var (added, removed): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .insert(let offset, _, _): added.insert(offset)
      case .remove(let offset, _, _): removed.insert(offset)
      }
    }
    return Array(zip(new.indices.filter { !added.contains($0) }, old.indices.filter { !removed.contains($0) }))
  }
}

/// Values in a flow that differ from run to run.
public struct VolatileParams: Sendable {
  private let mark: @Sendable (String, String, TrackingValue) -> String?

  /// Returns the values of a param, in all events or in those with one name; written as `<any>`.
  public static func param(_ param: TrackingParam, of event: String? = nil) -> VolatileParams {
    VolatileParams { name, key, _ in key == param.key && (event == nil || event == name) ? "<any>" : nil }
  }

  /// Strings that contain a date and a time; written as `<date>`.
  public static let dates = VolatileParams { _, _, value in
    VolatileForm.first(of: [.dateTime], in: value).map { _ in "<date>" }
  }

  /// Strings that are UUIDs; written as `<uuid>`.
  public static let ids = VolatileParams { _, _, value in
    VolatileForm.first(of: [.uuid], in: value).map { _ in "<uuid>" }
  }

  /// Returns the values of which a plan gives only the type; written as `<string>`, `<integer>`, `<number>`, or a string's format such as `<uuid>`.
  ///
  /// Values that the plan lists, Booleans, and values of another type than the planned one are written out.
  public static func planned(by plan: TrackingPlan) -> VolatileParams {
    var shapes: [String: [String: [PlanShape]]] = [:]
    func add(_ params: [PlannedParam], of event: String) {
      for param in params {
        let shape = param.shape.element
        shapes[event, default: [:]][param.name, default: []].append(shape)
        if case .object(let members, _) = shape { add(members, of: event) }
      }
    }
    for event in plan.events { add(event.params, of: event.name) }
    return VolatileParams { [shapes] name, key, value in
      shapes[name]?[key]?.lazy.compactMap { $0.placeholder(for: value) }.first
    }
  }

  /// The placeholder for a value; `nil` if the value itself is written.
  func text(for value: TrackingValue, of key: String, in event: String) -> String? {
    mark(event, key, value)
  }
}

extension PlanShape {
  /// The shape without `null`; for an array, its elements' shape.
  fileprivate var element: PlanShape {
    if case .array(let shape) = plain { shape.element } else { plain }
  }

  /// The placeholder for a value of this shape; `nil` if the value itself is written.
  fileprivate func placeholder(for value: TrackingValue) -> String? {
    switch (self, value) {
    case (.string(let format), .string): "<\(format ?? "string")>"
    case (.integer, .int), (.integer, .unsigned): "<integer>"
    case (.number, .int), (.number, .unsigned), (.number, .double): "<number>"
    default: nil
    }
  }
}

extension EventFlow.Step {
  init(_ event: TrackingEvent, volatile: [VolatileParams]) {
    func text(_ value: TrackingValue, _ key: String) -> String {
      for rule in volatile {
        if let text = rule.text(for: value, of: key, in: event.name) { return text }
      }
      switch value {
      case .array(let values): return "[" + values.map { text($0, key) }.joined(separator: ", ") + "]"
      case .object(let members):
        return "{"
          + members.sorted { $0.key < $1.key }.map { "\(TrackingValue.string($0)): \(text($1, $0))" }.joined(
            separator: ", ") + "}"
      default: return value.description
      }
    }
    self.init(
      title: Self.title(event.name),
      lines: event.params.sorted { $0.key < $1.key }.map {
        Self.oneLine("\($0.key): \(text($0.value, $0.key.key))")
      })
  }

  /// Escapes an event's name to a line that isn't blank or indented, unlike a param's.
  private static func title(_ name: String) -> String {
    guard let first = name.unicodeScalars.first else { return "\"\"" }
    guard first == " " else { return oneLine(name) }
    return "\\u{20}" + oneLine(String(name.unicodeScalars.dropFirst()))
  }

  /// Escapes line breaks, since each line of a file is a title or a param.
  private static func oneLine(_ text: String) -> String {
    text.reduce(into: "") { line, character in
      guard character.isNewline else { return line.append(character) }
      for scalar in character.unicodeScalars {
        line += scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
  }
}
