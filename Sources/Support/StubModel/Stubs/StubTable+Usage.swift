extension StubTable {
  /// In the order of installation.
  package func usages(of owner: Int) -> [Usage] {
    entries.indices.filter { entries[$0].owner == owner && !counts[$0].isRemoved }.map { usage(at: $0) }
  }

  /// The owner's stubs that haven't been used, in the order of installation.
  package func unused(of owner: Int) -> [StubEndpoint] {
    usages(of: owner).filter { $0.count == 0 }.map(\.endpoint)
  }

  /// The first stub with `times` that isn't used because an equal, later one is.
  package func covered(of owner: Int) -> StubEndpoint? {
    var (used, covered): (Set<RequestPattern>, StubEndpoint?) = ([], nil)
    for usage in usages(of: owner).reversed() {
      if usage.count > 0 {
        used.insert(usage.endpoint.pattern)
      } else if usage.endpoint.options.times != nil, used.contains(usage.endpoint.pattern) {
        covered = usage.endpoint
      }
    }
    return covered
  }
}
