import TestSupport

@testable import TrackingServer

/// Compressed bodies; the data was made by zlib.
final class ContentCodingTests: XCTestCase {
  private static let text = #"{"name":"added_to_cart","params":{"id":42,"note":"café"}}"#
  private static let many = (0..<40).map { number in
    let letters = String(repeating: Character(UnicodeScalar(UInt8(97 + number % 26))), count: number % 9)
    return #"{"name":"event_\#(number)","params":{"n":\#(number * number),"x":"\#(letters)"}},"#
  }.joined()
  private static let run = String(repeating: "a", count: 700)

  private static let rows: [(name: String, coding: ContentCoding, data: String, text: String)] = [
    (
      "fixed codes", .gzip,
      "H4sIAAAAAAAAA6tWykvMTVWyUkpMSUlNiS/Jj09OLCpR0lEqSCxKzC1WsqpWykxRsjIx0lHKyy8BKUxOTDu8Uqm2FgD4ngFMOgAAAA==", text
    ),
    (
      "stored", .gzip,
      "H4sIAAAAAAAAAwE6AMX/eyJuYW1lIjoiYWRkZWRfdG9fY2FydCIsInBhcmFtcyI6eyJpZCI6NDIsIm5vdGUiOiJjYWbDqSJ9ffieAUw6AAAA",
      text
    ),
    (
      "its own codes", .gzip,
      "H4sIAAAAAAAAA3WU3XKCMBSE3yXXXpAfAvgyHSr0V6i1Sm0d371ozumM2WVv2U1Ivpw9m7EderM2/dSPh4fCrMyu3bfDl1mfzWjWxcqc5q/mclmd7602t9pkfSRel3tD8m42xOxzc5PMXdcRd4DfiMnezyL+Mve7MvmfriKBmAe8bPB8E0lUcFo5wUsSidR5JMoNvYpIpskztV2GBWBtIWjfmR3hOll8u2V+AGyDHGAYBhbwiE0uaZzFEgi6ERAfV7EIslbYu5tYJuL7kG0+k1gIiLtaTrMXsRRA9y4sE2zwHQqSA5s4AB4U+PHI/EA8BFl+miYWwJmu5e+/Z7EEMC+d3NLpKhYB6GUlNH5uYhmgHpX6bxILAfaoG7UilgLulZ6IuYF3pTfGatDhfCsRWoQeiDdKnDehB+SNvqiFKvQ45oU+2aUy9DjpRX3XhyyEw251DJcL0ZfYWor+TcRiEWNaLcwO0K3X7mLd6GvSjf/lyAIA3pbavtKNfy89oYy2BwAA",
      many
    ),
    (
      "zlib", .deflate, "eNqrVspLzE1VslJKTElJTYkvyY9PTiwqUdJRKkgsSswtVrKqVspMUbIyMdJRyssvASlMTkw7vFKpthYAPTETqg==", text
    ),
    (
      "zlib, its own codes", .deflate,
      "eNp1lN1ygjAUhN8l116QHwL4Mh0q9FeotUptHd+9aM7pjNllb9lNSL6cPZuxHXqzNv3Uj4eHwqzMrt23w5dZn81o1sXKnOav5nJZne+tNrfaZH0kXpd7Q/JuNsTsc3OTzF3XEXeA34jJ3s8i/jL3uzL5n64igZgHvGzwfBNJVHBaOcFLEonUeSTKDb2KSKbJM7VdhgVgbSFo35kd4TpZfLtlfgBsgxxgGAYW8IhNLmmcxRIIuhEQH1exCLJW2LubWCbi+5BtPpNYCIi7Wk6zF7EUQPcuLBNs8B0KkgObOAAeFPjxyPxAPARZfpomFsCZruXvv2exBDAvndzS6SoWAehlJTR+bmIZoB6V+m8SCwH2qBu1IpYC7pWeiLmBd6U3xmrQ4XwrEVqEHog3Spw3oQfkjb6ohSr0OOaFPtmlMvQ46UV914cshMNudQyXC9GX2FqK/k3EYhFjWi3MDtCt1+5i3ehr0o3/5cgCAN6W2r7SjX85SFjD",
      many
    ),
    ("empty", .gzip, "H4sIAAAAAAAAAwMAAAAAAAAAAAA=", ""),
    (
      "all header fields", .gzip,
      "H4sIHgAAAAAAAwMAYWJjbmFtZS5qc29uAGEgY29tbWVudAA9mKtWykvMTVWyUkpMSUlNiS/Jj09OLCpR0lEqSCxKzC1WsqpWykxRsjIx0lHKyy8BKUxOTDu8Uqm2FgD4ngFMOgAAAA==",
      text
    ),
    (
      "two members", .gzip,
      "H4sIAAAAAAAAA6tWykvMTVWyUkpMSUlNiS/Jj09OBAA9ywUgFAAAAB+LCAAAAAAAAAMBJgDZ/3J0IiwicGFyYW1zIjp7ImlkIjo0Miwibm90ZSI6ImNhZsOpIn19ZHxtaCYAAAA=",
      text
    ),
    (
      "several blocks", .gzip,
      "H4sIAAAAAAAAA6pWykvMTVWyUkoEAAAA//9KSUlNiS/Jj09OLCpR0lEqSCxKzAUAAAD//ytWsqpWykxRsjIx0lHKyy9JVbJSSk5MO7xSqbYWAPieAUw6AAAA",
      text
    ),
    ("overlapping copies", .gzip, "H4sIAAAAAAAAA0tMHAWjYGgCAIm0aXa8AgAA", run),
  ]

