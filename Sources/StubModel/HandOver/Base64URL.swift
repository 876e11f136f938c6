import Foundation

/// Base64 with the alphabet for URLs and file names, without padding (RFC 4648 5 and 3.2).
enum Base64URL {
  static func text(of data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  static func data(of text: String) -> Data? {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
  }
}
