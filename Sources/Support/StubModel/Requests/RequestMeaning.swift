import Foundation
import TrackingJSON
import TrackingModel

/// The identity of a request, as values: the order of JSON members, of different fields and parts, and the spelling of the path, of numbers and
/// texts don't matter.
///
/// Bodies that are in another form, unreadable or in a content coding are compared by their bytes.
package struct RequestMeaning: Hashable, Sendable {
  private let method: ReceivedRequest.Method
  /// Decoded segments, by their bytes: `%61` is `a`, and `%2F` isn't a slash.
  private let path: [[UInt8]]
  private let query: Fields
  private let body: Body

  /// `bodySize` is the number of received bytes, of which the request may have only the first.
  package init(of request: ReceivedRequest, bodySize: Int? = nil) {
    (method, path) = (request.method, RequestPath.split(request.path).map { PercentEncoding.bytes(of: $0.utf8) })
    query = Fields(encoded: Data((request.queryText ?? "").utf8))
    let size = bodySize ?? request.body.count
    body =
      size == request.body.count
      ? Body(of: request)
      : .cut(kept: Body.Form(of: request) == nil ? request.body : Data(), keptCount: request.body.count, size: size)
  }

  /// The names of the parts that two equal requests have in common, such as `["method", "path", "JSON"]`.
  package var words: [String] {
    ["method", "path"] + (query == .none ? [] : ["query"]) + [body.word].compactMap(\.self)
  }

  /// The reason why two requests with this meaning can't be compared; `nil` if they are equal.
  package var doubt: String? {
    guard case .cut(_, let kept, let size) = body else { return nil }
    return "only \(kept) of their \(size) bytes were kept"
  }
}

// MARK: - Fields

extension RequestMeaning {
  /// A query, a form, or the header fields of a part.
  fileprivate enum Fields: Hashable, Sendable {
    case named([TextKey: [TextKey]])
    /// Bytes that aren't UTF-8 after decoding.
    case bytes(Data)

    static let none = Fields.named([:])

    init(encoded: Data) {
      let text = String(decoding: encoded, as: UTF8.self)
      self = ReceivedFields.isText(encoded) ? Fields(ReceivedFields(text).pairs) : .bytes(encoded)
    }

    init(_ pairs: [NamedText]) {
      self = .named(Dictionary(grouping: pairs) { TextKey($0.name) }.mapValues { $0.map { TextKey($0.value) } })
    }
  }
}

// MARK: - Bodies

extension RequestMeaning {
  fileprivate indirect enum Body: Hashable, Sendable {
    case bytes(Data)
    case json(JSON)
    case form(Fields)
    /// The parts of each name, in order.
    case parts([TextKey: [Part]])
    /// A body of which not all bytes are known; if it could be read, its kept bytes don't decide.
    case cut(kept: Data, keptCount: Int, size: Int)

    /// A kind of body in which equal values may differ in bytes.
    enum Form {
      case json, form, multipart

      init?(of request: ReceivedRequest) {
        let type = (request.headers["Content-Type"] ?? "").lowercased()
        if request.isCoded || request.body.isEmpty && type.isEmpty {
          return nil
        } else if request.isMeantAsJSON {
          self = .json
        } else if type.hasPrefix("application/x-www-form-urlencoded") {
          self = .form
        } else if type.hasPrefix("multipart/form-data") {
          self = .multipart
        } else {
          return nil
        }
      }
    }

    init(of request: ReceivedRequest) {
      let read: Body? =
        switch request.body.isEmpty ? nil : Form(of: request) {
        case .json: JSON(request.body, maximumDepth: request.jsonDepth).map { .json($0) }
        case .form: .form(Fields(encoded: request.body.withoutByteOrderMark))
        case .multipart:
          ReceivedPart.sections(of: request.body, type: request.headers["Content-Type"] ?? "").map { sections in
            .parts(
              Dictionary(grouping: sections.map { Part($0, jsonDepth: request.jsonDepth) }) { TextKey($0.name) })
          }
        case nil: nil
        }
      self = read ?? .bytes(request.body)
    }

    /// The body's name in a list; `nil` if it is empty.
    var word: String? {
      switch self {
      case .bytes(let bytes): bytes.isEmpty ? nil : "body"
      case .cut: "body"
      case .json: "JSON"
      case .form: "form"
      case .parts: "parts of the body"
      }
    }
  }

  fileprivate struct Part: Hashable, Sendable {
    let name: String
    private let headers: Fields
    private let content: Body

    init(_ section: ArraySlice<UInt8>, jsonDepth: Int) {
      guard let part = ReceivedPart(section), part.headers.lines.allSatisfy({ !$0.value.hasReplacement }) else {
        (name, headers, content) = ("", .none, .bytes(Data(section)))
        return
      }
      name = part.name
      headers = Fields(
        part.headers.lines.map { field in
          let name = field.name.lowercased()
          let value = name.isSameText(as: "content-disposition") ? ParameterizedValue(field.value)?.canonical : nil
          return NamedText(name: name, value: value ?? field.value)
        })
      var request = ReceivedRequest(method: .post, path: "/", headers: ["Content-Type": part.type], body: part.data)
      request.jsonDepth = jsonDepth
      content = Body(of: request)
    }

    static func == (left: Part, right: Part) -> Bool {
      left.name.isSameText(as: right.name) && left.headers == right.headers && left.content == right.content
    }

    func hash(into hasher: inout Hasher) {
      name.hashText(into: &hasher)
      hasher.combine(headers)
      hasher.combine(content)
    }
  }

  /// A JSON value of any size: numbers are equal by value, and the values of a repeated name are in order.
  fileprivate indirect enum JSON: Hashable, Sendable {
    case scalar(TrackingValue)
    /// A number that neither 64 bits nor a double hold.
    case number(TextKey)
    case array([JSON])
    case object([TextKey: [JSON]])

    init?(_ body: Data, maximumDepth: Int) {
      let tree = try? JSONTree(body.withoutByteOrderMark, spelling: .written, maximumDepth: maximumDepth)
      guard let tree else { return nil }
      self.init(tree)
    }

    private init(_ tree: JSONTree) {
      switch tree.content {
      case .scalar(let value): self = .scalar(value)
      case .spelled(let text):
        let value = (try? JSONTree(Array(text.utf8)))?.scalar
        self = value.map { .scalar($0) } ?? .number(TextKey(text))
      case .array(let elements): self = .array(elements.map { JSON($0) })
      case .object(let members):
        self = .object(Dictionary(grouping: members) { TextKey($0.key) }.mapValues { $0.map { JSON($0.value) } })
      }
    }
  }
}
