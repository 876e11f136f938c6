import Foundation
import StubModel

/// The header fields and the contents of the last responses, of stubs and of the server itself, which the inspector and `session.json` show.
///
/// It has a separate limit: responses are repeated more often than requests, and only people read them.
package final class ResponseLog: Sendable {
  /// The most bytes of a response's content that are kept.
  package static let mostContent = 16_384
  /// The most bytes of all contents and fields together; the oldest are dropped.
  private static let most = 8 * 1_024 * 1_024

  /// The bytes that a response counts for besides its content and fields, because many have neither: about those that it takes.
  private static let overhead = 320

  /// A response as it was sent.
  package struct Response: Sendable {
    package let fields: MessageHeaders
    /// The beginning of the content.
    package let content: [UInt8]
    /// The size of the whole content in bytes; `nil` for a stream.
    package let size: Int?
  }

  /// A request by its connection and its number there, which are known before it is an entry of the journal.
  private struct Key: Hashable {
    let connection: Int
    let exchange: Int
  }

  private struct State {
    /// The field lines and the content of each response.
    var kept: [Key: (fields: String, content: [UInt8], size: Int?)] = [:]
    /// The requests in the order in which their responses were kept, from `first` on.
    var order: [Key] = []
    var first = 0
    var bytes = 0
  }

  private let state = Locked(State())

  package init() {}

  /// Keeps the response to a request of a connection.
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

  /// Drops all responses, and returns their memory.
  func removeAll() {
    state.withLock { $0 = State() }
  }

  /// The response to a request; `nil` if it isn't kept.
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