  private func decode(_ coding: ContentCoding, _ bytes: [UInt8], limit: Int = 1 << 20) throws -> String {
    let decoded = try bytes.withUnsafeBufferPointer { try coding.decoded($0, limit: limit) }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func bytes(_ base64: String) throws -> [UInt8] {
    [UInt8](try XCTUnwrap(Data(base64Encoded: base64)))
  }

  func testEachFormIsDecoded() throws {
    for row in Self.rows {
      XCTAssertEqual(try decode(row.coding, Self.bytes(row.data)), row.text, row.name)
    }
  }

  func testCutAtAnyByteItEndsTooEarly() throws {
    for row in Self.rows {
      let bytes = try Self.bytes(row.data)
      for count in 0..<bytes.count {
        // A cut behind the first member leaves complete data.
        if row.name == "two members", count == 40 { continue }
        XCTAssertThrowsError(try decode(row.coding, Array(bytes[..<count])), "\(row.name), \(count)") { error in
          XCTAssertEqual(
            error as? CodingError, .broken("the compressed data ends too early", offset: count), "\(row.name), \(count)"
          )
        }
      }
    }
  }

  func testAChangedByteIsNoticed() throws {
    for row in Self.rows where row.text != "" {
      let bytes = try Self.bytes(row.data)
      // A decoder ignores the time, the extra flags and the system of a gzip header.
      for index in bytes.indices where row.coding == .deflate || !(4...9).contains(index) {
        for bit in RandomCases.isFull ? Array(0..<8) : [index % 8] {
          var changed = bytes
          changed[index] ^= 1 << bit
          // Not all bits of a block count: those that pad it do not.
          if let decoded = try? decode(row.coding, changed) {
            XCTAssertEqual(decoded, row.text, "\(row.name), bit \(bit) of byte \(index)")
          }
        }
      }
    }
  }

  func testWhatIsWrongIsToldWithItsPlace() throws {
    let gzip = try Self.bytes(Self.rows[0].data)
    let zlib = try Self.bytes(Self.rows[3].data)
    func changed(_ bytes: [UInt8], _ index: Int, to byte: UInt8) -> [UInt8] {
      var bytes = bytes
      bytes[index] = byte
      return bytes
    }
    let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
    let rows: [(ContentCoding, [UInt8], String, offset: Int)] = [
      (.gzip, Array(Self.text.utf8), "a gzip body begins with the bytes 1f 8b", 0),
      (.gzip, zlib, "a gzip body begins with the bytes 1f 8b", 0),
      (.gzip, changed(gzip, 2, to: 7), "the gzip header names an unknown compression method", 3),
      (.gzip, changed(gzip, 3, to: 0x20), "the gzip header has unknown flags", 4),
      (.gzip, gzip + [0, 0], "bytes that are not gzip follow the compressed data", gzip.count),
      (.gzip, changed(gzip, gzip.count - 8, to: 0), "the checksum (CRC-32) is wrong", gzip.count - 4),
      (.gzip, changed(gzip, gzip.count - 1, to: 1), "the size in the gzip trailer is wrong", gzip.count),
      (.gzip, header + [7], "a block has a type that doesn't exist", 11),
      (.gzip, header + [1, 1, 0, 0, 0], "the length of a stored block doesn't match its complement", 15),
      // A length of 3 at once, with nothing to copy.
      (.gzip, header + [0b0000_0011, 0b0000_0010, 0, 0], "a copy reaches back before the beginning", 12),
      (.gzip, header + [0b1111_1101, 0xff, 0xff], "a block has too many codes", 13),
      (.deflate, gzip, "a body coded as deflate begins with a zlib header", 0),
      (.deflate, [0x78, 0xbb], "the data needs a preset dictionary", 1),
      (.deflate, changed(zlib, zlib.count - 1, to: 0), "the checksum (Adler-32) is wrong", zlib.count),
      (.deflate, zlib + [0], "bytes follow the end of the compressed data", zlib.count),
    ]
    for (coding, bytes, reason, offset) in rows {
      XCTAssertThrowsError(try decode(coding, bytes), reason) { error in
        XCTAssertEqual(error as? CodingError, .broken(reason, offset: offset), reason)
      }
    }
  }

  func testABombStopsAtTheLimit() throws {
    // A stored byte, then copies of 258 bytes at a distance of 1, with fixed codes: 24 bits for two of them.
    let block: [UInt8] = try Self.bytes(Self.rows.last!.data)
    XCTAssertEqual(try decode(.gzip, block, limit: 700).utf8.count, 700)
    for limit in [0, 1, 699] {
      XCTAssertThrowsError(try decode(.gzip, block, limit: limit)) {
        XCTAssertEqual($0 as? CodingError, .tooLarge)
      }
    }
    // Members that are all small add up to one limit.
    XCTAssertThrowsError(try decode(.gzip, Array(repeating: block, count: 100).flatMap { $0 }, limit: 60_000)) {
      XCTAssertEqual($0 as? CodingError, .tooLarge)
    }
  }
}
