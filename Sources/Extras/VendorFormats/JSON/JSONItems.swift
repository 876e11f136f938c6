import Foundation
import TrackingJSON
import TrackingModel

/// The items of a JSON body, read separately, so that an invalid one doesn't affect the others.
struct JSONItems {
  /// An item and its place, or the error in its text.
  struct Element {
    fileprivate let place: String
    fileprivate let index: Int?
    fileprivate(set) var value: Result<TrackingValue, JSONError>

    /// Created when first read.
    var path: String { index.map { "\(place)[\($0)]" } ?? place }
  }

  private(set) var elements: [Element] = []
  /// The members of the body's object that don't lead to the items.
  private(set) var envelope: [String: TrackingValue] = [:]
  private(set) var isFound = false

  /// The deepest nesting of a body; worker threads have small stacks.
  static let deepest = 128
  /// The number of invalid items from which on a body is refused as a whole.
  private static let mostRefused = 1_000
  private var refused = 0

  init() {}

  init(of body: Data, at path: JSONPath) throws(JSONError) {
    var items = JSONItems()
    try JSONReader.read(body, maximumDepth: Self.deepest) { (reader) throws(JSONError) in
      try items.read(path.steps[...], from: &reader, at: "", isTop: true)
    }
    self = items
  }

  mutating func append(_ value: Result<TrackingValue, JSONError>, at path: String) {
    elements.append(Element(place: path, index: nil, value: value))
  }

  /// Takes the value of an element out, so that its reader has the only copy.
  mutating func takeValue(at index: Int) throws(JSONError) -> TrackingValue {
    let value = try elements[index].value.get()
    elements[index].value = .success(.null)
    return value
  }

  private mutating func read(
    _ steps: ArraySlice<JSONPath.Step>, from reader: inout JSONReader, at path: String, isTop: Bool
  ) throws(JSONError) {
    let next = reader.peek()
    switch steps.first {
    case nil:
      isFound = true
      append(.success(try reader.value()), at: path)
    case .member(let name):
      guard next == UInt8(ascii: "{") else {
        // Another shape, which other formats may read.
        _ = try reader.value()
        return
      }
      try members(name, steps.dropFirst(), from: &reader, at: path, isTop: isTop)
    // A format's path has no indices.
    case .each, .element:
      isFound = true
      if next == UInt8(ascii: "[") {
        try elements(steps.dropFirst(), from: &reader, at: path)
      } else {
        // GA4's Python client sends a single postponed event as an object instead of an array.
        try read(steps.dropFirst(), from: &reader, at: path, isTop: false)
      }
    }
  }

  private mutating func members(
    _ name: String, _ rest: ArraySlice<JSONPath.Step>, from reader: inout JSONReader, at path: String, isTop: Bool
  ) throws(JSONError) {
    var keys: Set<String> = []
    try reader.object { (reader, key) throws(JSONError) in
      let isNew = keys.insert(key).inserted
      if key == name {
        try read(rest, from: &reader, at: path.isEmpty ? name : "\(path).\(name)", isTop: false)
      } else {
        let value = try reader.value()
        if isTop { envelope[key] = value }
      }
      return isNew
    }
  }

  private mutating func elements(
    _ rest: ArraySlice<JSONPath.Step>, from reader: inout JSONReader, at path: String
  ) throws(JSONError) {
    var index = 0
    try reader.array { (reader) throws(JSONError) in
      defer { index += 1 }
      guard rest.isEmpty else { return try read(rest, from: &reader, at: "\(path)[\(index)]", isTop: false) }
      var ahead = reader
      do throws(JSONError) {
        // Items of SDKs have about ten members.
        let value = try ahead.peek() == UInt8(ascii: "{") ? .object(ahead.members(capacity: 12)) : ahead.value()
        reader = ahead
        elements.append(Element(place: path, index: index, value: .success(value)))
      } catch let refusal {
        refused += 1
        guard refused <= Self.mostRefused else { throw refusal }
        // If a text ends too early, the error is where the reader found it.
        do throws(JSONError) { try reader.skipValue() } catch { throw refusal }
        elements.append(Element(place: path, index: index, value: .failure(refusal)))
      }
    }
  }
}
