import TrackingJSON

/// Resolves references between the schemas of a plan's files.
struct PlanReferences: Sendable {
  /// The shared types of a plan in our format; `nil` for other formats.
  let types: PlanTypes?
  /// The files' roots, as references see them.
  let roots: [JSONTree]

  init(in files: PlanFiles, types: PlanTypes?) {
    self.types = types
    roots = types?.roots ?? files.files.map(\.root)
  }

  /// The numbers of the files in which the target of a reference may be, if the event's own schema doesn't have it.
  func files(for reference: JSONTree, in event: PlannedEvent) -> [Int] {
    types?.files(for: reference) ?? [Int(event.node.place.file)]
  }

  /// Resolves a pointer such as `#/types/Currency` in the event's own schema, or else in the plan's files.
  func target(of reference: JSONTree, in event: PlannedEvent) -> JSONTree? {
    guard let text = reference.string, text.hasPrefix("#/"), let pointer = JSONPath(pointer: text.dropFirst()) else {
      return nil
    }
    return event.root.child(at: pointer.steps)
      ?? files(for: reference, in: event).lazy.compactMap { roots[$0].child(at: pointer.steps) }.first
  }
}
