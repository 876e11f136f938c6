import StubModel

extension HTTPResponse {
  /// Answers with 304, 206 or 416 instead of 200 if the request asks for it (RFC 9110 13 and 14).
  ///
  /// Conditions and ranges that aren't understood are ignored, as the RFC requires.
  ///
  /// - Parameter made: The entity tag of the content, if the stub hasn't set one; `nil` for none.
  mutating func selectPart(for request: HTTPRequest, tag made: String?) {
    guard status == 200, request.method == "GET" || request.method == "HEAD", let content else { return }
    var tag = value(ofField: "etag")
    if tag == nil, let made {
      fields += "ETag: \(made)\r\n"
      tag = made
    }
    if let wanted = request.headers["If-None-Match"], Self.names(tag, in: wanted) {
      status = 304
      self.content = nil
      return
    }
    // RFC 9110 14.2: a range is for GET alone; 13.1.5: without a strong match of If-Range it is ignored.
    guard tag != nil, request.method == "GET" else { return }
    fields += "Accept-Ranges: bytes\r\n"
    guard let range = request.headers["Range"] else { return }
    if let condition = request.headers["If-Range"], condition != tag || condition.hasPrefix("W/") { return }
    switch Self.range(range, of: content.count) {
    case .ignored: break
    case .unsatisfiable:
      status = 416
      fields += "Content-Range: bytes */\(content.count)\r\n"
      self.content = []
    case .part(let part):
      status = 206
      fields += "Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/\(content.count)\r\n"
      self.content = content.dropFirst(part.lowerBound).prefix(part.count)
    }
  }

  private enum Range {
    case ignored, unsatisfiable
    case part(Swift.Range<Int>)
  }

  /// RFC 9110 14.1.2: `bytes=first-last`, `bytes=first-` or `bytes=-suffix`; several ranges may be ignored.
  private static func range(_ text: String, of count: Int) -> Range {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return .ignored }
    let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { ASCII.decimalValue($0) != nil } }) else {
      return .ignored
    }
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

  /// Whether a list of entity tags has this one (RFC 9110 13.1.2: compared weakly).
  private static func names(_ tag: String?, in list: String) -> Bool {
    if list == "*" { return true }
    guard let tag else { return false }
    return list.split(separator: ",").contains { opaque(String($0)) == opaque(tag) }
  }

  private static func opaque(_ tag: String) -> String {
    let tag = tag.split(separator: " ").joined(separator: " ")
    return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
  }

  /// The value of one of the response's fields, by its name in lower case.
  private func value(ofField name: String) -> String? {
    for line in fields.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { continue }
      return line[line.index(after: colon)...].drop { $0 == " " }.description
    }
    return nil
  }
}
