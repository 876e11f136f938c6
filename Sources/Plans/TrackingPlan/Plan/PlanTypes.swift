import TrackingJSON
import TrackingModel

/// The shared types of a plan in our format, and the one that a reference means.
///
/// `#/types/Currency` is a type of the reference's file, or else of the first file that has one of that name.
struct PlanTypes: Sendable {
  /// The files' roots.
  let roots: [JSONTree]
  let all: [JSONTree.Member]
  /// The Swift generator's names of the types that an earlier file defines otherwise.
  private let otherNames: [JSONTree.Place: String]

  init(of files: PlanFiles) {
    let roots = files.files.map(\.root)
    let all = roots.flatMap { $0["types"]?.members ?? [] }
    (self.roots, self.all) = (roots, all)
    guard Set(all.map(\.key)).count < all.count else {
      otherNames = [:]
      return
    }
    let first = Self.firstEqual(all) { name, file in
      Self.order(from: file, of: roots.count).lazy.compactMap { roots[$0]["types"]?[name] }.first
    }
    otherNames = all.reduce(into: [:]) { names, type in
      guard let owner = first[type.value.place], all.first(where: { $0.key == type.key })?.value.place != owner else {
        return
      }
      let file = files.files[Int(owner.file)].relativePath
      names[type.value.place] = "\(file.hasSuffix(".json") ? String(file.dropLast(5)) : file).\(type.key)"
    }
  }

  /// The numbers of the files in which the target of a reference may be, in the order of precedence.
  func files(for reference: JSONTree) -> [Int] {
    guard reference.string?.hasPrefix("#/types/") == true else { return [] }
    return Self.order(from: reference.place.file, of: roots.count)
  }

  /// The name of a type for the generator: preceded by its file's if an earlier file has another type of this name.
  func name(_ name: String, of type: JSONTree) -> String { otherNames[type.place] ?? name }

  private static func order(from file: Int32, of count: Int) -> [Int] {
    let own = Int(file)
    return (own < count ? [own] : []) + (0..<count).filter { $0 != own }
  }

  /// Returns the place of the first type that is equal to each type, also in the types to which it refers.
  private static func firstEqual(
    _ types: [JSONTree.Member], target: (_ name: String, _ file: Int32) -> JSONTree?
  ) -> [JSONTree.Place: JSONTree.Place] {
    var first = firstIndices(of: types.map { [.string($0.key), $0.value.value] as [TrackingValue] })
    let positions = Dictionary(types.indices.map { (types[$0].value.place, $0) }) { first, _ in first }
    let targets = types.map { type in
      type.value.typeReferences.map { target($0, type.value.place.file).flatMap { positions[$0.place] } }
    }
    while true {
      // Two types differ if the types behind their references do.
      let keys = types.indices.map { index in [first[index]] + targets[index].map { $0.map { first[$0] } ?? -1 } }
      let next = firstIndices(of: keys)
      guard next != first else { break }
      first = next
    }
    return Dictionary(types.indices.map { (types[$0].value.place, types[first[$0]].value.place) }) { first, _ in first }
  }
}

/// Returns for each element the index of the first that is equal to it.
private func firstIndices(of elements: [some Hashable]) -> [Int] {
  let first = Dictionary(elements.indices.map { (elements[$0], $0) }) { first, _ in first }
  return elements.indices.map { first[elements[$0]] ?? $0 }
}

extension JSONTree {
  /// The names of the types to which a schema refers.
  fileprivate var typeReferences: [String] {
    if let elements { return elements.flatMap(\.typeReferences) }
    return (members ?? []).flatMap { member -> [String] in
      guard member.key == "$ref", let text = member.value.string else { return member.value.typeReferences }
      let steps = text.split(separator: "/", omittingEmptySubsequences: false)
      return steps.count > 2 && text.hasPrefix("#/types/") ? [String(steps[2])] : []
    }
  }
}
