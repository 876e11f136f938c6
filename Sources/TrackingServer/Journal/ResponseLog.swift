import Foundation
import StubModel

/// The header fields and contents of the last responses, of stubs and of the server itself, for the inspector and `session.json`.
///
/// Has its own limit, because responses repeat more than requests, and only people read them.
package final class ResponseLog: Sendable {
  /// The maximum number of bytes kept of one response's content.
  package static let mostContent = 16_384
  /// The maximum number of bytes of all contents and fields together; the oldest responses are dropped.
  private static let most = 8 * 1_024 * 1_024

  /// The estimated memory of a response besides its content and fields, in bytes; many have neither.
  private static let overhead = 320

  package struct Response: Sendable {
    package let fields: MessageHeaders
    package let content: [UInt8]
    /// The size of the whole content in bytes; `nil` for a stream.
    package let size: Int?
  }

  /// A request's connection and number there, which are known before the request is an entry of the journal.
  private struct Key: Hashable {
    let connection: Int
    let exchange: Int
  }

  private struct State {
    var kept: [Key: (fields: String, content: [UInt8], size: Int?)] = [:]
    /// The requests in the order of their responses, from `first` on.
    var order: [Key] = []
    var first = 0
    var bytes = 0
  }

  private let state = Locked(State())

  package init() {}

  func keep(_ response: HTTPResponse, connection: Int, exchange: Int) {
    let key = Key(connection: connection, exchange: exchange)
    let content = response.content.map { Array($0.prefix(Self.mostContent)) } ?? []
    let size = response.isStream ? nil : response.content?.count ?? 0
    state.withLock { state in
      state.kept[key] = (response.fields, content, size)
      state.order.append(key)
      state.bytes += content.count + response.fields.utf8.count + Self.overhead
      while state.bytes > Self.most, let old = state.kept.removeValue(forKey: state.order[state.first]) {
        state.bytes -= old.content.count + old.fields.utf8.count + Self.overhead
        state.first += 1
      }
      if state.first > 1_024, state.first > state.order.count / 2 {
        state.order.removeFirst(state.first)
        state.first = 0
      }
    }
  }

  func removeAll() {
    state.withLock { $0 = State() }
  }

  package subscript(request: RecordedRequest) -> Response? {
    let key = Key(connection: request.connection, exchange: request.exchange)
    return state.withLock { $0.kept[key] }.map { kept in
      let fields = kept.fields.split(separator: "\r\n").compactMap { line in
        line.firstIndex(of: ":").map { colon in
          NamedText(
            name: String(line[..<colon]), value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
      }
      return Response(fields: MessageHeaders(lines: fields), content: kept.content, size: kept.size)
    }
  }
}
