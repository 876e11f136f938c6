import Foundation

@testable import TrackingServer

/// Decodes bytes as gzip, as zlib's format and as bare DEFLATE: nothing traps, no output exceeds the limit, and where the machine has zlib,
/// both accept the same bytes and decode them alike.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzInflate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  let limit = 1 << 18
  for form in Form.allCases {
    let ours = form.decoded(bytes, limit: limit)
    if let ours, ours.count > limit { fatalError("\(form): \(ours.count) bytes, beyond the limit") }
    guard let zlib = ZLib.shared else { continue }
    let theirs = zlib.decoded(bytes, form, limit: limit)
    guard ours == theirs else {
      fatalError(
        "\(form): \(ours.map { "\($0.count) bytes" } ?? "refused"), zlib \(theirs.map { "\($0.count) bytes" } ?? "refused")"
      )
    }
  }
  return 0
}

enum Form: CaseIterable {
  case gzip, zlib, bare

  func decoded(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> [UInt8]? {
    do throws(CodingError) {
      switch self {
      case .gzip: return try ContentCoding.gzip.decoded(bytes, limit: limit)
      case .zlib: return try ContentCoding.deflate.decoded(bytes, limit: limit)
      case .bare:
        var inflate = Inflate(bytes, limit: limit)
        try inflate.stream()
        return inflate.isAtEnd ? Array(inflate.output(from: 0)) : nil
      }
    } catch {
      return nil
    }
  }

  /// The value of `windowBits` for zlib's `inflateInit2`.
  var windowBits: Int32 {
    switch self {
    case .gzip: 31
    case .zlib: 15
    case .bare: -15
    }
  }
}

/// The system's zlib, found at run time, so that no header is needed.
struct ZLib: @unchecked Sendable {
  /// `z_stream` of zlib.h on 64-bit platforms.
  struct Stream {
    var nextIn: UnsafePointer<UInt8>?
    var availableIn: UInt32 = 0
    var totalIn: UInt = 0
    var nextOut: UnsafeMutablePointer<UInt8>?
    var availableOut: UInt32 = 0
    var totalOut: UInt = 0
    var message: UnsafePointer<CChar>?
    var state: OpaquePointer?
    var allocate: OpaquePointer?
    var free: OpaquePointer?
    var opaque: OpaquePointer?
    var dataType: Int32 = 0
    var adler: UInt = 0
    var reserved: UInt = 0
  }

  static let shared = ZLib()

  private let start: @convention(c) (UnsafeMutableRawPointer, Int32, UnsafePointer<CChar>, Int32) -> Int32
  private let inflate: @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
  private let reset: @convention(c) (UnsafeMutableRawPointer) -> Int32
  private let end: @convention(c) (UnsafeMutableRawPointer) -> Int32

  private init?() {
    guard let library = dlopen("libz.so.1", RTLD_NOW) ?? dlopen("libz.dylib", RTLD_NOW),
      let start = dlsym(library, "inflateInit2_"), let inflate = dlsym(library, "inflate"),
      let reset = dlsym(library, "inflateReset"), let end = dlsym(library, "inflateEnd")
    else {
      FileHandle.standardError.write(Data("NOTICE: no zlib here, so nothing is compared with it\n".utf8))
      return nil
    }
    self.start = unsafeBitCast(start, to: type(of: self.start))
    self.inflate = unsafeBitCast(inflate, to: type(of: self.inflate))
    self.reset = unsafeBitCast(reset, to: type(of: self.reset))
    self.end = unsafeBitCast(end, to: type(of: self.end))
  }

  func decoded(_ bytes: UnsafeBufferPointer<UInt8>, _ form: Form, limit: Int) -> [UInt8]? {
    var stream = Stream()
    guard start(&stream, form.windowBits, "1.2.11", Int32(MemoryLayout<Stream>.size)) == 0 else {
      fatalError("inflateInit2")
    }
    defer { _ = end(&stream) }
    // One byte more, so that too much shows.
    let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: limit + 1)
    defer { output.deallocate() }
    let nothing: [UInt8] = [0]
    return nothing.withUnsafeBufferPointer { nothing in
      stream.nextIn = bytes.baseAddress ?? nothing.baseAddress
      stream.availableIn = UInt32(bytes.count)
      stream.nextOut = output.baseAddress
      stream.availableOut = UInt32(output.count)
      while true {
        // Z_FINISH; the result 1 is the end of a stream.
        guard inflate(&stream, 4) == 1 else { return nil }
        guard stream.availableIn > 0 else { break }
        // Another member follows, and no other form has several.
        guard form == .gzip, reset(&stream) == 0 else { return nil }
      }
      let count = output.count - Int(stream.availableOut)
      return count > limit ? nil : Array(output.prefix(count))
    }
  }
}
