import Foundation

/// The CPU time that all threads of this process have taken so far.
public func cpuTime() -> Duration {
  time(of: CLOCK_PROCESS_CPUTIME_ID)
}

/// A moment; read more cheaply than `ContinuousClock`, since what is measured may be as short as reading it.
public func moment() -> Duration {
  time(of: CLOCK_MONOTONIC)
}

private func time(of clock: clockid_t) -> Duration {
  var time = timespec()
  clock_gettime(clock, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

extension Duration {
  /// This duration as a number of microseconds.
  public var microseconds: Double { self / .microseconds(1) }
}
