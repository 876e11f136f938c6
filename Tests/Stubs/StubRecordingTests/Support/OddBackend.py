# A backend whose responses depend on secrets that it gave out before, and one that responds in unusual ways.
import http.server, json, sys

USERS = {"token-of-anna-1": "anna", "token-of-bert-2": "bert"}
SESSIONS = {"48213377": "first", "91734402": "second"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def send(self, body, status=200, **fields):
        body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        items = dict(item.split("=") for item in query.split("&") if item)
        if path == "/me":
            self.send({"user": USERS[self.headers["Authorization"].split()[1]]})
        elif path == "/sessions":
            self.send([{"session_id": int(number)} for number in SESSIONS])
        elif path == "/details":
            self.send({"session": SESSIONS[items["session_id"]]})
        elif path == "/trailer":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n"
                             b"Trailer: Checksum\r\n\r\n6\r\nhello \r\n5;a=b\r\nworld\r\n0\r\nChecksum: 1\r\n\r\n")
        elif path == "/latin":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Name: Andr\xe9\r\nContent-Length: 2\r\n\r\nok")
        elif path == "/silent":
            self.wfile.write(b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok")
        elif path == "/moved":
            self.wfile.write(b"HTTP/1.1 302 Found\r\nLocation: /pages\r\nContent-Length: 5\r\n\r\nmoved")
        elif path == "/broken":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
            self.close_connection = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/login":
            user = json.loads(body)["user"]
            self.send({"token": next(token for token, name in USERS.items() if name == user)})
        else:
            self.send({"method": json.loads(body)["method"], "path": self.path})

    def do_MOVE(self):
        self.send({"destination": self.headers["Destination"]})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
