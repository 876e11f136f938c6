@testable import TrackingServer

/// Takes the bytes of a connection, delivered in many ways: all must read alike, and neighbours must not change what is read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  RequestFuzzer(bytes: Array(UnsafeBufferPointer(start: start, count: count))).run()
  return 0
}

private struct RequestFuzzer {
  let bytes: [UInt8]

  /// Limits that a short input reaches.
  private static let small = TrackingServer.Limits(requestHead: 96, fieldCount: 4, body: 24)
  private static let neighbour = Array(
    "POST /n?a HTTP/1.1\r\nHost: n:1\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nab\r\n0\r\nX: y\r\n\r\n".utf8)

  func run() {
    for limits in [TrackingServer.Limits(), Self.small] {
      let whole = Transcript(of: [bytes[...]], limits: limits)
      compareCuts(of: bytes, with: whole, limits)
      compareNeighbours(of: whole, limits)
    }
  }

  /// However the bytes are cut into packets, they are read alike.
  private func compareCuts(of bytes: [UInt8], with whole: Transcript, _ limits: TrackingServer.Limits) {
    let single = Transcript(of: bytes.indices.map { bytes[$0...$0] }, limits: limits)
    require(single == whole, "byte by byte", single, whole)
    // At every byte of a short input, at some of a long one; which ones is for the input to say.
    let step = max(1, bytes.count / 16)
    let first = 1 + Int(bytes.last ?? 0) % step
    for cut in stride(from: first, to: bytes.count, by: step) {
      let inTwo = Transcript(of: [bytes[..<cut], bytes[cut...]], limits: limits)
      require(inTwo == whole, "cut at \(cut)", inTwo, whole)
    }
    let inPieces = Transcript(of: pieces(of: bytes), limits: limits)
    require(inPieces == whole, "in pieces", inPieces, whole)
  }

  /// Requests before and behind these bytes are read as if they were alone, and so are these bytes.
  private func compareNeighbours(of whole: Transcript, _ limits: TrackingServer.Limits) {
    let neighbour = Transcript(of: [Self.neighbour[...]], limits: limits)
    var behind = whole
    behind.requests = neighbour.requests + whole.requests
    let bytesBehind = Self.neighbour + bytes
    require(Transcript(of: [bytesBehind[...]], limits: limits) == behind, "behind another request", whole, behind)

    // An empty line is ignored once only: what ends in one, or is one, leaves no room for that of the next.
    guard whole.refusal == nil, whole.isIdle, !whole.requests.isEmpty, bytes.first != ASCII.carriageReturn else {
      return
    }
    var pipelined = whole
    pipelined.requests += whole.requests
    let twice = bytes + bytes
    require(Transcript(of: [twice[...]], limits: limits) == pipelined, "pipelined", whole, pipelined)
    compareCuts(of: twice, with: pipelined, limits)
  }

  /// Pieces of sizes that the bytes themselves decide, so that the fuzzer can find its way to them.
  private func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    var state: UInt32 = 2_166_136_261
    while !rest.isEmpty {
      state = (state ^ UInt32(rest[rest.startIndex])) &* 16_777_619
      let size = Int(state >> 24) % 13 + 1
      pieces.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return pieces
  }

  private func require(_ holds: Bool, _ how: String, _ found: Transcript, _ wanted: Transcript) {
    guard !holds else { return }
    fatalError("\(how), \(bytes.count) bytes are read as \(found) and not as \(wanted)")
  }
}
