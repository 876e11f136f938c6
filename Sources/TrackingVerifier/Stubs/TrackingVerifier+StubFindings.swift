import StubModel
import TrackingPatterns
import TrackingChecks
import TrackingServer

extension TrackingVerifier {
  /// Returns the errors thrown by stubs' closures, each once, at the line of its stub.
  ///
  /// Also adds a warning if a stub responded only because a preceding one couldn't be compared with the request: at the line of the responding
  /// stub, or, for a stub in an app, of `start()`.
  func takeStubProblems() -> [CheckFailure] {
    let (requests, start) = (journal.requests(since: beginning), startLocation)
    let (news, installed) = state.withLock { state in
      let news = requests.filter { $0.problem != nil && !state.stubs.reportedClosures.contains($0.number) }
      state.stubs.reportedClosures.formUnion(news.map(\.number))
      let doubts = requests.filter { $0.doubt != nil && state.stubs.warnedRequests.insert($0.number).inserted }
      state.warnings += doubts.compactMap { request in
        let installed = request.stub.flatMap(state.stubs.installed.location(of:))
        guard let text = request.doubt, let location = installed ?? (request.process == nil ? nil : start) else {
          return nil
        }
        return (text, location)
      }
      return (news, state.stubs.installed)
    }
    var stubs: [StubEndpoint] = []
    for stub in news.compactMap(\.stub) where !stubs.contains(stub) { stubs.append(stub) }
    return stubs.compactMap { stub in
      // On a shared server, the stub may be another verifier's.
      guard let location = installed.location(of: stub) else { return nil }
      let problems = news.filter { $0.stub == stub }.compactMap(\.problem)
      return CheckFailure(.stubFailed, Self.sentences(of: problems), at: location)
    }
  }

  private static func sentences(of problems: [String]) -> String {
    let first = problems.first ?? ""
    let more = problems.count - 1
    let rest = more > 0 ? "\nThe same stub failed \(CountText.times(more)) more." : ""
    return "\(first.prefix(1).uppercased())\(first.dropFirst())\(rest)"
  }

  /// Returns the stubs with unsent responses, each once, at its line.
  func takeUnusedStubFailures() -> [CheckFailure] {
    let unused = unusedStubFindings()
    let news = state.withLock { state in
      unused.filter { state.stubs.reportedUnused.insert($0.stub.id).inserted }
    }
    // The stubs of a scenario share a line.
    var places: [(location: CodeLocation, stubs: [UnusedStub])] = []
    for (stub, unused) in news {
      if let index = places.firstIndex(where: { $0.location.isSamePlace(as: stub.location) }) {
        places[index].stubs.append(unused)
      } else {
        places.append((stub.location, [unused]))
      }
    }
    return places.map { location, stubs in
      let list = stubs.count == 1 ? [] : stubs.map { "\($0.finding().whole)." }
      return CheckFailure(
        .unusedStub, ([UnusedStub.headline(on: stubs).line] + list).joined(separator: "\n"), at: location)
    }
  }

  private func unusedStubFindings() -> [(stub: InstalledStubs.Stub, unused: UnusedStub)] {
    state.withLock { $0.stubs.installed.all }.compactMap { stub in
      server.stubs.usage(of: stub.id)?.unused().map { (stub, $0) }
    }
  }
}

extension CodeLocation {
  fileprivate func isSamePlace(as other: CodeLocation) -> Bool {
    line == other.line && column == other.column && "\(fileID)" == "\(other.fileID)"
  }
}

extension StubStore {
  func unusedStubs(of owner: Owner, installed: InstalledStubs) -> [UnusedStub] {
    usages(of: owner).compactMap { usage in usage.unused(at: installed.location(of: usage.id)) }
  }
}

extension StubTable.Usage {
  /// - Parameter location: The stub's line, if a sentence should name it.
  func unused(at location: CodeLocation? = nil) -> UnusedStub? {
    guard unusedResponses > 0 else { return nil }
    return UnusedStub("\(endpoint)", count: count, unusedResponses: unusedResponses, place: location?.shortText)
  }
}
