/// The elements of a comma-separated field value.
///
/// RFC 9110 5.6.1.2: empty elements are legal and say nothing; they are handed out, since not every field takes them here.
struct ListElements: Sequence, IteratorProtocol {
  private let bytes: RequestBytes
  private var rest: ByteRange?

  init(_ bytes: RequestBytes, _ value: ByteRange) {
    self.bytes = bytes
    rest = value
  }

  mutating func next() -> ByteRange? {
    guard let rest else { return nil }
    guard let comma = rest.firstIndex(of: ASCII.comma, in: bytes) else {
      self.rest = nil
      return rest.trimmed(in: bytes)
    }
    self.rest = ByteRange(start: comma + 1, end: rest.end)
    return ByteRange(start: rest.start, end: comma).trimmed(in: bytes)
  }
}
