/// The part of a content that a request selects: 304, 206 or 416 instead of 200 (RFC 9110 13 and 14).
///
/// Unknown conditions and ranges are ignored, as the RFC requires.
package struct PartSelection: Sendable {
  package private(set) var status = 200
  /// Header fields in addition to the response's own.
  package private(set) var fields: [NamedText] = []
  /// The bytes of the content to send; `nil` for a response without content.
  package private(set) var bytes: Range<Int>?

  /// `count` is the number of bytes of the whole content, `tag` the response's own entity tag, `made` one for a response without.
  package init(of count: Int, for request: ReceivedRequest, tag: String?, made: String?) {
    bytes = 0..<count
    guard request.method == "GET" || request.method == "HEAD" else { return }
    if tag == nil, let made { add("ETag", made) }
    let tag = tag ?? made
    if let wanted = request.headers["If-None-Match"], Self.names(tag, in: wanted) {
      (status, bytes) = (304, nil)
      return
    }
    // RFC 9110 14.2: ranges are for GET only; 13.1.5: a range is ignored without a strong match of If-Range.
    guard tag != nil, request.method == "GET" else { return }
    add("Accept-Ranges", "bytes")
    guard let range = request.headers["Range"] else { return }
    if let condition = request.headers["If-Range"], condition != tag || condition.hasPrefix("W/") { return }
    switch Self.range(range, of: count) {
    case .ignored: break
    case .unsatisfiable:
      (status, bytes) = (416, 0..<0)
      add("Content-Range", "bytes */\(count)")
    case .part(let part):
      (status, bytes) = (206, part)
      add("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)")
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    fields.append(NamedText(name: name, value: value))
  }

  private enum Part {
    case ignored, unsatisfiable
    case part(Range<Int>)
  }

  /// RFC 9110 14.1.2: `bytes=first-last`, `bytes=first-` or `bytes=-suffix`; several ranges may be ignored.
  private static func range(_ text: String, of count: Int) -> Part {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return .ignored }
    let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) })
    else { return .ignored }
    // Digits that an integer can't hold are beyond any content.
    let (first, last) = (Int(ends[0]) ?? .max, Int(ends[1]) ?? .max)
    switch (ends[0].isEmpty, ends[1].isEmpty) {
    case (true, true): return .ignored
    case (true, false): return last == 0 || count == 0 ? .unsatisfiable : .part(max(count - last, 0)..<count)
    case (false, true): return first < count ? .part(first..<count) : .unsatisfiable
    case (false, false):
      guard first <= last else { return .ignored }
      return first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
    }
  }

  /// Whether a list of entity tags contains this one (RFC 9110 13.1.2: weak comparison).
  private static func names(_ tag: String?, in list: String) -> Bool {
    if list == "*" { return true }
    guard let tag else { return false }
    return list.split(separator: ",").contains { opaque(String($0)) == opaque(tag) }
  }

  private static func opaque(_ tag: String) -> String {
    let tag = tag.split(separator: " ").joined(separator: " ")
    return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
  }
}
