# A backend that sends and gets secrets in many places; the test passes them as JSON, by name.
import base64, html, http.server, json, sys, urllib.parse

secrets = json.loads(sys.argv[1])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def send(self, body, type="application/json", status=200, **fields):
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/books":
            # The token of the request's header, in base64.
            token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            self.send({"cursor": base64.b64encode(token.encode()).decode(), "self": "/books?" + query})
        elif path.startswith("/users/"):
            self.send({"members": {path.removeprefix("/users/"): 1}, "name": "Anna"})
        elif path == "/basic":
            credentials = base64.b64decode((self.headers.get("Authorization") or "").removeprefix("Basic "))
            self.send("Welcome, " + credentials.decode(), "text/plain")
        elif path == "/keys":
            self.send({"seen": [self.headers.get("X-Api-Key"), self.headers.get("X-Session-Secret")]})
        elif path == "/note":
            self.send("Your token is " + secrets["jwt"] + ".\n", "text/plain")
        elif path == "/image":
            self.send(bytes([0, 255, 254]) + secrets["cookie"].encode() + bytes([0, 128]), "image/png")
        elif path == "/moved":
            place = "/books?access_token=" + urllib.parse.quote(secrets["query"], safe="")
            self.send("", status=302, Location="http://%s:%d%s" % (*self.server.server_address, place))
        elif path == "/onward":
            # A URL is an item of a URL, which is one of another.
            inner = "https://b.example/?n=1&access_token=" + secrets["nested"]
            outer = "/books?next=" + urllib.parse.quote("/b?u=" + urllib.parse.quote(inner, safe=""), safe="")
            self.send("", status=302, Location="http://%s:%d%s" % (*self.server.server_address, outer))
        elif path == "/soap":
            self.send('<?xml version="1.0"?><s:Body xmlns:s="u"><w:Password>%s</w:Password><Token><![CDATA[%s]]></Token>'
                      "<Credentials><Value>%s</Value></Credentials></s:Body>"
                      % (html.escape(secrets["element"]), secrets["cdata"], secrets["descendant"]), "text/xml")
        elif path == "/page":
            self.send('<html><meta name="csrf-token" content="%s"><form><input type="hidden" name="authenticity_token" '
                      'value="%s"></form><script>init({apiKey:"%s"})</script></html>'
                      % (secrets["meta"], secrets["hidden"], secrets["apiKey"]), "text/html",
                      Link="</x;jsessionid=%s?n=1>; rel=next" % secrets["matrix"])
        elif path == "/records":
            lines = [{"n": 1, "token": secrets["record"]}, {"n": 2}]
            self.send("".join(json.dumps(line) + "\n" for line in lines), "application/x-ndjson")
        elif path == "/marked":
            self.send(b"\xef\xbb\xbf" + json.dumps({"client_secret": secrets["marked"]}).encode())
        elif path == "/patch":
            self.send([{"op": "replace", "path": "/user/password", "value": secrets["patched"]}])
        elif path == "/struct":
            self.send("<struct><member><name>DB_PASS</name><value><string>%s</string></value></member></struct>"
                      % secrets["member"], "text/xml")
        elif path == "/log":
            self.send("got Bearer %s\nredis://:%s@cache.example\n" % (secrets["loose"], secrets["redis"]), "text/plain")
        elif path == "/cookies":
            self.send("", status=302, Set_Cookie="theme=dark-blue-theme; Path=/, session2=" + secrets["joined"],
                      Location="http://%s:%d/books?state=1&code=%s" % (*self.server.server_address, secrets["code"]))
        else:
            self.send({"error": path}, status=404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/login":
            password = urllib.parse.parse_qs(body.decode())["password"][0]
            self.send({"access_token": secrets["bearer"], "user": {"name": "Anna", "refreshToken": secrets["refresh"]},
                       "profile_token": secrets["path"], "certificate": secrets["pem"], "echo": "again: " + password},
                      Set_Cookie="session=" + secrets["cookie"] + "; Path=/; HttpOnly")
        else:
            value = body.split(b"\r\n\r\n")[1].split(b"\r\n")[0].decode()
            self.send({"ok": True}, Link="</next?v=%s>; rel=next" % urllib.parse.quote(value, safe=""))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
