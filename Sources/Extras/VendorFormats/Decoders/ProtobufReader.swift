import Foundation
import TrackingModel

/// The reason that bytes aren't a valid protobuf message.
enum ProtobufError: Error, CustomStringConvertible {
  case truncated(offset: Int)
  case noField(offset: Int)
  case wireType(UInt8, field: Int)
  case tooDeep
  case notText(field: Int)
  case combining(field: Int)

  var description: String {
    switch self {
    case .truncated(let offset): "the protobuf message ends in the middle of a field, at byte \(offset)"
    case .noField(let offset): "the protobuf message has a field of the number 0, at byte \(offset)"
    case .wireType(let type, let field): "field \(field) of the protobuf message has the wire type \(type)"
    case .tooDeep: "the protobuf message is nested deeper than 64 levels"
    case .notText(let field): "field \(field) of the protobuf message is not UTF-8"
    case .combining(let field):
      "in field \(field) of the protobuf message, a key, more than 30 combining characters follow one another"
    }
  }
}

/// Reads the fields of a protobuf message in order, without knowing its type (protobuf.dev, Encoding).
struct ProtobufReader {
  /// One field: a number, or bytes that may be a message.
  struct Field {
    enum Content {
      case number(UInt64)
      case bytes(Data)
    }

    let number: Int
    let wireType: UInt8
    let content: Content

    func bytes() throws -> Data {
      guard case .bytes(let bytes) = content else { throw ProtobufError.wireType(wireType, field: number) }
      return bytes
    }

    func number64() throws -> UInt64 {
      guard case .number(let value) = content else { throw ProtobufError.wireType(wireType, field: number) }
      return value
    }

    func text() throws -> String {
      guard let text = String(bytes: try bytes(), encoding: .utf8) else { throw ProtobufError.notText(field: number) }
      return text
    }

    /// The key of a member, which is hashed.
    func key() throws -> String {
      let key = try text()
      guard key.isStreamSafe() else { throw ProtobufError.combining(field: number) }
      return key
    }
  }

  private let bytes: Data
  private var offset: Int

  static func fields(of message: Data, _ body: (Field) throws -> Void) throws {
    var reader = ProtobufReader(bytes: message, offset: message.startIndex)
    while reader.offset < reader.bytes.endIndex { try body(try reader.next()) }
  }

  private mutating func next() throws -> Field {
    let start = offset
    let key = try varint()
    guard key >> 3 > 0 else { throw ProtobufError.noField(offset: start) }
    let (number, type) = (Int(truncatingIfNeeded: key >> 3), UInt8(key & 7))
    switch type {
    case 0: return Field(number: number, wireType: type, content: .number(try varint()))
    case 1: return Field(number: number, wireType: type, content: .number(littleEndian(try take(8))))
    case 2:
      let length = try varint()
      return Field(number: number, wireType: type, content: .bytes(try take(Int(exactly: length) ?? .max)))
    case 5: return Field(number: number, wireType: type, content: .number(littleEndian(try take(4))))
    // 3 and 4 are groups, which these messages don't use.
    default: throw ProtobufError.wireType(type, field: number)
    }
  }

  private mutating func take(_ count: Int) throws -> Data {
    guard count <= bytes.endIndex - offset else { throw ProtobufError.truncated(offset: offset) }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  private func littleEndian(_ bytes: Data) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard offset < bytes.endIndex else { throw ProtobufError.truncated(offset: offset) }
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw ProtobufError.truncated(offset: offset)
  }
}
