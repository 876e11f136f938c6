import StubModel
import TrackingPatterns
import TrackingServer

extension TrackingVerifier {
  /// The closures of stubs that gave no answer, which the app can only have taken for a fault of the backend: each told once, where it was installed.
  func takeStubProblems() -> [VerificationFailure] {
    let requests = journal.requests(since: beginning)
    let (news, closures) = state.withLock { state in
      let news = requests.filter { $0.number > state.toldProblems && $0.problem != nil }
      state.toldProblems = max(requests.last?.number ?? 0, state.toldProblems)
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
