"""The cost of an open inspector to the server: CPU per event, at one event a request, with and without the page's requests."""
import json, socket, threading, time, urllib.parse
import pagecost
from processes import Server, product


def rows(here, configuration, options):
    path = product(here, configuration, "TrackingServerContestant")
    with Server(path) as plain, Server(path, arguments=["--inspect"]) as watched:
        page = pagecost.elsewhere(lambda: Page(watched))
        figures = pagecost.measure(
            pagecost.Inspected(plain.process.pid, plain.port),
            pagecost.Inspected(watched.process.pid, watched.port, lambda: page.entries))
    for name, role, figure in (("no inspector", "floor", "without"), ("an inspector whose page is open", "ours", "with")):
        yield {"what": "server, 1 connection: CPU per event, inspected", "contestant": name, "role": role, "unit": "µs",
               "median": figures[figure]}


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
            while True:
                client.sendall(
                    f"GET /-tracking/feed?{urllib.parse.urlencode(cursor)} HTTP/1.1\r\nHost: localhost\r\n"
                    f"Authorization: Bearer {self.token}\r\n\r\n".encode())
                length = 0
                while line := answers.readline().strip().lower():
                    if line.startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                if not length:
                    return  # the server has stopped
                part = json.loads(answers.read(length))
                cursor = part["cursor"]
                self.entries += len(part["entries"])
                if not part["isMore"]:
                    time.sleep(min(60 + len(part["entries"]) / 4, 300) / 1000)
