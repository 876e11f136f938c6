import Foundation
import TrackingModel
import TrackingPatterns

@testable import StubModel

/// Compares a request with stubs of every kind of condition: nothing traps, deciding and explaining agree, the index finds what a search of
/// all stubs finds, the parts of a form survive being written and read again, and so does a stub that is read from the body.
///
/// The input is a request in lines: method, path and query; header fields; an empty line; the body.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStubs(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let request = request(in: Array(UnsafeBufferPointer(start: start, count: count)))
  for stub in stubs { check(stub, request) }
  checkIndex(request)
  checkParts(request)
  checkCoding(request)
  return 0
}

private func request(in bytes: [UInt8]) -> ReceivedRequest {
  var lines = bytes.split(separator: 10, maxSplits: 12, omittingEmptySubsequences: false)[...]
  let first = lines.popFirst().map { String(decoding: $0, as: UTF8.self) } ?? ""
  let words = first.split(separator: " ", maxSplits: 1).map(String.init)
  let target = (words.count > 1 ? words[1] : "/").split(separator: "?", maxSplits: 1).map(String.init)
  var headers = MessageHeaders()
  while let line = lines.popFirst(), !line.isEmpty {
    let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 2 else { continue }
    headers.lines.append(NamedText(name: parts[0], value: parts[1].trimmingCharacters(in: .whitespaces)))
  }
  return ReceivedRequest(
    method: ReceivedRequest.Method(rawValue: words.first ?? "GET"), host: headers["Host"]?.lowercased(),
    path: target.first ?? "/",
    queryText: target.count > 1 ? target[1] : nil, headers: headers, body: Data(lines.joined(separator: [10])))
}

private let stubs: [PreparedStub] = {
  let fields: [String: ValueMatcher] = [
    "a": .contains("b"), "n": .greater(than: 1), "x": .absent, "p": .present, "m": .matches("[a-z]{1,3}"),
    "o": .one(of: ["1", .hasPrefix("é")]), "all": .all(of: [.not("q"), .hasSuffix("z")]),
  ]
  let json: ValueMatcher = .object([
    "a": .greater(than: 1), "b.c": .each(.contains("é")), "d": .absent, "e": .not(.equal(to: TrackingValue.null)),
  ])
  let parts: [String: PartCondition] = [
    "title": "Walden", "cover": .file(named: .hasSuffix(".png"), type: "image/png"), "any": .present,
    "note": .text(.contains("é")),
  ]
  var endpoints = ["/books", "/books/:id", "/books/*", "/a%20b/:x/*", "/*"].flatMap { (path: StubPath) in
    [StubEndpoint(.any, path, .ok), StubEndpoint(.request(.get, path, host: .hasSuffix(".example")), .ok)]
  }
  endpoints += fields.sorted { $0.key < $1.key }.flatMap { name, matcher in
    [
      StubEndpoint(.request(.any, "/f", query: [name: matcher]), .ok),
      StubEndpoint(.request(.any, "/f", headers: [name: matcher]), .ok),
      StubEndpoint(.request(.any, "/f", cookies: [name: matcher]), .ok),
      StubEndpoint(.request(.any, "/f", body: .formSubset([name: matcher])), .ok),
      StubEndpoint(.request(.any, "/f", query: .exact([name: matcher]), body: .form([name: matcher])), .ok),
      StubEndpoint(.request(.any, "/f", body: .text(matcher)), .ok),
    ]
  }
  endpoints += parts.sorted { $0.key < $1.key }.map {
    StubEndpoint(.request(.any, "/f", body: .multipart([$0: $1])), .ok)
  }
  endpoints += [
    StubEndpoint(.request(.any, "/f", query: .exactItems(["a": "b", "a": "c"]), body: .multipart(parts)), .ok),
    StubEndpoint(.request(.post, "/f", body: .json(json)), .ok),
    StubEndpoint(.request(.any, "/f", body: .jsonSubset(["a": [1, ["b": "é"]]])), .ok),
    StubEndpoint(.request(.any, .regex("/user/([0-9]+)/(x|é)?"), body: .exact(Data("abc".utf8))), .ok),
    StubEndpoint(.request(.any, "/f", where: .satisfying("short") { $0.body.count < 10 && $0.parts?.count != 2 }), .ok),
    StubEndpoint(.request(.any, "/f").or(.request(.get, "/books/:id")), .ok),
    StubEndpoint(.request(.post, "/f").and(.request(.any, "/f", headers: fields).not()), .ok),
  ]
  return endpoints.map { endpoint in
    guard let stub = try? PreparedStub(endpoint, folder: nil) else { fatalError("\(endpoint) is refused") }
    return stub
  }
}()

