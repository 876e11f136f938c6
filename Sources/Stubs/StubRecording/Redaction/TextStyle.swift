/// The kind of a text, which decides what can be found in it.
enum TextStyle {
  /// Words, such as a log, a header field or a string in JSON: `password=abc` is a password.
  case prose
  /// A program: `password=abc` is an assignment, and replacing its right side would break it.
  case code
  /// A page: a program in markup.
  case html
  case xml
  /// No text.
  case binary

  init(ofBody body: UnsafeBufferPointer<UInt8>, type: String) {
    let type = type.prefix { $0 != ";" }.lowercased()
    let first = body.prefix(1_024)
    if first.contains(0) {
      self = .binary
    } else if type.hasSuffix("html") || type.hasSuffix("xhtml+xml") {
      self = .html
    } else if type.hasSuffix("xml") || first.starts(with: "<?xml".utf8) {
      self = .xml
    } else if type.hasSuffix("javascript") || type.hasSuffix("ecmascript") || type.hasSuffix("css") {
      self = .code
    } else {
      self.init(ofText: body)
    }
  }

  /// The kind of a text without a media type: a page, if it begins with a tag.
  ///
  /// A line of a log may begin with `<13>`.
  init(ofText text: UnsafeBufferPointer<UInt8>) {
    let first = text.prefix(1_024).drop { $0 <= 32 }.prefix(2)
    let beginsTag =
      first.first == UInt8(ascii: "<") && first.count == 2 && first.last.map { $0 == 0x21 || $0 > 0x3E } ?? false
    self = beginsTag ? .html : .prose
  }
}
