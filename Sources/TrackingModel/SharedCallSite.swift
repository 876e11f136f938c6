import Foundation

/// A call site that all events of a line share.
///
/// A pointer to memory that is never freed: an event holds one word, its copies count no references, and tracking allocates only at a line's first
/// event. `@unchecked Sendable`: the memory is immutable once made.
package struct SharedCallSite: @unchecked Sendable {
  private struct Content {
    let site: CallSite
    let json: [UInt8]
    /// The lookup key; the whole text if there is no line.
    let file: [UInt8]
    let line: Int?
  }

  private let content: UnsafePointer<Content>
  private static let known = Locked(CallSiteTable())

  package var site: CallSite { content.pointee.site }
  var json: [UInt8] { content.pointee.json }

  private init(_ content: Content) {
    let memory = UnsafeMutablePointer<Content>.allocate(capacity: 1)
    memory.initialize(to: content)
    self.content = UnsafePointer(memory)
  }

  /// `nil` as for `CallSite`, and if the table is full.
  static func at(_ fileID: String, _ line: Int) -> SharedCallSite? {
    if fileID.isEmpty { return nil }
    return fileID.withBytes { file in find(file, line) { CallSite(fileID: fileID, line: line) } }
  }

  /// Reads UTF-8; `nil` as for `CallSite`, and if the table is full.
  package static func of(_ text: UnsafeBufferPointer<UInt8>) -> SharedCallSite? {
    find(text, nil) { CallSite(String(decoding: text, as: UTF8.self)) }
  }

  private static func find(
    _ file: UnsafeBufferPointer<UInt8>, _ line: Int?, make: () -> CallSite?
  ) -> SharedCallSite? {
    let hash = CallSiteTable.hash(of: file, line)
    return known.withLock { table in
      if let known = table.site(hash, where: { $0.isAt(file, line) }) { return known }
      guard table.hasRoom, let site = make() else { return nil }
      var writer = JSONWriter()
      writer.write(string: site.text)
      let shared = SharedCallSite(Content(site: site, json: writer.bytes, file: Array(file), line: line))
      table.insert(shared, hash)
      return shared
    }
  }

  private func isAt(_ file: UnsafeBufferPointer<UInt8>, _ line: Int?) -> Bool {
    guard content.pointee.line == line, content.pointee.file.count == file.count else { return false }
    return content.pointee.file.withUnsafeBytes { own in
      guard let own = own.baseAddress, let other = file.baseAddress else { return file.isEmpty }
      return memcmp(own, other, file.count) == 0
    }
  }
}

/// The known call sites, with open addressing.
private struct CallSiteTable {
  private var slots = [(hash: UInt64, site: SharedCallSite?)](repeating: (0, nil), count: 128)
  private var count = 0

  /// Far more lines than an app has; bounds the memory that a sender of invented lines can fill.
  private static let most = 65_536

  var hasRoom: Bool { count < Self.most }

  func site(_ hash: UInt64, where isIt: (SharedCallSite) -> Bool) -> SharedCallSite? {
    var place = place(of: hash)
    while let site = slots[place].site {
      if slots[place].hash == hash, isIt(site) { return site }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  mutating func insert(_ site: SharedCallSite, _ hash: UInt64) {
    if 2 * count >= slots.count {
      let old = slots
      slots = Array(repeating: (0, nil), count: 2 * old.count)
      for case (let hash, let site?) in old { put(site, hash) }
    }
    put(site, hash)
    count += 1
  }

  private mutating func put(_ site: SharedCallSite, _ hash: UInt64) {
    var place = place(of: hash)
    while slots[place].site != nil { place = (place + 1) & (slots.count - 1) }
    slots[place] = (hash, site)
  }

  private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1) }

  /// Hashes eight bytes at a time: a dictionary's hash, which withstands attackers, took a tenth of the time of an event.
  static func hash(of file: UnsafeBufferPointer<UInt8>, _ line: Int?) -> UInt64 {
    let bytes = UnsafeRawBufferPointer(file)
    var hash = UInt64(truncatingIfNeeded: line ?? -1)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mixed(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest = UInt64(bytes.count)
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    hash = mixed(hash, rest)
    return hash ^ hash << 32
  }

  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }
}
