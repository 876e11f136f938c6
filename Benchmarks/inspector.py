"""What an open inspector costs the server: its CPU for an event, one a request, with the page's requests beside them and without."""
import json, socket, statistics, threading, time, urllib.parse
from processes import EVENT, Server, product

EVENTS = 100_000
REQUEST = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(EVENT)}\r\n\r\n{EVENT}".encode()


def rows(here, configuration, options):
    path = product(here, configuration, "TrackingServerContestant")
    figures = {}
    # A round takes seconds, and the difference is small: one is not enough on a busy machine.
    for _ in range(max(options.rounds, 3)):
        for name, is_open in (("no inspector", False), ("an inspector whose page is open", True)):
            figures.setdefault(name, []).append(run(path, is_open))
    for name, role in (("no inspector", "floor"), ("an inspector whose page is open", "ours")):
        yield {"what": "server, 1 connection: CPU per event, inspected", "contestant": name, "role": role, "unit": "µs",
               "median": statistics.median(figures[name])}


def run(path, is_open):
    """Microseconds of the server's CPU for an event."""
    with Server(path, arguments=["--inspect"] if is_open else []) as server:
        page = Page(server) if is_open else None
        began = server.cpu()
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for _ in range(EVENTS):
                client.sendall(REQUEST)
                client.recv(65536)
        if page:
            page.thread.join(120)
            if page.entries != EVENTS:
                raise SystemExit(f"the page got {page.entries} of {EVENTS} entries")
        return (server.cpu() - began) / EVENTS * 1e6


class Page:
    """Asks for entries as Inspector/live.js does."""

    def __init__(self, server):
        self.port, self.entries = server.port, 0
        self.token = server.process.stdout.readline().strip().split("token=")[1]
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        cursor = {}
        with socket.create_connection(("127.0.0.1", self.port)) as client, client.makefile("rb") as answers:
            while self.entries < EVENTS:
                client.sendall(
                    f"GET /-tracking/feed?{urllib.parse.urlencode(cursor)} HTTP/1.1\r\nHost: localhost\r\n"
                    f"Authorization: Bearer {self.token}\r\n\r\n".encode())
                length = 0
                while line := answers.readline().strip().lower():
                    if line.startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                part = json.loads(answers.read(length))
                cursor = part["cursor"]
                self.entries += len(part["entries"])
                if not part["isMore"]:
                    time.sleep(0.06)
