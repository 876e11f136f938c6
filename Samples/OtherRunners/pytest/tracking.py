"""A client of `tracking serve` for tests in Python. Copy it beside your tests."""
import json, pathlib, re, subprocess, tempfile, time, urllib.error, urllib.request


# Not through the proxy of `http_proxy`, which doesn't reach this machine's loopback.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Tracking:
    """A running server. One at a time runs a test: share it between tests, and not between processes."""

    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory()
        file = pathlib.Path(self.folder.name, "serve.env")
        self.process = subprocess.Popen(["tracking", "serve", "--write-env", file, *options], stdout=subprocess.DEVNULL)
        while not file.exists():
            assert self.process.poll() is None, "tracking serve has ended; its reason is above"
            time.sleep(0.05)
        self.variables = dict(re.findall(r"export (\w+)='(.*)'", file.read_text()))

    def send(self, method, name, body=None):
        url, token = self.variables["TRACKING_SERVE_URL"], self.variables["TRACKING_SERVE_TOKEN"]
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url + name, data, {"Authorization": f"Bearer {token}"}, method=method)
        try:
            with DIRECT.open(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            # A check that can't be read is 400, and the body says what is wrong, and where.
            raise AssertionError(f"{method} {name}: {error.code} {error.read().decode()}") from None

    def begin(self, test):
        self.send("DELETE", "stubs")
        self.send("POST", "marks", {"asDefault": True, "test": test})

    def stub(self, *stubs):
        self.send("POST", "stubs", stubs)

    def wait(self, check):
        __tracebackhide__ = True  # pytest shows the line of the test
        response = self.send("POST", "wait", check)
        assert response["passed"], response["message"]

    def finish(self):
        __tracebackhide__ = True
        response = self.send("POST", "finish")
        assert response["passed"], "\n\n".join(failure["message"] for failure in response["failures"])

    def stop(self):
        self.process.terminate()
        self.process.wait()
