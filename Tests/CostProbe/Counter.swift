import Foundation

/// The library of `Scripts/costs/counter.c`, if it is preloaded.
struct Counter: Sendable {
  private typealias Read = @convention(c) (UnsafeMutablePointer<Int64>) -> Void
  private typealias Ignore = @convention(c) (CInt) -> Void
  private typealias Connect = @convention(c) (CInt) -> CInt
  fileprivate typealias Exchange = @convention(c) (CInt, UnsafePointer<CChar>, Int) -> CInt

  private let read: Read
  private let ignore: Ignore
  private let connect: Connect
  private let exchange: Exchange

  /// Returns `nil` if the library is not preloaded.
  init?() {
    guard
      let read = dlsym(nil, "costs_read"), let ignore = dlsym(nil, "costs_ignore_thread"),
      let connect = dlsym(nil, "costs_connect"), let exchange = dlsym(nil, "costs_exchange")
    else { return nil }
    self.read = unsafeBitCast(read, to: Read.self)
    self.ignore = unsafeBitCast(ignore, to: Ignore.self)
    self.connect = unsafeBitCast(connect, to: Connect.self)
    self.exchange = unsafeBitCast(exchange, to: Exchange.self)
  }

  /// Prints the mean counts of an operation, after a warm-up.
  ///
  /// - Parameters:
  ///   - units: The number of units in one operation; the printed counts are those of a unit.
  ///   - withBytes: Whether to print the bytes that a unit leaves allocated.
  func measure(_ what: String, times: Int, each units: Int = 1, withBytes: Bool = false, _ operation: () -> Void) {
    for _ in 0..<times { operation() }
    let before = counts()
    for _ in 0..<times { operation() }
    let means = zip(before, counts()).map { Double($1 - $0) / Double(times * units) }
    let bytes = withBytes ? ["bytes": means[1]] : [:]
    let figures = ["allocations": means[0], "system calls": means[2]].merging(bytes) { $1 }
    let members = figures.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
    let line = "{\"what\": \"\(what)\", \(members.joined(separator: ", "))}\n"
    FileHandle.standardOutput.write(Data(line.utf8))
  }

  /// Leaves out what the calling thread does in a closure.
  func ignoring<Result>(_ body: () -> Result) -> Result {
    ignore(1)
    defer { ignore(-1) }
    return body()
  }

  /// A client of a port on 127.0.0.1 whose own calls are not counted.
  func client(port: Int) -> Client {
    Client(descriptor: connect(CInt(port)), send: exchange)
  }

  private func counts() -> [Int64] {
    var counts = [Int64](repeating: 0, count: 3)
    read(&counts)
    return counts
  }
}

/// A blocking client that keeps one connection.
struct Client {
  fileprivate let descriptor: CInt
  fileprivate let send: Counter.Exchange

  fileprivate init(descriptor: CInt, send: @escaping Counter.Exchange) {
    (self.descriptor, self.send) = (descriptor, send)
  }

  /// Sends a request and reads its response.
  func exchange(_ request: String, expecting expected: Int) {
    let status = request.withCString { send(descriptor, $0, request.utf8.count) }
    precondition(status == CInt(expected), "the server responded with \(status)")
  }
}
