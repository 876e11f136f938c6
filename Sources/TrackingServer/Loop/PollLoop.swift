import Foundation
import TrackingSockets

/// The server's one thread at work: waits for whatever is ready, and does it.
///
/// It alone touches the server's sockets. `poll` is the same on every platform and as fast as its successors up to 64 active sockets.
final class PollLoop {
  /// Connections beyond the limit that may wait for their refusal to be read, before accepting pauses.
  private static let refusedConnections = 16
  /// How long accepting pauses when the process is out of descriptors and no connection ends.
  private static let acceptPause = Duration.milliseconds(100)
  /// Connections taken in one turn, so that a storm of them does not keep the ones that are there from being served.
  private static let acceptedInOneTurn = 64

  private let listener: LoopbackListener
  private let wakePipe: WakePipe
  private let shouldStop: () -> Bool
  private let configuration: TrackingServer.Configuration
  private let session: String
  private let journal: Journal

  /// The wake-up pipe, the listening sockets, then one entry for each of `connections`.
  private var entries: [pollfd]
  private var connections: [Connection] = []
  private let firstConnection: Int
  private let connectionLimit: Int
  private var date = DateField()
  private var acceptsAgainAt: ContinuousClock.Instant?
  /// The earliest deadline of any connection, or before it.
  private var nextDeadline: ContinuousClock.Instant?

  init(
    listener: LoopbackListener, wakePipe: WakePipe, configuration: TrackingServer.Configuration, session: String,
    journal: Journal, shouldStop: @escaping () -> Bool
  ) {
    self.listener = listener
    self.wakePipe = wakePipe
    self.shouldStop = shouldStop
    self.configuration = configuration
    self.session = session
    self.journal = journal
    let descriptors = [wakePipe.readDescriptor] + listener.sockets.map(\.descriptor)
    entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    firstConnection = entries.count
    connectionLimit = max(configuration.limits.connections, 0)
  }

  /// Serves until it is to stop, then closes every descriptor.
  func run() {
    while !shouldStop() {
      let ready = poll(&entries, nfds_t(entries.count), timeout)
      if ready < 0, errno != EINTR {
        // Out of memory, or the limit of descriptors was lowered below what is open: nothing is ready, and asking at once would spin.
        poll(nil, 0, 10)
      }
      let now = ContinuousClock.now
      date.update()
      if ready > 0 {
        if entries[0].revents != 0 { wakePipe.drain() }
        serveConnections(now)
        acceptConnections(now)
      }
      expireConnections(now)
      resumeAccepting(now)
    }
    for connection in connections {
      connection.socket.close()
    }
    listener.close()
    wakePipe.close()
  }

  private var timeout: Int32 {
    let deadlines = [nextDeadline, acceptsAgainAt].compactMap { $0 }
    return deadlines.min().map(PollTimeout.milliseconds(until:)) ?? PollTimeout.never
  }

  private func serveConnections(_ now: ContinuousClock.Instant) {
    var index = 0
    while index < connections.count {
      if entries[firstConnection + index].revents == 0 {
        index += 1
      } else if connections[index].handle(date: date.text, now: now) {
        keep(index)
        index += 1
      } else {
        remove(index)
      }
    }
  }

  private func acceptConnections(_ now: ContinuousClock.Instant) {
    for (index, socket) in listener.sockets.enumerated() where entries[1 + index].revents != 0 {
      accept(from: socket, now)
    }
  }

  private func accept(from listening: Socket, _ now: ContinuousClock.Instant) {
    for _ in 0..<Self.acceptedInOneTurn {
      guard connections.count - Self.refusedConnections < connectionLimit else {
        pauseAccepting(until: now + Self.acceptPause)
        return
      }
      do throws(SocketError) {
        guard let socket = try listening.accept() else { return }
        add(socket, now)
      } catch {
        // Out of descriptors: the next connection waits in the system's queue until one of ours has ended.
        pauseAccepting(until: now + Self.acceptPause)
        return
      }
    }
  }

  private func add(_ socket: Socket, _ now: ContinuousClock.Instant) {
    let number = journal.recordConnection()
    let router = Router(configuration: configuration, session: session, journal: journal, connection: number)
    let connection = Connection(
      socket: socket, number: number, router: router, limits: configuration.limits, journal: journal, now: now)
    let isOneTooMany = connections.count >= connectionLimit
    // On loopback the first request is often there already.
    let isOpen =
      isOneTooMany
      ? connection.refuseAsTooMany(date: date.text, now: now) : connection.handle(date: date.text, now: now)
    guard isOpen else {
      socket.close()
      return
    }
    connections.append(connection)
    entries.append(pollfd(fd: socket.descriptor, events: 0, revents: 0))
    keep(connections.count - 1)
  }

  private func keep(_ index: Int) {
    let connection = connections[index]
    entries[firstConnection + index].events = connection.interest
    nextDeadline = min(nextDeadline ?? connection.deadline, connection.deadline)
  }

  /// Closes a connection; the last one takes its place.
  private func remove(_ index: Int) {
    connections[index].socket.close()
    connections.swapAt(index, connections.count - 1)
    connections.removeLast()
    entries.swapAt(firstConnection + index, entries.count - 1)
    entries.removeLast()
    if acceptsAgainAt != nil { acceptsAgainAt = .now }
  }

  private func expireConnections(_ now: ContinuousClock.Instant) {
    guard let due = nextDeadline, due <= now else { return }
    nextDeadline = nil
    var index = 0
    while index < connections.count {
      let connection = connections[index]
      if connection.deadline > now || connection.expire(date: date.text, now: now) {
        keep(index)
        index += 1
      } else {
        remove(index)
      }
    }
  }

  private func pauseAccepting(until time: ContinuousClock.Instant) {
    acceptsAgainAt = time
    setAccepting(false)
  }

  private func resumeAccepting(_ now: ContinuousClock.Instant) {
    guard let time = acceptsAgainAt, time <= now || time <= .now else { return }
    acceptsAgainAt = nil
    setAccepting(true)
  }

  private func setAccepting(_ isAccepting: Bool) {
    for index in 1..<firstConnection {
      entries[index].events = isAccepting ? Int16(POLLIN) : 0
    }
  }
}
