import StubRecording

/// The shape of a JSON value: its types, and the members of its objects.
///
/// All elements of an array share one shape, so that a backend may return different elements than recorded.
struct JSONShape {
  private enum Kind: String {
    case null
    case boolean = "a boolean"
    case integer = "a whole number"
    case fraction = "a number with a fraction"
    case string = "a string"
    case array = "an array"
    case object = "an object"
  }

  private var kinds: Set<Kind> = []
  /// The members of its objects, each with the number of objects that have it.
  private var members: [String: (shape: JSONShape, count: Int)] = [:]
  private var objectCount = 0
  /// The shape of the elements of its arrays: one, or none if they are empty.
  private var elements: [JSONShape] = []

  /// The combined shape of the values at one path.
  init(_ values: [TrackingValue]) {
    var members: [String: [TrackingValue]] = [:]
    var elements: [TrackingValue] = []
    for value in values {
      switch value.canonical {
      case .null: kinds.insert(.null)
      case .bool: kinds.insert(.boolean)
      case .int, .unsigned: kinds.insert(.integer)
      case .double: kinds.insert(.fraction)
      case .string: kinds.insert(.string)
      case .array(let values):
        kinds.insert(.array)
        elements += values
      case .object(let object):
        kinds.insert(.object)
        objectCount += 1
        for (name, value) in object { members[name, default: []].append(value) }
      }
    }
    self.members = members.mapValues { (JSONShape($0), $0.count) }
    if !elements.isEmpty { self.elements = [JSONShape(elements)] }
  }

  /// The differences of another shape from this one, which was recorded: by severity, with the path and the reason.
  func drift(to fresh: JSONShape, at path: String = "") -> [(severity: Drift.Severity, path: String, reason: String)] {
    var drift: [(severity: Drift.Severity, path: String, reason: String)] = []
    if let change = change(to: fresh) { drift.append((change.severity, path, change.reason)) }
    for (name, recorded) in members.sorted(by: { $0.key < $1.key }) {
      let place = path.isEmpty ? name : "\(path).\(name)"
      guard let now = fresh.members[name] else {
        // If there is no object anymore, the change of type is already reported.
        if fresh.objectCount > 0 { drift.append((.warning, place, "is gone")) }
        continue
      }
      if recorded.count == objectCount, now.count < fresh.objectCount {
        drift.append((.warning, place, "is missing in some elements"))
      }
      drift += recorded.shape.drift(to: now.shape, at: place)
    }
    for (name, _) in fresh.members.sorted(by: { $0.key < $1.key }) where objectCount > 0 && members[name] == nil {
      drift.append((.note, path.isEmpty ? name : "\(path).\(name)", "is new"))
    }
    for (recorded, now) in zip(elements, fresh.elements) { drift += recorded.drift(to: now, at: "\(path)[]") }
    return drift
  }

  /// The change of the type; `nil` if it is the same, or if only null was seen on one side.
  private func change(to fresh: JSONShape) -> (severity: Drift.Severity, reason: String)? {
    let (before, now) = (kinds.subtracting([.null]), fresh.kinds.subtracting([.null]))
    if !before.isEmpty, !kinds.contains(.null), fresh.kinds.contains(.null) {
      return (.warning, "was never null, and is \(now.isEmpty ? "" : "sometimes ")null")
    }
    guard !before.isEmpty, !now.isEmpty, !now.isSubset(of: before) else { return nil }
    // The recorded number may have been whole by chance, but code that decodes an integer can't read a fraction.
    if now.subtracting(before) == [.fraction], before.contains(.integer) {
      return (.warning, "was always a whole number, and is \(Self.words(now.subtracting([.integer])))")
    }
    if now == [.integer], before == [.fraction] { return nil }
    return (.error, "was \(Self.words(before)), and is \(Self.words(now))")
  }

  private static func words(_ kinds: Set<Kind>) -> String {
    kinds.map(\.rawValue).sorted().joined(separator: " or ")
  }
}
