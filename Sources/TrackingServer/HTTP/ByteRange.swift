typealias RequestBytes = UnsafeBufferPointer<UInt8>

/// A range of a request's bytes, counted from its first byte, so that it stays valid when the receive buffer moves.
struct ByteRange: Equatable {
  var start = 0
  var end = 0

  var count: Int { end &- start }
  var isEmpty: Bool { start == end }

  func equals(_ text: StaticString, in bytes: RequestBytes) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    let wanted = text.utf8Start
    var index = 0
    while index < count {
      guard bytes[start &+ index] == wanted[index] else { return false }
      index &+= 1
    }
    return true
  }

  /// Whether these bytes are `text`, which must be lowercase, ignoring case.
  func equals(_ text: StaticString, ignoringCaseIn bytes: RequestBytes) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text, ignoringCaseIn: bytes)
  }

  /// Whether these bytes begin with `text`, which must be lowercase, ignoring case.
  func begins(with text: StaticString, ignoringCaseIn bytes: RequestBytes) -> Bool {
    let length = text.utf8CodeUnitCount
    guard count >= length else { return false }
    let wanted = text.utf8Start
    var index = 0
    while index < length {
      guard ASCII.lowercased(bytes[start &+ index]) == wanted[index] else { return false }
      index &+= 1
    }
    return true
  }

  /// Whether these bytes are the UTF-8 of `text`; doesn't allocate.
  func equals(_ text: String, in bytes: RequestBytes) -> Bool {
    guard text.utf8.count == count else { return false }
    // Native strings are contiguous; others are compared byte by byte.
    return text.utf8.withContiguousStorageIfAvailable { wanted in
      var index = 0
      while index < count {
        guard bytes[start &+ index] == wanted[index] else { return false }
        index &+= 1
      }
      return true
    } ?? text.utf8.elementsEqual(slice(of: bytes))
  }

  /// Whether these bytes are the UTF-8 of `text`, ignoring the case of ASCII letters; doesn't allocate.
  func equals(_ text: String, ignoringCaseIn bytes: RequestBytes) -> Bool {
    text.utf8.count == count
      && text.utf8.elementsEqual(slice(of: bytes)) { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }

  /// Removes spaces and tabs at both ends.
  func trimmed(in bytes: RequestBytes) -> ByteRange {
    var range = self
    while range.start < range.end, ASCII.isWhitespace(bytes[range.start]) { range.start &+= 1 }
    while range.start < range.end, ASCII.isWhitespace(bytes[range.end &- 1]) { range.end &-= 1 }
    return range
  }

  func firstIndex(of byte: UInt8, in bytes: RequestBytes) -> Int? {
    var index = start
    while index < end {
      if bytes[index] == byte { return index }
      index &+= 1
    }
    return nil
  }

  /// RFC 9110 5.6.2: the end of the token at the beginning, which may be empty.
  func endOfToken(in bytes: RequestBytes) -> Int {
    var index = start
    while index < end, ByteSet.token.contains(bytes[index]) { index &+= 1 }
    return index
  }

  /// RFC 9110 5.6.2: token = 1*tchar.
  func isToken(in bytes: RequestBytes) -> Bool { !isEmpty && endOfToken(in: bytes) == end }

  /// Parses a decimal number, and tells whether it fits; `nil` for anything but digits.
  func decimal(in bytes: RequestBytes) -> (value: UInt64, fits: Bool)? {
    guard !isEmpty else { return nil }
    var (number, fits): (UInt64, Bool) = (0, true)
    var index = start
    while index < end {
      guard let digit = ASCII.decimalValue(bytes[index]) else { return nil }
      let product = number.multipliedReportingOverflow(by: 10)
      let sum = product.partialValue.addingReportingOverflow(UInt64(digit))
      fits = fits && !product.overflow && !sum.overflow
      number = sum.partialValue
      index &+= 1
    }
    return (number, fits)
  }

  /// RFC 3986 2.1: whether the `%` at `index` is followed by two hexadecimal digits.
  func isPercentEncoding(at index: Int, in bytes: RequestBytes) -> Bool {
    index + 2 < end && ASCII.hexadecimalValue(bytes[index + 1]) != nil
      && ASCII.hexadecimalValue(bytes[index + 2]) != nil
  }

  /// Decodes the bytes; invalid UTF-8 becomes U+FFFD.
  func text(in bytes: RequestBytes) -> String {
    String(decoding: slice(of: bytes), as: UTF8.self)
  }

  func slice(of bytes: RequestBytes) -> RequestBytes {
    RequestBytes(rebasing: bytes[start..<end])
  }
}

/// The elements of a comma-separated field value, including empty ones, which mean nothing (RFC 9110 5.6.1.2) but which some fields refuse here.
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
