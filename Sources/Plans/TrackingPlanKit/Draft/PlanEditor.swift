import TrackingJSON
import TrackingPlan

/// Adds members to objects in a JSON text without changing other bytes.
struct PlanEditor {
  private let text: [UInt8]
  private var insertions: [(offset: Int, order: Int, text: String)] = []

  init(text: [UInt8]) {
    self.text = text
  }

  /// Inserts a member before the first one whose name sorts after it.
  mutating func insert(_ key: String, _ value: JSONTree, into object: JSONTree) {
    let members = object.members ?? []
    if let next = members.first(where: { key < $0.key }) {
      let offset = keyOffset(before: Int(next.value.place.offset))
      let indentation = indentation(at: offset)
      add(
        at: offset, rendered(key, value, indentation: indentation) + ",\n" + String(repeating: " ", count: indentation))
    } else if let last = members.last {
      let indentation = indentation(at: keyOffset(before: Int(last.value.place.offset)))
      add(
        at: end(of: Int(last.value.place.offset)),
        ",\n" + String(repeating: " ", count: indentation) + rendered(key, value, indentation: indentation))
    } else {
      let outer = indentation(at: Int(object.place.offset))
      let isFirst = !insertions.contains { $0.offset == Int(object.place.offset) + 1 }
      let inner = String(repeating: " ", count: outer + 2)
      // In an empty object, further members follow the first inserted one.
      let line = (isFirst ? "\n" : ",\n") + inner + rendered(key, value, indentation: outer + 2)
      add(at: Int(object.place.offset) + 1, line)
      emptied.insert(Int(object.place.offset) + 1)
    }
  }

  /// The offsets of objects that were empty, whose closing brackets need their own lines.
  private var emptied: Set<Int> = []

  private mutating func add(at offset: Int, _ text: String) {
    insertions.append((offset, insertions.count, text))
  }

  var result: String {
    var bytes: [UInt8] = []
    var from = 0
    let sorted = insertions.sorted { ($0.offset, $0.order) < ($1.offset, $1.order) }
    for (index, insertion) in sorted.enumerated() {
      bytes += text[from..<insertion.offset]
      bytes += Array(insertion.text.utf8)
      from = insertion.offset
      let isLast = index == sorted.count - 1 || sorted[index + 1].offset != insertion.offset
      if isLast, emptied.contains(insertion.offset) {
        bytes += Array(("\n" + String(repeating: " ", count: indentation(at: insertion.offset - 1))).utf8)
        while from < text.count, [0x20, 0x0A, 0x0D, 0x09].contains(text[from]) { from += 1 }
      }
    }
    return String(decoding: bytes + text[from...], as: UTF8.self)
  }

  private func rendered(_ key: String, _ value: JSONTree, indentation: Int) -> String {
    let name = "\(JSONTree.quoted(key)): "
    return name + value.text(.plan, indentation: indentation, column: indentation + name.count)
  }

  /// The offset of the opening quotation mark of a value's key.
  private func keyOffset(before value: Int) -> Int {
    var offset = value - 1
    while offset > 0, text[offset] != UInt8(ascii: ":") { offset -= 1 }
    while offset > 0, text[offset] != UInt8(ascii: "\"") { offset -= 1 }
    offset -= 1
    while offset > 0 {
      if text[offset] == UInt8(ascii: "\"") {
        let slashes = text[..<offset].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        if slashes.isMultiple(of: 2) { return offset }
      }
      offset -= 1
    }
    return offset
  }

  private func end(of value: Int) -> Int {
    text.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(UnsafeBufferPointer(rebasing: buffer[value...]), maximumDepth: 300)
      // The text has been parsed before, so this can't fail.
      _ = try? reader.value()
      return value + reader.offset
    }
  }

  /// The number of spaces at the beginning of an offset's line.
  private func indentation(at offset: Int) -> Int {
    let start = text[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return text[start...].prefix { $0 == 0x20 || $0 == 0x09 }.count
  }
}
