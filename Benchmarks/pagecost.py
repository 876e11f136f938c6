"""The CPU time of a server for an event, without an open inspector and with one.

Made for a busy machine. Servers and client share one core, which is never idle: to wake an idle core took longer than the event. Both servers
run at once and get a few events in turn, so that a neighbour slows down both, and so does the page's reader, whose work on the other core slows down
this one. The time is the kernel's count of nanoseconds.
"""
import functools, os, socket, statistics, time

BODY = '{"name":"button_tapped","params":{"screen":"main_screen","index":7,"price":19.99}}'
REQUEST = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n{BODY}".encode()
ROUNDS, EVENTS, IN_TURN = 12, 10_000, 50


@functools.cache
def cores():
    """The cores that this process had at the first call; only Linux can tell them, so importing must not ask."""
    return os.sched_getaffinity(0)


def elsewhere(start):
    """Starts the page's reader on the other cores, since its own work would empty the caches of the servers' core."""
    os.sched_setaffinity(0, cores() - {max(cores())} or cores())
    try:
        return start()
    finally:
        os.sched_setaffinity(0, cores())


class Inspected:
    """A server process; `shown` returns the number of entries that its page has, and is `None` without a page."""

    def __init__(self, pid, port, shown=None):
        self.pid, self.shown, self.sent = pid, shown, 0
        self.client = socket.create_connection(("127.0.0.1", port))
        self.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def cpu(self):
        """Nanoseconds in user and in kernel mode, with those of threads that have ended: the clock of clock_getcpuclockid(3)."""
        return time.clock_gettime_ns(~self.pid << 3 | 2)

    def post(self, count):
        """Posts one event a request."""
        for _ in range(count):
            self.client.sendall(REQUEST)
            self.client.recv(65536)
        self.sent += count

    def wait_for_page(self):
        deadline = time.monotonic() + 120
        while self.shown and self.shown() < self.sent:
            if time.monotonic() > deadline:
                raise SystemExit(f"the page has {self.shown()} of {self.sent} entries")
            time.sleep(0.03)


def post_in_turn(servers):
    """The microseconds of each server for an event, until its page has them all."""
    began = [server.cpu() for server in servers]
    for _ in range(EVENTS // IN_TURN):
        for server in servers:
            server.post(IN_TURN)
    for server in servers:
        server.wait_for_page()
    return [(server.cpu() - time) / EVENTS / 1_000 for server, time in zip(servers, began)]


def measure(plain, watched):
    """Microseconds for an event without a page and with one, and how many times the first the second is: all as medians of the rounds."""
    core = max(cores())
    for server in (plain, watched):
        for thread in os.listdir(f"/proc/{server.pid}/task"):
            os.sched_setaffinity(int(thread), {core})
    os.sched_setaffinity(0, {core})
    post_in_turn([plain, watched])  # warms up
    pairs = [post_in_turn([plain, watched]) for _ in range(ROUNDS)]
    os.sched_setaffinity(0, cores())
    return {
        "without": statistics.median(without for without, _ in pairs),
        "with": statistics.median(used for _, used in pairs),
        "times": statistics.median(used / without for without, used in pairs),
        "best": min(used for _, used in pairs) / min(without for without, _ in pairs),
    }
