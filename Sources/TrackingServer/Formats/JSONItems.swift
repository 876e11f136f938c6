import TrackingJSON
import TrackingModel

/// The items of a JSON body, each read by itself, so that a bad one does not spoil the others.
package struct JSONItems {
  /// Where an item stands, and what it is or why it cannot be read.
  package typealias Element = (path: String, value: Result<TrackingValue, JSONError>)

  package private(set) var elements: [Element] = []
  /// The members of the body's object beside those that lead to the items.
  package private(set) var envelope: [String: TrackingValue] = [:]
  /// Whether the body has the place where items stand.
  package private(set) var isFound = false

  /// The deepest nesting of a body; the work queue's threads have small stacks.
  package static let deepest = 128
  /// Beyond so many bad items a body is refused as a whole.
  private static let mostRefused = 1_000
  private var refused = 0

  init() {}

  init(of body: UnsafeRawBufferPointer, at path: ItemPath) throws(JSONError) {
    var reader = JSONReader(body.bindMemory(to: UInt8.self), maximumDepth: Self.deepest)
    try read(path.steps[...], from: &reader, at: "", isTop: true)
    try reader.end()
  }

  mutating func append(_ value: Result<TrackingValue, JSONError>, at path: String) {
    elements.append((path, value))
  }

  private mutating func read(
    _ steps: ArraySlice<ItemPath.Step>, from reader: inout JSONReader, at path: String, isTop: Bool
  ) throws(JSONError) {
    let next = reader.peek()
    switch steps.first {
    case nil:
      isFound = true
      elements.append((path, .success(try reader.value())))
    case .member(let name):
      guard next == UInt8(ascii: "{") else {
        // Another shape: that is for other formats to read.
        _ = try reader.value()
        return
      }
      try members(name, steps.dropFirst(), from: &reader, at: path, isTop: isTop)
    case .each:
      isFound = true
      if next == UInt8(ascii: "[") {
        try elements(steps.dropFirst(), from: &reader, at: path)
      } else {
        // GA4's Python client sends a single postponed event as an object in place of the array.
        try read(steps.dropFirst(), from: &reader, at: path, isTop: false)
      }
    }
  }

  private mutating func members(
    _ name: String, _ rest: ArraySlice<ItemPath.Step>, from reader: inout JSONReader, at path: String, isTop: Bool
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
    _ rest: ArraySlice<ItemPath.Step>, from reader: inout JSONReader, at path: String
  ) throws(JSONError) {
    var index = 0
    try reader.array { (reader) throws(JSONError) in
      let place = "\(path)[\(index)]"
      index += 1
      guard rest.isEmpty else { return try read(rest, from: &reader, at: place, isTop: false) }
      var ahead = reader
      do throws(JSONError) {
        let value = try ahead.value()
        reader = ahead
        elements.append((place, .success(value)))
      } catch let refusal {
        refused += 1
        guard refused <= Self.mostRefused else { throw refusal }
        // Of a text that ends too early, the error is where the reader found it.
        do throws(JSONError) { try reader.skipValue() } catch { throw refusal }
        elements.append((place, .failure(refusal)))
      }
    }
  }
}
