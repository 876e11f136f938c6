/// The request methods that the server distinguishes.
enum RequestMethod: Equatable {
  case get, head, post, put, patch, delete, connect, options, trace
  /// Any other token; `RequestHead.methodName` has it.
  case other

  init(_ bytes: RequestBytes, _ range: ByteRange) {
    // RFC 9110 9.1: a method is case-sensitive.
    let known: (StaticString, RequestMethod)
    switch (range.count, bytes[range.start]) {
    case (3, UInt8(ascii: "G")): known = ("GET", .get)
    case (3, _): known = ("PUT", .put)
    case (4, UInt8(ascii: "P")): known = ("POST", .post)
    case (4, _): known = ("HEAD", .head)
    case (5, UInt8(ascii: "P")): known = ("PATCH", .patch)
    case (5, _): known = ("TRACE", .trace)
    case (6, _): known = ("DELETE", .delete)
    case (7, UInt8(ascii: "C")): known = ("CONNECT", .connect)
    case (7, _): known = ("OPTIONS", .options)
    default:
      self = .other
      return
    }
    self = range.equals(known.0, in: bytes) ? known.1 : .other
  }
}
