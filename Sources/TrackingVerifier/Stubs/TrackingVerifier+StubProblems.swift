import StubModel
import TrackingPatterns
import TrackingServer

extension TrackingVerifier {
  /// The failures of stubs' closures that gave no answer, each once, at the line that installed the stub.
  func takeStubProblems() -> [VerificationFailure] {
    let requests = journal.requests(since: beginning)
    let (news, closures) = state.withLock { state in
      let news = requests.filter { $0.problem != nil && !state.reportedClosures.contains($0.number) }
      state.reportedClosures.formUnion(news.map(\.number))
      return (news, state.closures)
    }
    var stubs: [StubEndpoint] = []
    for stub in news.compactMap(\.stub) where !stubs.contains(stub) { stubs.append(stub) }
    return stubs.compactMap { stub in
      // On a shared server it may be another verifier's.
      guard let location = closures[stub] else { return nil }
      let problems = news.filter { $0.stub == stub }.compactMap(\.problem)
      return VerificationFailure(
        kind: .stubFailed, message: Excerpt.wrapped(Self.sentences(of: problems)), location: location)
    }
  }

  private static func sentences(of problems: [String]) -> String {
    let first = problems.first ?? ""
    let more = problems.count - 1
    let rest = more > 0 ? " The same stub failed \(CountText.times(more)) more." : ""
    return "\(first.prefix(1).uppercased())\(first.dropFirst()).\(rest)"
  }
}
