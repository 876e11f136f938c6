import Foundation
import TrackingPlan
import TrackingPlanKit

extension JSONTree {
  /// Reads JSON5 (https://spec.json5.org) with Foundation's reader, which doesn't tell the order of members: they are sorted.
  static func json5(_ data: Data, file: String) throws(PlanError) -> JSONTree {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      return try decoder.decode(JSON5Value.self, from: data).tree
    } catch DecodingError.dataCorrupted(let context) {
      let cause = context.underlyingError.map {
        ($0 as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "\($0)"
      }
      throw PlanError(inForeign: file, "isn't JSON5: \(cause ?? context.debugDescription)")
    } catch {
      throw PlanError(inForeign: file, "isn't JSON5: \(error)")
    }
  }
}

private struct JSON5Value: Decodable {
  let tree: JSONTree

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Key.self) {
      tree = JSONTree(
        .object(
          try members.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
            .init($0.stringValue, try members.decode(JSON5Value.self, forKey: $0).tree)
          }))
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [JSONTree] = []
      while !elements.isAtEnd { values.append(try elements.decode(JSON5Value.self).tree) }
      tree = JSONTree(.array(values))
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        tree = JSONTree(.scalar(.null))
      } else if let bool = try? value.decode(Bool.self) {
        tree = JSONTree(.scalar(.bool(bool)))
      } else if let integer = try? value.decode(Int.self) {
        tree = JSONTree(.scalar(.int(integer)))
      } else if let double = try? value.decode(Double.self) {
        guard double.isFinite else {
          throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "\(double) can't be a number of a plan"))
        }
        tree = JSONTree(.scalar(.double(double)))
      } else {
        tree = JSONTree(try value.decode(String.self))
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
