import TrackingJSON
import TrackingModel
import TrackingRules

/// A param of a planned event, or a member of an object param.
public struct PlannedParam: Sendable {
  /// The param's name.
  public let name: String
  /// The param's path within the event, with `[]` for the elements of an array: `items[].price`.
  public var path: String { location.general }
  /// The param's description in the plan.
  public let description: String?
  /// Whether the param may be absent.
  public let isOptional: Bool
  /// The deprecation's reason; empty if the plan gives none, `nil` if the param isn't deprecated.
  public let deprecated: String?
  /// The allowed values; empty if the plan doesn't list them.
  public let values: [TrackingValue]
  /// The param's place in the plan.
  public let place: PlanPlace

  /// The path, in which a name's dot isn't that of a member.
  package let location: JSONPath
  package let shape: PlanShape
  package let node: JSONTree
  package let swiftName: String?
  /// In the order of `values`.
  package let valuePlaces: [PlanPlace]
}

/// The type of a planned value, as precisely as Swift's type system can express it.
package indirect enum PlanShape: Sendable {
  case string(format: String?)
  case integer, number, boolean
  case choice([String])
  case object([PlannedParam], isOpen: Bool)
  case array(PlanShape)
  /// A type of the plan shared by several params.
  case shared(name: String, PlanShape)
  case nullable(PlanShape)
  case any

  /// The shape without its shared type's name and without `null`.
  package var plain: PlanShape {
    switch self {
    case .shared(_, let shape), .nullable(let shape): shape.plain
    default: self
    }
  }

  package var isNullable: Bool {
    switch self {
    case .nullable: true
    case .shared(_, let shape): shape.isNullable
    default: false
    }
  }

  /// Whether the shape needs its own Swift type.
  package var isType: Bool {
    switch self {
    case .choice, .object: true
    case .nullable(let shape): shape.isType
    default: false
    }
  }
}
