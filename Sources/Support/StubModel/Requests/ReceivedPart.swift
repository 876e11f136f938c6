import Foundation
import TrackingModel

/// A part of a `multipart/form-data` body (RFC 7578).
public struct ReceivedPart: Hashable, Sendable {
  /// The part's name.
  public var name: String
  /// The file name; `nil` for a part that isn't a file.
  public var fileName: String?
  /// The header fields of the part.
  public var headers: MessageHeaders
  /// The content.
  public var data: Data

  package init(name: String, fileName: String? = nil, headers: MessageHeaders = MessageHeaders(), data: Data) {
    self.name = name
    self.fileName = fileName
    self.headers = headers
    self.data = data
  }

  /// The content as text, with invalid UTF-8 replaced by U+FFFD.
  public var text: String { String(decoding: data, as: UTF8.self) }

  /// The media type; `text/plain` if the part doesn't name one (RFC 7578 4.4).
  public var type: String { headers["Content-Type"] ?? "text/plain" }
}

// MARK: - Reading

extension ReceivedPart {
  /// The parts of a body, in order; `nil` if the body doesn't have its media type.
  ///
  /// RFC 2046 5.1.1: a boundary is a line of two hyphens and the text that the media type names; the last one ends with two more hyphens. Text
  /// before the first boundary and after the last one is ignored, as are parts without a name.
  package static func parts(of body: Data, type: String) -> [ReceivedPart]? {
    sections(of: body, type: type).map { $0.compactMap { ReceivedPart($0) } }
  }

  /// The bytes between the boundaries, including parts without a name; `nil` if the body doesn't have its media type.
  static func sections(of body: Data, type: String) -> [ArraySlice<UInt8>]? {
    guard let type = ParameterizedValue(type), type.isNamed("multipart/form-data"),
      let boundary = type.parameters["boundary"], (1...70).contains(boundary.utf8.count)
    else { return nil }
    let bytes = [UInt8](body)
    let delimiter = Array("--\(boundary)".utf8)
    guard var delimiterEnd = firstDelimiter(delimiter, in: bytes) else { return nil }
    var sections: [ArraySlice<UInt8>] = []
    while true {
      if bytes[delimiterEnd...].starts(with: "--".utf8) { return sections }
      guard let start = endOfDelimiterLine(in: bytes, from: delimiterEnd),
        let end = bytes[(start - 2)...].firstRange(of: [13, 10] + delimiter)
      else { return nil }
      // An empty part has a single line break between two boundaries.
      sections.append(bytes[start..<max(end.lowerBound, start)])
      delimiterEnd = end.upperBound
    }
  }

  /// The end of the first boundary, which begins the body or a line.
  private static func firstDelimiter(_ delimiter: [UInt8], in bytes: [UInt8]) -> Int? {
    if bytes.starts(with: delimiter) { return delimiter.count }
    return bytes.firstRange(of: [13, 10] + delimiter)?.upperBound
  }

  /// `nil` if the rest of this line isn't white space.
  private static func endOfDelimiterLine(in bytes: [UInt8], from index: Int) -> Int? {
    let end = bytes[index...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return end.starts(with: [13, 10]) ? end.startIndex + 2 : nil
  }

  /// Reads header fields, an empty line and the content; `nil` without a name.
  init?(_ bytes: ArraySlice<UInt8>) {
    var fields: [NamedText] = []
    var rest = bytes
    while true {
      guard let lineEnd = rest.indices.dropLast().first(where: { rest[$0] == 13 && rest[$0 + 1] == 10 }) else {
        return nil
      }
      let line = rest[..<lineEnd]
      rest = rest[(lineEnd + 2)...]
      if line.isEmpty { break }
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, parts[0].isToken else { return nil }
      fields.append(NamedText(name: parts[0], value: parts[1]))
    }
    let headers = MessageHeaders(lines: fields)
    guard let disposition = headers["Content-Disposition"].flatMap({ ParameterizedValue($0) }),
      disposition.isNamed("form-data"), let name = disposition.parameters["name"]
    else { return nil }
    self.init(name: name, fileName: disposition.parameters["filename"], headers: headers, data: Data(rest))
  }
}

/// A header value with parameters: `form-data; name="cover"` (RFC 9110 5.6.6).
struct ParameterizedValue {
  let value: String
  /// By name in lower case; the first of a repeated name counts.
  private(set) var parameters: [String: String] = [:]
  /// All parameters in order, with names in lower case; `nil` for one without a value.
  private var list: [(name: String, value: String?)] = []

  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    value = Self.text(Self.take(&rest) { $0 != UInt8(ascii: ";") })
    while rest.first == UInt8(ascii: ";") {
      rest = rest.dropFirst()
      let name = Self.text(Self.take(&rest) { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }).lowercased()
      guard rest.first == UInt8(ascii: "=") else {
        list.append((name, nil))
        continue
      }
      rest = rest.dropFirst().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      let value =
        rest.first == UInt8(ascii: "\"") ? Self.quoted(&rest) : Self.text(Self.take(&rest) { $0 != UInt8(ascii: ";") })
      // A name is a token; hashing other text may take very long.
      if name.isToken, parameters[name] == nil { parameters[name] = value }
      list.append((name, value))
    }
    guard !value.isEmpty else { return nil }
  }

  /// The same text for values that differ only in the order of different parameters, in quotation marks and white space.
  var canonical: String {
    let sorted = list.enumerated().sorted { left, right in
      left.element.name.isSameText(as: right.element.name)
        ? left.offset < right.offset : left.element.name.precedes(right.element.name)
    }
    return
      ([value.lowercased()]
      + sorted.map { "\($0.element.name)\($0.element.value.map { "=\(TrackingValue.string($0))" } ?? "")" })
      .joined(separator: "; ")
  }

  /// Compares the value without its parameters, ignoring case.
  func isNamed(_ name: String) -> Bool { value.lowercased().isSameText(as: name) }

  private static func take(_ rest: inout ArraySlice<UInt8>, while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = rest.prefix(while: isPart)
    rest = rest[taken.endIndex...]
    return taken
  }

  /// URL Standard and RFC 9110 5.6.4: browsers write a quotation mark as `%22` or, like mail programs, as `\"`.
  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String {
    rest = rest.dropFirst()
    var value: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      // A backslash before anything else is part of a Windows path.
      if byte == UInt8(ascii: "\\"), let next = rest.first, next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") {
        rest = rest.dropFirst()
        value.append(next)
      } else if byte == UInt8(ascii: "%"), rest.starts(with: "22".utf8) {
        rest = rest.dropFirst(2)
        value.append(UInt8(ascii: "\""))
      } else {
        value.append(byte)
      }
    }
    rest = rest.drop { $0 != UInt8(ascii: ";") }
    return String(decoding: value, as: UTF8.self)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
  }
}
