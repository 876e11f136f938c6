import Foundation
import TrackingModel

/// Loads a tracking plan once, when the first verifier needs it.
///
/// Create a source with the module TrackingPlan: `.bundle(.module, "tracking-plan.json")` and `.file(url)` read a plan once in a process. Copies of
/// a source share the loaded plan.
public struct PlanSource: Sendable {
  private enum State {
    case unloaded
    /// One thread loads; the others wait for the group.
    case loading(DispatchGroup)
    case loaded(Result<any EventRule, any Error>)
  }

  private let state = Locked(State.unloaded)
  private let make: @Sendable () throws -> any EventRule

  /// Creates a source that loads a plan by calling `load`, at most once; keep the source in a static property to share it between tests.
  ///
  /// An error fails each test that uses the source, with the error's description.
  public init(_ load: @escaping @Sendable () throws -> any EventRule) {
    make = load
  }

  /// Returns the plan; the first call loads it, with no lock held, and concurrent calls wait.
  package func load() throws -> any EventRule {
    while true {
      let found = state.withLock { state in
        let found = state
        if case .unloaded = found {
          let loading = DispatchGroup()
          loading.enter()
          state = .loading(loading)
        }
        return found
      }
      switch found {
      case .loaded(let result): return try result.get()
      case .loading(let loading): loading.wait()
      case .unloaded: finish(Result { try make() })
      }
    }
  }

  private func finish(_ result: Result<any EventRule, any Error>) {
    let loading = state.withLock { state in
      defer { state = .loaded(result) }
      return state
    }
    if case .loading(let group) = loading { group.leave() }
  }
}

/// The part of TrackingPlan that a verifier needs if the environment names a plan or a folder for observations.
///
/// The verifier doesn't import TrackingPlan. It looks up the class `TrackingPlan.EnvironmentPlanSupport`, which exists when the module is linked.
package protocol PlanSupport: AnyObject, SendableMetatype {
  static func plan(at path: String) -> PlanSource

  /// Appends an observation to a folder, if given, and returns it as one line of JSON.
  static func observe(_ test: ObservedTest, to folder: String?) -> String
}

/// The events that a verifier received, for an observation.
package struct ObservedTest: Sendable {
  package var name: String
  /// The execution of the test; `nil` if it can't be distinguished from others.
  package var attempt: TestAttempt?
  /// Whether the test had failed when the verifier stopped.
  package var hasFailed = false
  /// The plan that the events were checked against; `nil` if no check has run.
  package var plan: PlanIdentity?
  package var events: [(event: TrackingEvent, isMatched: Bool)] = []
  /// The changes that the test would notice, as JSON; `nil` if mutants weren't requested.
  package var mutants: TrackingValue?

  package init(name: String) {
    self.name = name
  }
}
