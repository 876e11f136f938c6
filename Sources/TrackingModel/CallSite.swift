/// The line of an app that tracked an event.
///
/// ```swift
/// XCTAssertEqual(verifier.wait(for: .named("order_placed"))?.callSite?.line, 41)
/// ```
public struct CallSite: Hashable, Sendable {
  /// `Shop/CheckoutModel.swift:41`, as on the wire.
  package let text: String

  /// In bytes of ``text``.
  package static let longest = 512

  /// `nil` if the text is empty or longer than ``longest``.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.longest else { return nil }
    self.text = text
  }

  /// Leaves out a line that isn't above 0; `nil` if the file is empty, or the text longer than ``longest``.
  init?(fileID: String, line: Int) {
    guard !fileID.isEmpty else { return nil }
    self.init(line > 0 ? "\(fileID):\(line)" : fileID)
  }

  /// The file: in Swift its module and name, `Shop/CheckoutModel.swift`; for other senders, the text that they sent, `cart.py`.
  public var fileID: String { place.map { String(text.utf8[..<$0.colon]) ?? text } ?? text }

  /// The line in the file; `nil` if the sender didn't name one.
  public var line: Int? { place?.line }

  /// The last colon that a number follows.
  private var place: (colon: String.Index, line: Int)? {
    let utf8 = text.utf8
    guard let colon = utf8.lastIndex(of: UInt8(ascii: ":")), colon > utf8.startIndex else { return nil }
    let digits = utf8[utf8.index(after: colon)...]
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    return Int(Substring(digits)).map { (colon, $0) }
  }
}

extension CallSite: CustomStringConvertible {
  /// The file and the line: `Shop/CheckoutModel.swift:41`.
  public var description: String { text }
}
