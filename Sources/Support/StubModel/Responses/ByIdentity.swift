/// An object that is equal only to itself, as part of a value.
package struct ByIdentity<Object: AnyObject & Sendable>: Hashable, Sendable {
  package let object: Object

  package init(_ object: Object) { self.object = object }

  package static func == (left: ByIdentity, right: ByIdentity) -> Bool { left.object === right.object }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}
