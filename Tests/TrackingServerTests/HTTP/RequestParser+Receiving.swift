@testable import TrackingServer

extension RequestParser {
  /// Receives as many of these bytes as fit the room that is there, and says how many.
  mutating func receive(_ bytes: some Collection<UInt8>) -> Int {
    receive { space in
      let count = min(space.count, bytes.count)
      space.copyBytes(from: bytes.prefix(count))
      return count
    }
  }

  /// Receives the UTF-8 of a text as far as it fits the room that is there.
  mutating func receive(_ text: String) -> Int {
    receive(text.utf8)
  }
}
