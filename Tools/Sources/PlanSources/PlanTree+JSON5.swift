import Foundation

extension PlanTree {
  /// Reads JSON5 (https://spec.json5.org) with Foundation's reader, which tells no order of members: they are sorted.
  ///
  /// - Throws: ``PlanSourceError``.
  static func json5(_ data: Data, file: String) throws(PlanSourceError) -> PlanTree {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      return try decoder.decode(PlanTree.self, from: data)
    } catch DecodingError.dataCorrupted(let context) {
      let cause = context.underlyingError.map {
        ($0 as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "\($0)"
      }
      throw PlanSourceError(file, "isn't JSON5: \(cause ?? context.debugDescription)")
    } catch {
      throw PlanSourceError(file, "isn't JSON5: \(error)")
    }
  }
}

extension PlanTree: Decodable {
  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Key.self) {
      self = .object(
        try members.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
          Member($0.stringValue, try members.decode(PlanTree.self, forKey: $0))
        })
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [PlanTree] = []
      while !elements.isAtEnd { values.append(try elements.decode(PlanTree.self)) }
      self = .array(values)
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let bool = try? value.decode(Bool.self) {
        self = .bool(bool)
      } else if let integer = try? value.decode(Int.self) {
        self = .number("\(integer)")
      } else if let double = try? value.decode(Double.self) {
        guard double.isFinite else {
          throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "\(double) can't be a number of a plan"))
        }
        self = .number("\(double)")
      } else {
        self = .string(try value.decode(String.self))
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = "\(intValue)" }
  }
}
