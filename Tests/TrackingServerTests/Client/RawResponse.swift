import Foundation

/// A response as it was read from a socket.
struct RawResponse: Equatable {
  var statusLine: String
  /// Names and values, in the order in which they came.
  var fields: [String]
  var content = ""

  var status: Int { Int(statusLine.split(separator: " ")[1])! }

  /// All fields but `Date`, whose value no test knows.
  var fieldsWithoutDate: [String] { fields.filter { !$0.hasPrefix("Date: ") } }

  func field(_ name: String) -> String? {
    fields.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map { String($0.dropFirst(name.count + 2)) }
  }

  /// The first response in `bytes` and its length; `nil` while it is not complete.
  static func parse(_ bytes: [UInt8], toHead: Bool) throws -> (RawResponse, Int)? {
    let separator = Array("\r\n\r\n".utf8)
    guard bytes.count >= 4,
      let end = (0...(bytes.count - 4)).first(where: { bytes[$0] == 13 && Array(bytes[$0..<$0 + 4]) == separator })
    else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    guard lines[0].hasPrefix("HTTP/1.1 "), lines[0].split(separator: " ").count > 1 else {
      throw RawClient.Failure.notAResponse(lines[0])
    }
    var response = RawResponse(statusLine: lines[0], fields: Array(lines.dropFirst()))
    let length = toHead ? 0 : response.field("Content-Length").flatMap { Int($0) } ?? 0
    guard bytes.count >= end + 4 + length else { return nil }
    response.content = String(decoding: bytes[(end + 4)..<(end + 4 + length)], as: UTF8.self)
    return (response, end + 4 + length)
  }
}