/// A stub matches if, and only if, nothing differs.
private func check(_ stub: PreparedStub, _ request: ReceivedRequest) {
  let pattern = stub.endpoint.pattern
  let comparison = pattern.comparison(with: ParsedRequest(request))
  let isMatch = pattern.matches(ParsedRequest(request))
  guard isMatch == comparison.differences.isEmpty else {
    fatalError("\(stub.endpoint): \(isMatch) and \(comparison.differences.map(\.reason))")
  }
  guard comparison.differences.allSatisfy({ $0.weight > 0 && $0.weight <= 1 && !$0.reason.isEmpty }) else {
    fatalError("\(stub.endpoint): \(comparison.differences)")
  }
  _ = comparison.lines()
  for part in [KnownPart.line, .head, .all] {
    let state = pattern.look(at: ParsedRequest(request), knowing: part).state
    guard state == .pending || state == .unread || isMatch == (state == .met) else {
      fatalError("\(stub.endpoint): \(isMatch), and knowing the \(part) \(state)")
    }
  }
}

private let table: StubTable = {
  var table = StubTable()
  for stub in stubs { table.install(stub) }
  return table
}()

/// The table chooses what a search of all stubs in the order of precedence chooses, and names a neighbour where nothing matches.
private func checkIndex(_ request: ReceivedRequest) {
  var copy = table
  let found = copy.take(request)
  var best: PreparedStub?
  for method in request.method == "HEAD" ? ["HEAD", "GET"] : [request.method] where best == nil {
    var variant = request
    variant.method = method
    for stub in stubs where stub.endpoint.pattern.matches(ParsedRequest(variant)) {
      if let other = best, other.precedence.precedes(stub.precedence) { continue }
      best = stub
    }
  }
  guard found?.stub.endpoint == best?.endpoint else {
    fatalError(
      "the table finds \(found.map { "\($0.stub.endpoint)" } ?? "nothing"), not \(best.map { "\($0.endpoint)" } ?? "nothing")"
    )
  }
  guard found == nil else { return }
  guard let nearest = table.nearest(to: request), !nearest.differences.isEmpty else { fatalError("no neighbour") }
}

/// The parts of a form, written with another boundary, are the same parts.
private func checkParts(_ request: ReceivedRequest) {
  guard let parts = request.parts else { return }
  let boundary = "0123456789abcdef--fuzz"
  guard parts.allSatisfy({ $0.data.range(of: Data("--\(boundary)".utf8)) == nil }) else { return }
  var body = Data()
  for part in parts {
    func quoted(_ text: String) -> String {
      "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    body += Data("--\(boundary)\r\nContent-Disposition: form-data; name=\(quoted(part.name))".utf8)
    if let fileName = part.fileName { body += Data("; filename=\(quoted(fileName))".utf8) }
    body += Data("\r\nContent-Type: \(part.type)\r\n\r\n".utf8) + part.data + Data("\r\n".utf8)
  }
  body += Data("--\(boundary)--".utf8)
  let again = ReceivedRequest(
    method: "POST", path: "/", headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"], body: body)
  guard let read = again.parts, read.map(\.name) == parts.map(\.name), read.map(\.fileName) == parts.map(\.fileName),
    read.map(\.data) == parts.map(\.data)
  else { fatalError("\(parts) was read as \(String(describing: again.parts))") }
}

/// A stub that comes from another process is the same after it has gone to one.
private func checkCoding(_ request: ReceivedRequest) {
  guard let passed: PortableStub = try? request.json() else { return }
  let endpoint = passed.stub
  guard let data = try? JSONEncoder().encode(passed),
    let again = try? JSONDecoder().decode(PortableStub.self, from: data)
  else { fatalError("\(endpoint) can't be passed") }
  guard again == passed, again.stub == endpoint else { fatalError("\(endpoint) became \(again.stub)") }
  // A regular expression of the fuzzer's own may take exponential time.
  guard !request.text.contains("regex"), !request.text.contains("matches"),
    let stub = try? PreparedStub(endpoint, folder: nil)
  else { return }
  check(stub, request)
}
