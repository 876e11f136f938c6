import TrackingJSON

/// The kind of a JSON value that `serve` reads or sends.
indirect enum Shape: Sendable {
  /// A string that isn't empty if it has a name in refusals, `a test's name`.
  case text(String? = nil)
  /// A string of this pattern; one without a name in refusals is only described, because its reader says more.
  case pattern(String, String? = nil)
  case words([String])
  /// A whole number; the largest is omitted if it is `Int.max`.
  case integer(ClosedRange<Int>, String)
  /// A number; the least isn't allowed if `isAbove`.
  case number(ClosedRange<Double>, isAbove: Bool = false, String)
  case bool
  case constant(JSONTree)
  /// Any value, also `null` if that is a value here.
  case json(isNullable: Bool)
  /// A JSON Schema, which its reader compiles.
  case schema
  /// An array of at least so many elements, with the name of one in refusals.
  case list(Shape, atLeast: Int = 0, String = "element")
  /// An object with members of any names.
  case map(Shape? = nil)
  case object(Forms)
  /// One of several kinds, of which the first that isn't an object or an array has the name in refusals.
  case any([Shape], String)
  case named(Definition)

  /// A kind that the description defines once.
  struct Definition: Sendable {
    let name: String
    var sentence = ""
    let shape: Shape
  }

  /// Seconds, up to a day.
  static let seconds = Shape.number(0...86_400, "seconds, at most 86400")
  static let secondsAboveZero = Shape.number(0...86_400, isAbove: true, "seconds above 0")
  static let yes = Shape.constant(true)

  var isNullable: Bool { if case .json(let isNullable) = self { isNullable } else { false } }

  /// The shape without its name.
  fileprivate var plain: Shape { if case .named(let definition) = self { definition.shape.plain } else { self } }
}

// MARK: - Reading

extension Shape {
  /// - Throws: The path of the value at fault, and what is expected.
  func check(_ node: JSONNode) throws(JSONError) {
    switch self {
    case .text(let name):
      guard try node.string().isEmpty, let name else { return }
      throw node.mismatch(name)
    case .pattern(let pattern, let name):
      let text = try node.string()
      guard let name, (try? Regex(pattern).wholeMatch(in: text)) == nil else { return }
      throw node.mismatch(name)
    case .words(let words):
      guard words.contains(try node.string()) else {
        throw node.mismatch((words.count > 1 ? "one of " : "") + words.joined(separator: ", "))
      }
    case .integer(let range, let name):
      guard let number = try? node.integer(), range.contains(number) else { throw node.mismatch(name) }
    case .number(let range, let isAbove, let name):
      guard let number = try? node.number(), range.contains(number), !isAbove || number > range.lowerBound else {
        throw node.mismatch(name)
      }
    case .bool:
      guard node.tree.bool != nil else { throw node.mismatch("true or false") }
    case .constant(let value):
      guard node.tree.value == value.value else { throw node.mismatch(value.text(.compact)) }
    case .json, .schema: break
    case .list(let element, let least, let name):
      let elements = try node.elements()
      guard elements.count >= least else { throw node.error("expected at least one \(name)") }
      for part in elements { try element.check(part) }
    case .map(let value):
      for member in try node.members() { try value?.check(member.node) }
    case .object(let forms): try forms.check(node)
    case .any(let shapes, let name): try Self.check(node, shapes, name)
    case .named(let definition): try definition.shape.check(node)
    }
  }

  private static func check(_ node: JSONNode, _ shapes: [Shape], _ name: String) throws(JSONError) {
    for shape in shapes {
      switch shape.plain {
      // A mistake inside of it is told with its place.
      case .object, .map: if node.isObject { return try shape.check(node) }
      case .list: if node.tree.elements != nil { return try shape.check(node) }
      case .integer: if (try? node.number()) != nil { return try shape.check(node) }
      default: if shape.accepts(node) { return }
      }
    }
    throw node.mismatch(name)
  }

  func accepts(_ node: JSONNode) -> Bool {
    do throws(JSONError) {
      try check(node)
      return true
    } catch {
      return false
    }
  }
}
