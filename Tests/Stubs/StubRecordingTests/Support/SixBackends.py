# Six small backends in one: state, cookies, pages, uploads, GraphQL and streams. JSON is compact, as recordings keep it.
import gzip, hashlib, http.server, json, urllib.parse
from email import message_from_bytes

cart, sessions, uploads, books = {}, {}, [], ["Walden"]
PAGES = {"": ("one", "cursor-of-page-two"), "cursor-of-page-two": ("two", "cursor-of-page-3/="), "cursor-of-page-3/=": ("three", "")}
FILE = bytes(range(256)) * 16


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def send(self, body=b"", status=200, type="application/json", **fields):
        if not isinstance(body, bytes):
            body = json.dumps(body, separators=(",", ":")).encode()
        self.send_response(status)
        self.send_header("Content-Type", type)
        if "Transfer_Encoding" not in fields:
            self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def respond(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        base = "http://127.0.0.1:%d" % self.server.server_address[1]
        route = (self.command, url.path)
        if url.path.startswith("/cart"):
            item = url.path[6:]
            if self.command == "DELETE":
                cart.pop(item, None)
            elif self.command != "GET":
                cart.update(json.loads(body))
            self.send({"cart": cart, "self": base + url.path})
        elif route == ("POST", "/login"):
            form = dict(urllib.parse.parse_qsl(body.decode()))
            if form["password"] != "password-of-" + form["user"]:
                return self.send({"error": "wrong"}, 403)
            sessions["session-of-" + form["user"]] = form["user"]
            self.send({"ok": True}, Set_Cookie="sid=session-of-%s; Path=/; HttpOnly" % form["user"])
        elif route == ("POST", "/logout"):
            sessions.pop((self.headers.get("Cookie") or "").partition("=")[2], None)
            self.send({"bye": True})
        elif route == ("GET", "/me"):
            user = sessions.get((self.headers.get("Cookie") or "").partition("=")[2])
            self.send({"user": user}, 200 if user else 401)
        elif route == ("GET", "/pages"):
            page, after = PAGES[query.get("pageToken", "")]
            link = base + "/pages?" + urllib.parse.urlencode({"pageToken": after})
            self.send({"page": page, "next": link if after else None})
        elif url.path == "/uploads":
            if self.command != "GET":
                kind = self.headers["Content-Type"]
                parts = message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body).get_payload()
                if isinstance(parts, list):
                    body = b"".join(part.get_payload(decode=True) for part in parts)
                uploads.append(hashlib.sha1(body).hexdigest()[:7])
            self.send({"uploads": uploads})
        elif url.path == "/graphql":
            request = json.loads(body)
            if "mutation" in request["query"]:
                books.append(request["variables"]["title"])
            self.send({"data": {"books": books if "books" in request["query"] else len(books)}})
        elif url.path == "/lines":
            lines = b"".join(b'{"n":%d}\n' % number for number in range(3))
            self.send(b"".join(b"%x\r\n%b\r\n" % (1, lines[i:i + 1]) for i in range(len(lines))) + b"0\r\n\r\n",
                      type="application/x-ndjson", Transfer_Encoding="chunked")
        elif url.path == "/file":
            span = self.headers.get("Range")
            first, last = map(int, span[6:].split("-")) if span else (0, len(FILE) - 1)
            range_field = {"Content_Range": "bytes %d-%d/%d" % (first, last, len(FILE))} if span else {}
            self.send(FILE[first:last + 1], 206 if span else 200, "application/octet-stream", **range_field)
        else:
            self.send(gzip.compress(b"packed " * 9), type="text/plain", Content_Encoding="gzip")

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = respond


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
