import Foundation
import StubModel
import TrackingModel

@testable import TrackingServer
@testable import VendorFormats

/// Takes a request as an SDK writes it and hands it to every format that listens at its path: nothing traps, and what is read is no larger than its
/// bytes allow.
///
/// Content-Length does not count: everything behind the head is the body, so that a change of its length does not hide it from the decoders.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVendors(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let request = ReceivedRequest(written: Data(UnsafeBufferPointer(start: start, count: count))) else { return 0 }
  for format in formats where format.fits(request) {
    guard let submission = try? format.submission(in: request) else { continue }
    check(submission, of: format.format, size: count)
    _ = try? PreparedResponse(submission.response, folder: nil)
  }
  var open = request
  open.path += "/"
  for format in formats {
    _ = format.startupRequest(request)
    guard request.path.hasPrefix("/"), format.fits(request) != format.fits(open) else { continue }
    fatalError("\(format.format.name) reads only one of \(request.path) and \(open.path)")
  }
  return 0
}

private func check(_ submission: DecodedSubmission, of format: AcceptedFormat, size: Int) {
  guard submission.items.count + submission.malformed.count <= size else {
    fatalError("\(format.name) read \(submission.items.count) items of \(size) bytes")
  }
  var values = 0
  for item in submission.items {
    let event = format.event(of: item)
    values += event.params.count + item.context.count
    guard event == format.event(of: item) else { fatalError("\(format.name): \(event) is not equal to itself") }
    guard item.addedParams.allSatisfy({ item.context[$0] != nil }) else {
      fatalError("\(format.name): not everything that was added is in the context")
    }
  }
  // The values that items share are bounded, or a long batch with long headers would fill the memory.
  guard values <= size + 80 * submission.items.count else {
    fatalError("\(format.name) made \(values) values of \(size) bytes")
  }
}

private let described = JSONEventFormat(
  "Described", .post, "/described", events: "items[]", name: "n", params: ".", callSite: "debug.line")

private let formats =
  (AcceptedFormat.allVendors + [
    .beacons(at: "/beacons"), .beacons(at: "/eum//v1/", "/a%2Fb/:c/*"), AcceptedFormat(described),
  ]).map { format in
    do {
      return try PreparedFormat(format)
    } catch {
      fatalError("\(format.name): \(error)")
    }
  }

extension ReceivedRequest {
  /// A request line, fields, an empty line and a body; `nil` for anything else.
  fileprivate init?(written bytes: Data) {
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(
      method: ReceivedRequest.Method(rawValue: String(words[0])), path: String(target[0]),
      queryText: target.count > 1 ? String(target[1]) : nil,
      body: Data(bytes[end.upperBound...]))
    for line in lines.dropFirst() {
      let field = line.split(separator: ":", maxSplits: 1)
      guard field.count == 2 else { continue }
      headers[String(field[0])] = field[1].trimmingCharacters(in: .whitespaces)
    }
  }
}
