/// Decompresses DEFLATE streams (RFC 1951) with bounded output.
///
/// Doesn't use zlib: the official images of several Linux distributions have no zlib headers, and a fresh machine must build.
struct Inflate: ~Copyable {
  private let input: UnsafeBufferPointer<UInt8>
  /// The next byte that isn't in `bits` yet.
  private var next: Int
  private var bits: UInt64 = 0
  private var bitCount = 0

  private var output: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The number of bytes of output so far.
  private(set) var count = 0
  private let limit: Int

  init(_ input: UnsafeBufferPointer<UInt8>, limit: Int) {
    self.input = input
    self.limit = limit
    next = 0
    capacity = min(max(4 * input.count, 64), limit)
    output = .allocate(capacity: max(capacity, 1))
  }

  deinit { output.deallocate() }

  func output(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: output + start, count: count - start)
  }

  var offset: Int { next - bitCount / 8 }

  var isAtEnd: Bool { offset == input.count }

  /// Decompresses one stream; the input then continues at its next whole byte.
  mutating func stream() throws(CodingError) {
    let start = count
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try storedBlock()
      case 1: try block(Self.fixedLiterals, Self.fixedDistances, start)
      case 2:
        let (literals, distances) = try tables()
        try block(literals, distances, start)
      default: throw broken("a block has a type that doesn't exist")
      }
    }
    skipToByte()
  }

  /// Reads a whole byte, outside of a stream.
  mutating func byte() throws(CodingError) -> UInt8 { UInt8(try take(8)) }

  func broken(_ reason: String) -> CodingError { .broken(reason, offset: offset) }

  // MARK: - Blocks

  /// RFC 1951 3.2.4.
  private mutating func storedBlock() throws(CodingError) {
    skipToByte()
    let length = try take(16)
    guard try take(16) == ~length & 0xffff else {
      throw broken("the length of a stored block doesn't match its complement")
    }
    // `bits` holds whole bytes now; those after the lengths belong to the block.
    next -= bitCount / 8
    (bits, bitCount) = (0, 0)
    guard input.count - next >= length else {
      next = input.count
      throw endsTooEarly
    }
    try reserve(length)
    if length > 0, let start = input.baseAddress { (output + count).update(from: start + next, count: length) }
    count += length
    next += length
  }

  /// RFC 1951 3.2.3: literals, and copies of earlier bytes.
  private mutating func block(
    _ literals: borrowing HuffmanTable, _ distances: borrowing HuffmanTable, _ start: Int
  ) throws(CodingError) {
    while true {
      let symbol = try decode(literals)
      if symbol < 256 {
        if count == capacity { try reserve(1) }
        output[count] = UInt8(truncatingIfNeeded: symbol)
        count &+= 1
      } else if symbol == 256 {
        return
      } else {
        guard symbol < 286 else { throw broken("a length code doesn't exist") }
        let length = Self.lengthBases[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
        let code = try decode(distances)
        guard code < 30 else { throw broken("a distance code doesn't exist") }
        let distance = Self.distanceBases[code] + (try take(Self.distanceBits[code]))
        guard distance <= count - start else { throw broken("a copy reaches back before the beginning") }
        try reserve(length)
        // Byte by byte: a copy may overlap what it writes.
        let target = output + count
        var index = 0
        while index < length {
          target[index] = target[index &- distance]
          index &+= 1
        }
        count += length
      }
    }
  }

  /// RFC 1951 3.2.7: the tables of a block, themselves compressed.
  private mutating func tables() throws(CodingError) -> (HuffmanTable, HuffmanTable) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let lengthCount = try take(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw broken("a block has too many codes") }
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<lengthCount { codeLengths[Self.codeLengthOrder[index]] = UInt8(try take(3)) }
    guard let codes = HuffmanTable(codeLengths, mayBeIncomplete: false) else { throw broken("a code is not complete") }

    var lengths: [UInt8] = []
    lengths.reserveCapacity(literalCount + distanceCount)
    while lengths.count < literalCount + distanceCount {
      let symbol = try decode(codes)
      var (length, times) = (UInt8(0), 0)
      switch symbol {
      case 0..<16: (length, times) = (UInt8(symbol), 1)
      case 16:
        guard let last = lengths.last else { throw broken("a code length repeats nothing") }
        (length, times) = (last, 3 + (try take(2)))
      case 17: times = 3 + (try take(3))
      default: times = 11 + (try take(7))
      }
      guard lengths.count + times <= literalCount + distanceCount else {
        throw broken("a block has too many code lengths")
      }
      for _ in 0..<times { lengths.append(length) }
    }
    guard lengths[256] != 0 else { throw broken("a block has no code for its end") }
    guard let literals = HuffmanTable(lengths[..<literalCount], mayBeIncomplete: true),
      let distances = HuffmanTable(lengths[literalCount...], mayBeIncomplete: true)
    else { throw broken("a code is not complete") }
    return (literals, distances)
  }

  private static let fixedLiterals = HuffmanTable(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }, mayBeIncomplete: true)!
  private static let fixedDistances = HuffmanTable([UInt8](repeating: 5, count: 32), mayBeIncomplete: true)!
  private static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let distanceBits = (0..<30).map { max($0 / 2 - 1, 0) }
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073, 4_097,
    6_145, 8_193, 12_289, 16_385, 24_577,
  ]

  // MARK: - Bits and bytes

  /// RFC 1951 3.1.1: numbers begin with their least significant bit.
  private mutating func take(_ wanted: Int) throws(CodingError) -> Int {
    if bitCount < wanted {
      fill()
      guard bitCount >= wanted else { throw endsTooEarly }
    }
    let value = Int(truncatingIfNeeded: bits & (1 << UInt64(wanted) &- 1))
    drop(wanted)
    return value
  }

  private mutating func decode(_ table: borrowing HuffmanTable) throws(CodingError) -> Int {
    if bitCount < HuffmanTable.longestCode { fill() }
    let (symbol, length) = table.symbol(bits)
    guard length > 0 || bitCount < HuffmanTable.longestCode else { throw broken("a code doesn't exist") }
    guard length > 0, length <= bitCount else { throw endsTooEarly }
    drop(length)
    return symbol
  }

  private mutating func fill() {
    while bitCount <= 48, next < input.count {
      bits |= UInt64(input[next]) << UInt64(bitCount)
      next &+= 1
      bitCount &+= 8
    }
  }

  private mutating func drop(_ count: Int) {
    bits >>= UInt64(count)
    bitCount &-= count
  }

  private mutating func skipToByte() { drop(bitCount % 8) }

  private var endsTooEarly: CodingError { .broken("the compressed data ends too early", offset: input.count) }

  private mutating func reserve(_ more: Int) throws(CodingError) {
    guard count + more > capacity else { return }
    guard count + more <= limit else { throw .tooLarge }
    let grown = min(max(2 * capacity, count + more), limit)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: grown)
    larger.update(from: output, count: count)
    output.deallocate()
    (output, capacity) = (larger, grown)
  }
}

