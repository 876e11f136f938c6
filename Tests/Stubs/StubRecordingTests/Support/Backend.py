# Backends for recordings: cookies, absolute redirects, compressed and binary bodies, 304, and state that POST changes.
# An empty line on standard input opens one and prints its port; a port closes its backend and prints the errors of its handlers.
import gzip, http.server, json, socket, sys, traceback, zlib
from email.utils import formatdate
from threading import Thread
from time import sleep, time

PICTURE = bytes(range(256)) * 4


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Fields and body are two packets, and the second would wait for 40 ms.
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def send(self, status, body=b"", type="application/json", **fields):
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        self.send_response(status)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
            if type:
                self.send_header("Content-Type", type)
        for name, values in fields.items():
            for value in values if isinstance(values, list) else [values]:
                self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)

    @property
    def base(self):
        return "http://127.0.0.1:%d" % self.server.server_address[1]

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/books":
            books = [{"id": 42, "price": 9.50, "url": self.base + "/books/42", "tags": []}]
            self.send(200, {"books": books, "next": None, "query": query}, ETag='"%d"' % (time() * 1000),
                      Strict_Transport_Security="max-age=1", Alt_Svc="h3", Link="<%s/books?page=2>; rel=next" % self.base)
        elif path == "/login":
            self.send(200, {"ok": True}, Set_Cookie=[
                "theme=dark; Domain=127.0.0.1; Secure; Path=/; SameSite=None; Expires=" + formatdate(time() + 86400, usegmt=True),
                "cart=7; Path=/; HttpOnly"])
        elif path == "/gzip":
            self.send(200, gzip.compress(json.dumps({"coding": "gzip"}).encode()), Content_Encoding="gzip")
        elif path == "/deflate":
            self.send(200, zlib.compress(json.dumps({"coding": "deflate"}).encode()), Content_Encoding="deflate")
        elif path == "/requested-coding":
            self.send(200, self.headers.get("Accept-Encoding", "none").encode(), "text/plain")
        elif path.startswith("/coded/"):
            # Not really coded: nothing may read it.
            self.send(200, b'{"token":"coded-1"}', Content_Encoding=path[7:].split("+"))
        elif path == "/picture.png":
            self.send(200, PICTURE, "image/png")
        elif path == "/long":
            self.send(200, {"text": "long " * 5000})
        elif path == "/text":
            self.send(200, b"one\ntwo\n", "text/plain; charset=utf-8")
        elif path == "/moved":
            self.send(302, Location=self.base + "/books?page=1", type=None)
        elif path == "/cached":
            if self.headers.get("If-None-Match") == '"v1"':
                self.send(304, ETag='"v1"')
            else:
                self.send(200, {"cached": True}, ETag='"v1"')
        elif path == "/cart":
            self.send(200, {"items": self.server.state["cart"], "cookie": self.headers.get("Cookie")})
        elif path == "/order":
            self.server.state["polls"] += 1
            self.send(200, {"state": "paid" if self.server.state["polls"] > 1 else "pending"})
        elif path == "/challenge":
            self.send(401, {"error": "who are you?"}, WWW_Authenticate='Basic realm="books"')
        elif path == "/events":
            # Until the client leaves.
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            while True:
                self.wfile.write(b"data: 1\n\n")
                sleep(0.05)
        elif path == "/flaky":
            # Every other time without a response.
            self.server.state["flaky"] = not self.server.state.get("flaky")
            if self.server.state["flaky"]:
                self.send_response(200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b"only this")
                self.close_connection = True
            else:
                self.send(200, {"flaky": True})
        elif path == "/garbage":
            self.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")
            self.close_connection = True
        elif path == "/gone":
            self.close_connection = True
        elif path.startswith("/bytes/"):
            self.send(200, bytes(range(256)) * (int(path[7:]) // 256), "application/octet-stream")
        elif path.startswith("/same/"):
            self.send(200, {"path": self.path}, "application/json")
        elif path == "/nothing":
            self.send(204)
        elif path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"only this")
            self.close_connection = True
        elif path == "/huge":
            self.send(200, b"x" * 3_000_000, "application/octet-stream")
        elif path == "/endless":
            # Without a length, to the end of the connection.
            self.send_response(200)
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                for _ in range(30):
                    self.wfile.write(b"x" * 100_000)
            except ConnectionError:
                pass
        elif path == "/reset":
            self.server.state.update({"cart": [], "polls": 0})
            self.send(204)
        else:
            self.send(404, {"error": "no " + path})

    do_HEAD = do_PURGE = do_OPTIONS = do_purge = do_GET

    def do_SEARCH(self):
        self.send(200, {"searched": self.body().decode()})

    def do_POST(self):
        body = self.body()
        if self.path == "/cart":
            self.server.state["cart"].append(json.loads(body)["id"])
            self.send(201, {"count": len(self.server.state["cart"])}, Location=self.base + "/cart")
        else:
            self.send(200, {"echo": body.decode(), "type": self.headers.get("Content-Type")})

    def do_DELETE(self):
        self.server.state["cart"] = []
        self.send(204)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.state = {"cart": [], "polls": 0}
        self.connections, self.errors = [], []
        Thread(target=self.serve_forever, args=[0.01], daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]

    def process_request(self, request, address):
        self.connections.append(request)
        super().process_request(request, address)

    def handle_error(self, request, address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            self.errors.append(traceback.format_exc())

    def close(self):
        self.shutdown()
        self.server_close()
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # It has ended.


servers = {}
for line in sys.stdin:
    if line.strip():
        server = servers.pop(int(line))
        server.close()
        print(json.dumps("".join(server.errors)), flush=True)
    else:
        server = Server()
        servers[server.port] = server
        print(server.port, flush=True)
