@testable import TrackingSockets

/// Takes the bytes of a response, delivered in many ways: all must read alike, for the double and for the recorder.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzResponse(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  ResponseFuzzer(bytes: Array(UnsafeBufferPointer(start: start, count: count))).run()
  return 0
}

private struct ResponseFuzzer {
  let bytes: [UInt8]

  func run() {
    let whole = transcript(of: [bytes[...]])
    require(transcript(of: bytes.indices.map { bytes[$0...$0] }), whole, "byte by byte")
    // At every byte of a short input, at some of a long one; which ones is for the input to say.
    let step = max(1, bytes.count / 16)
    for cut in stride(from: 1 + Int(bytes.last ?? 0) % step, to: bytes.count, by: step) {
      require(transcript(of: [bytes[..<cut], bytes[cut...]]), whole, "cut at \(cut)")
    }
  }

  /// The readings of the double, and of the recorder for a GET and a HEAD, also with limits that a short input reaches.
  private func transcript(of pieces: [ArraySlice<UInt8>]) -> [String] {
    [(head: 65_536, body: 65_536), (head: 96, body: 24)].flatMap { limits in
      [
        double(pieces, ResponseReader(headLimit: limits.head, bodyLimit: limits.body)),
        recorder(
          pieces, ResponseReader(headLimit: limits.head), BackendResponse(isHead: false, mostBytes: limits.body)),
        recorder(pieces, ResponseReader(headLimit: limits.head), BackendResponse(isHead: true, mostBytes: limits.body)),
      ]
    }
  }

  private func double(_ pieces: [ArraySlice<UInt8>], _ start: ResponseReader) -> String {
    var reader = start
    do {
      for piece in pieces {
        piece.withUnsafeBytes { reader.append($0) }
        // Bytes after the response end the connection only if they have arrived with it.
        if let response = try reader.response() {
          return "\(response.statusText), \(response.session ?? "no session"), \(response.body)"
        }
      }
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  private func recorder(_ pieces: [ArraySlice<UInt8>], _ start: ResponseReader, _ response: BackendResponse) -> String {
    var (reader, response) = (start, response)
    do {
      for piece in pieces {
        piece.withUnsafeBytes { reader.append($0) }
        if let whole = try response.read(&reader, isAtEnd: false) {
          return "\(whole.status) \(whole.headers) \([UInt8](whole.body))"
        }
      }
      let whole = try response.read(&reader, isAtEnd: true)
      return whole.map { "\($0.status) \($0.headers) \([UInt8]($0.body))" } ?? "nothing"
    } catch {
      return "\(error)"
    }
  }

  private func require(_ found: [String], _ wanted: [String], _ how: String) {
    guard found != wanted else { return }
    fatalError("\(how), \(bytes.count) bytes are read as \(found) and not as \(wanted)")
  }
}
