/// The header fields of a request, as places in its bytes.
struct FieldTable {
  private(set) var lines: [FieldLine] = []
  /// The value of each known field, of which `seen` says whether it counts; so that a new request clears one word.
  private var values = [ByteRange](repeating: ByteRange(), count: KnownField.allCases.count)
  private var seen: UInt16 = 0

  /// Adds a line and says which known field it is.
  mutating func append(_ line: FieldLine, _ bytes: RequestBytes) throws(Refusal) -> KnownField? {
    lines.append(line)
    guard let field = KnownField(bytes, name: line.name) else { return nil }
    let bit: UInt16 = 1 << UInt16(field.rawValue)
    // RFC 9112 3.2 for Host, RFC 9112 6.3 for Content-Length, RFC 9110 5.3 for the others.
    guard seen & bit == 0 || !field.isSingle else {
      throw .badRequest("the field \(field.name) stands in the request more than once")
    }
    seen |= bit
    values[field.rawValue] = line.value
    return field
  }

  /// The value of a field that stands on one line at most.
  subscript(_ field: KnownField) -> ByteRange? {
    seen & (1 << UInt16(field.rawValue)) == 0 ? nil : values[field.rawValue]
  }

  /// Forgets the fields and keeps the room for the next ones.
  mutating func removeAll() {
    lines.removeAll(keepingCapacity: true)
    seen = 0
  }
}
