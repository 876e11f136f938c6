"""A client of `tracking serve` for tests in Python. Copy it beside your tests."""
import contextlib, json, os, pathlib, re, subprocess, tempfile, time, urllib.error, urllib.request


# Not through the proxy of `http_proxy`, which doesn't reach this machine's loopback.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Tracking:
    """A running server. One at a time runs a test: share it between tests, and not between processes."""

    def __init__(self, *options):
        self.process, self.failed = None, False
        # `tracking serve -- pytest` has started it.
        self.variables = {name: value for name, value in os.environ.items() if name.startswith("TRACKING_")}
        if "TRACKING_SERVE_URL" in self.variables: return
        self.folder = tempfile.TemporaryDirectory()
        # A server, and a session, for each worker of pytest-xdist.
        self.session = pathlib.Path(f"tracking-session{os.environ.get('PYTEST_XDIST_WORKER', '')}.json")
        file = pathlib.Path(self.folder.name, "serve.env")
        self.process = subprocess.Popen(
            ["tracking", "serve", "--write-env", file, "--save", self.session, *options], stdout=subprocess.DEVNULL)
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
        self.failed |= not response["passed"]
        assert response["passed"], response["message"]

    @contextlib.contextmanager
    def expect(self, check):
        """Waits after the action of a `with` for what arrives from its beginning on."""
        __tracebackhide__ = True
        mark = self.send("POST", "marks")["mark"]
        yield
        self.wait({**check, "since": mark})

    def finish(self):
        __tracebackhide__ = True
        response = self.send("POST", "finish")
        self.failed |= not response["passed"]
        assert response["passed"], "\n\n".join(failure["message"] for failure in response["failures"])

    def stop(self):
        """Ends the server. After a failed check, the session and a report of it stay in the current folder."""
        if not self.process: return
        self.process.terminate()
        self.process.wait()
        if self.failed: subprocess.run(["tracking", "report", self.session, "--output", f"{self.session.stem.replace('session', 'report')}.html"])
        else: self.session.unlink(missing_ok=True)
