/// The value encoded in one place so far; a class, because several containers may fill the same place one after another.
final class TypedEventNode {
  private enum Content {
    case nothing
    case value(TrackingValue)
    case array([Item])
    case object([String: Item])
  }

  private enum Item {
    case value(TrackingValue)
    case node(TypedEventNode)

    var value: TrackingValue {
      switch self {
      case .value(let value): value
      case .node(let node): node.value
      }
    }
  }

  private var content = Content.nothing

  /// A type that requested no container has no fields.
  var value: TrackingValue {
    switch content {
    case .nothing: .object([:])
    case .value(let value): value
    case .array(let items): .array(items.map(\.value))
    case .object(let items): .object(items.mapValues(\.value))
    }
  }

  var count: Int {
    if case .array(let items) = content { items.count } else { 0 }
  }

  func become(_ value: TrackingValue) {
    content = .value(value)
  }

  /// Keeps the members of an object.
  func becomeObject() {
    switch content {
    case .object: break
    case .value(.object(let members)): content = .object(members.mapValues(Item.value))
    case .nothing, .value, .array: content = .object([:])
    }
  }

  /// Keeps the elements of an array.
  func becomeArray() {
    switch content {
    case .array: break
    case .value(.array(let values)): content = .array(values.map(Item.value))
    case .nothing, .value, .object: content = .array([])
    }
  }

  func set(_ value: TrackingValue, for key: String) {
    put(.value(value), for: key)
  }

  /// The place under a key, which an `Encodable` type may request more than once.
  func child(for key: String) -> TypedEventNode {
    let node = TypedEventNode()
    if case .object(let items) = content {
      switch items[key] {
      case .node(let known): return known
      case .value(let value): node.become(value)
      case nil: break
      }
    }
    put(.node(node), for: key)
    return node
  }

  /// Whether a container made a list here or below.
  var hasList: Bool {
    switch content {
    case .array: true
    case .object(let items): items.values.contains { if case .node(let node) = $0 { node.hasList } else { false } }
    case .nothing, .value: false
    }
  }

  /// Replaces the lists that containers made here and below, where `order` returns another order.
  func sortLists(_ order: ([TrackingValue]) -> [TrackingValue]?) {
    switch content {
    case .array(let items):
      if let values = order(items.map(\.value)) {
        content = .array(values.map(Item.value))
      } else {
        items.forEach { if case .node(let node) = $0 { node.sortLists(order) } }
      }
    case .object(let items):
      items.values.forEach { if case .node(let node) = $0 { node.sortLists(order) } }
    case .nothing, .value: break
    }
  }

  func append(_ value: TrackingValue) {
    add(.value(value))
  }

  func appendChild() -> TypedEventNode {
    let node = TypedEventNode()
    add(.node(node))
    return node
  }

  private func put(_ item: Item, for key: String) {
    becomeObject()
    guard case .object(var items) = content else { return }
    content = .nothing  // or the dictionary would be copied
    items[key] = item
    content = .object(items)
  }

  private func add(_ item: Item) {
    becomeArray()
    guard case .array(var items) = content else { return }
    content = .nothing
    items.append(item)
    content = .array(items)
  }
}

struct TypedEventIndex: CodingKey {
  let index: Int
  var intValue: Int? { index }
  var stringValue: String { index.description }

  init(_ index: Int) {
    self.index = index
  }

  init(intValue: Int) {
    index = intValue
  }

  init?(stringValue: String) {
    guard let index = Int(stringValue) else { return nil }
    self.index = index
  }
}