/// A prefix code (RFC 1951 3.2.2): short codes by one look at a table, longer ones bit by bit.
struct HuffmanTable {
  static let longestCode = 15
  private static let shortCode = 9

  /// Indexed by the next bits of the input: symbol times 16 plus the code's length; 0 for longer codes and codes that don't exist.
  private var short = [UInt16](repeating: 0, count: 1 << shortCode)
  private var counts = [Int](repeating: 0, count: longestCode + 1)
  /// The symbols, sorted by their codes.
  private var symbols: [UInt16] = []

  /// - Parameter mayBeIncomplete: Whether at most one code of one bit is allowed, as in a block with one distance.
  init?(_ lengths: some Collection<UInt8>, mayBeIncomplete: Bool) {
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    var (left, starts, codes) = (1, [0, 0], [0, 0])
    for length in 1...Self.longestCode {
      left = 2 * left - counts[length]
      guard left >= 0 else { return nil }
      starts.append(starts[length] + counts[length])
      codes.append((codes[length] + counts[length]) << 1)
    }
    guard left == 0 || mayBeIncomplete && counts[2...].allSatisfy({ $0 == 0 }) else { return nil }
    symbols = [UInt16](repeating: 0, count: starts[Self.longestCode + 1])
    for (symbol, length) in lengths.enumerated() where length != 0 {
      let length = Int(length)
      symbols[starts[length]] = UInt16(symbol)
      starts[length] += 1
      defer { codes[length] += 1 }
      guard length <= Self.shortCode else { continue }
      // Codes come with their most significant bit first, and the input's bits are taken from the least significant one.
      var index = Self.reversed(codes[length], length)
      while index < short.count {
        short[index] = UInt16(symbol << 4 | length)
        index += 1 << length
      }
    }
  }

  /// The symbol whose code the bits begin with, and the code's length; 0 if no code fits.
  func symbol(_ bits: UInt64) -> (symbol: Int, length: Int) {
    let entry = short[Int(truncatingIfNeeded: bits & UInt64(short.count - 1))]
    if entry != 0 { return (Int(entry >> 4), Int(entry & 15)) }
    var (code, first, index, rest) = (0, 0, 0, bits)
    for length in 1...Self.longestCode {
      code |= Int(truncatingIfNeeded: rest & 1)
      rest >>= 1
      let count = counts[length]
      if code - count < first { return (Int(symbols[index + code - first]), length) }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return (0, 0)
  }

  private static func reversed(_ code: Int, _ length: Int) -> Int {
    (0..<length).reduce(0) { $0 << 1 | code >> $1 & 1 }
  }
}

/// The reason that a body couldn't be decoded.
package enum CodingError: Error, Equatable {
  /// The compressed data is malformed, and at which byte.
  case broken(String, offset: Int)
  case tooLarge
}
