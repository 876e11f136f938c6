import Foundation

/// Processor time, which does not grow while other processes run, as the time on a clock does.
package enum ProcessorTime {
  /// The processor time that this process has used so far.
  package static var ofProcess: Duration { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// The processor time of `body` on the calling thread: the least of several runs, since caches that others have filled only add to it.
  package static func least(of runs: Int, _ body: () -> Void) -> Duration {
    var least = Duration.seconds(1_000_000)
    for _ in 0..<runs {
      let start = read(CLOCK_THREAD_CPUTIME_ID)
      body()
      least = min(least, read(CLOCK_THREAD_CPUTIME_ID) - start)
    }
    return least
  }

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
