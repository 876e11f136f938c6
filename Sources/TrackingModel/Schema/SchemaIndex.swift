/// The place of an element in a list, as it stands in a coding path.
struct SchemaIndex: CodingKey {
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
