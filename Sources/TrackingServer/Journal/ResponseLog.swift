import Foundation
import StubModel
import TrackingSockets

/// The header fields and the contents of the last answers, which the inspector and `session.json` show.
///
/// It has a separate limit: answers are repeated more often than requests, and only people read them.
package final class ResponseLog: Sendable {
  /// The most bytes of an answer's content that are kept.
  package static let mostContent = 16_384
  /// The most bytes of all contents and fields together; the oldest are dropped.
  private static let most = 8 * 1_024 * 1_024

  /// An answer as it was sent.
  package struct Response: Sendable {
    package let fields: HeaderFields
    /// The beginning of the content.
    package let content: [UInt8]
    /// The size of the whole content in bytes; `nil` for a stream.
    package let size: Int?
  }

  private struct State {
    /// Field lines and contents by the number of the request's entry.
    var kept: [Int: (fields: String, content: [UInt8], size: Int?)] = [:]
    /// The numbers in the order in which they were kept, from `first` on.
    var order: [Int] = []
    var first = 0
    var bytes = 0
  }

  private let state = Locked(State())

  package init() {}

  /// Keeps the answer to the request of an entry.
  func keep(_ response: HTTPResponse, of entry: Int) {
    let content = Array((response.content ?? []).prefix(Self.mostContent))
    let size = response.isStream ? nil : response.content?.count ?? 0
    state.withLock { state in
      state.kept[entry] = (response.fields, content, size)
      state.order.append(entry)
      state.bytes += content.count + response.fields.utf8.count
      while state.bytes > Self.most, let old = state.kept.removeValue(forKey: state.order[state.first]) {
        state.bytes -= old.content.count + old.fields.utf8.count
        state.first += 1
      }
      if state.first > 1_024, state.first > state.order.count / 2 {
        state.order.removeFirst(state.first)
        state.first = 0
      }
    }
  }

  /// The answer to the request of an entry; `nil` if it isn't kept.
  package subscript(entry: Int) -> Response? {
    state.withLock { $0.kept[entry] }.map { kept in
      let fields = kept.fields.split(separator: "\r\n").compactMap { line in
        line.firstIndex(of: ":").map { colon in
          HeaderFields.Field(
            name: String(line[..<colon]), value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
      }
      return Response(fields: HeaderFields(fields: fields), content: kept.content, size: kept.size)
    }
  }
}
