extension StubTable {
  /// The usage of the stubs of an owner, in the order in which they were installed.
  package func usages(of owner: Int) -> [Usage] {
    entries.indices.filter { entries[$0].owner == owner && !counts[$0].isRemoved }.map { usage(at: $0) }
  }

  /// The stubs of an owner that have not answered, in the order in which they were installed.
  package func unused(of owner: Int) -> [StubEndpoint] {
    usages(of: owner).filter { $0.count == 0 }.map(\.endpoint)
  }

  /// The first stub with `times` that has not answered because an equal one, installed later, has.
  package func covered(of owner: Int) -> StubEndpoint? {
    var (answered, covered): (Set<RequestPattern>, StubEndpoint?) = ([], nil)
    for usage in usages(of: owner).reversed() {
      if usage.count > 0 {
        answered.insert(usage.endpoint.pattern)
      } else if usage.endpoint.options.times != nil, answered.contains(usage.endpoint.pattern) {
        covered = usage.endpoint
      }
    }
    return covered
  }
}
