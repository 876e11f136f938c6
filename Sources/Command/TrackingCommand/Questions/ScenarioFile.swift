import Foundation
import StubModel
import StubReplay
import TrackingModel
import TrackingPatterns
import TrackingServer

/// The stubs of `--scenario` and of `POST stubs`: a JSON array of answers, each for a method and a path.
///
/// ```json
/// [
///   {"method": "GET", "path": "/books/:id", "json": {"id": 42, "title": "Walden"}},
///   {"method": "POST", "path": "/orders", "status": 201, "delay": 0.5},
///   {"path": "/images/cover.png", "file": "cover.png"}
/// ]
/// ```
///
/// Of several answers for one request the last one is sent; files are named from the folder of the scenario.
struct ScenarioFile {
  let stubs: [StubEndpoint]

  /// - Parameters:
  ///   - name: The name of the file in errors.
  ///   - hasFolder: Whether answers may name files beside it.
  /// - Throws: `Problem` with the mistake, and its place.
  init(_ data: Data, named name: String, hasFolder: Bool) throws(Problem) {
    do throws(RecordingError) {
      _ = try JSONNode(data, file: name)
    } catch {
      throw Problem(description: error.description)
    }
    do {
      let decoder = JSONDecoder()
      decoder.userInfo[Self.folder] = hasFolder
      stubs = try decoder.decode([Answer].self, from: data).map(\.stub)
    } catch let error as DecodingError {
      throw Problem(description: "\(name): \(error.reason(inElementsCalled: "answer"))")
    } catch {
      throw Problem(description: "\(name): \(error)")
    }
  }

  private static let folder = CodingUserInfoKey(rawValue: "hasFolder").unsafelyUnwrapped

  struct Problem: Error, CustomStringConvertible {
    let description: String

    init(description: String) {
      self.description = description
    }
  }

  private struct Answer: Decodable {
    let stub: StubEndpoint

    enum CodingKeys: String, CodingKey, CaseIterable {
      case method, path, status, headers, delay, times, json, text, file
    }

    init(from decoder: any Decoder) throws {
      let all = try decoder.container(keyedBy: AnyKey.self)
      let hasFolder = decoder.userInfo[folder] as? Bool == true
      let known = CodingKeys.allCases.filter { hasFolder || $0 != .file }.map(\.rawValue)
      if let unknown = all.allKeys.first(where: { !known.contains($0.stringValue) }) {
        throw DecodingError.dataCorruptedError(
          forKey: unknown, in: all, debugDescription: "is unknown; there are \(known.joined(separator: ", "))")
      }
      let members = try decoder.container(keyedBy: CodingKeys.self)
      let bodies: [CodingKeys] = [.json, .text, .file].filter(members.contains)
      guard bodies.count < 2 else {
        throw DecodingError.dataCorruptedError(
          forKey: bodies[1], in: members,
          debugDescription: "is there besides \(bodies[0].rawValue); an answer has one body")
      }
      let status = try members.decodeIfPresent(Int.self, forKey: .status) ?? 200
      var result: StubResult =
        switch bodies.first {
        case .json: .json(try members.decode(TrackingValue.self, forKey: .json), status: status)
        case .text: .text(try members.decode(String.self, forKey: .text), status: status)
        case .file: .file(try members.decode(String.self, forKey: .file), status: status)
        default: .status(status)
        }
      let headers = try members.decodeIfPresent([String: String].self, forKey: .headers) ?? [:]
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) { result = result.adding(header: name, value) }
      if let delay = try members.decodeIfPresent(Double.self, forKey: .delay) { result = result.delayed(by: delay) }
      let times = try members.decodeIfPresent(Int.self, forKey: .times)
      stub = StubEndpoint(
        try members.decodeIfPresent(String.self, forKey: .method).map(HTTPRequest.Method.init(rawValue:)),
        .template(try members.decode(String.self, forKey: .path)), result, times: times)
    }
  }
}

/// A key of any name.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension DecodingError {
  /// The reason in one line: `answer 2: "path" is missing` in an array of answers, `"entries[0].kind" is missing` in an object.
  fileprivate func reason(inElementsCalled element: String) -> String {
    let (context, key): (Context, (any CodingKey)?) =
      switch self {
      case .keyNotFound(let key, let context): (context, key)
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): (context, nil)
      @unknown default: (.init(codingPath: [], debugDescription: "is not valid"), nil)
      }
    var path = (context.codingPath + (key.map { [$0] } ?? []))[...]
    var place = ""
    if let index = path.first?.intValue {
      place = "\(element) \(index + 1): "
      path = path.dropFirst()
    }
    let members = path.reduce("") { text, key in
      key.intValue.map { "\(text)[\($0)]" } ?? (text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)")
    }
    let subject = members.isEmpty ? "" : "\"\(members)\" "
    return "\(place)\(subject)\(key == nil ? context.debugDescription : "is missing")"
  }
}
