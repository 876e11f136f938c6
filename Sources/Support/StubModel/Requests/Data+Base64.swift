import Foundation

// Base64 (RFC 4648).
extension Data {
  /// Decodes either alphabet, with or without padding; `nil` if the text isn't base64.
  package init?(base64 text: some Sequence<UInt8>) {
    var standard = text.filter { $0 != UInt8(ascii: "=") }.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
    self.init(base64Encoded: Data(standard))
  }

  /// In the alphabet for URLs, without padding.
  package var base64URL: String {
    base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
