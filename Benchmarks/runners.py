"""A test in another language: the time from an event's arrival to the answer, and the requests for it, asked of `tracking serve` or looked up in a list."""
import http.client, json, os, random, statistics, subprocess, threading, time

# How often the scripts of tools look that can only be looked at (a wait for WireMock's request journal, Snowplow Micro's /micro/good).
INTERVAL = 0.25


def rows(here, configuration, options):
    root = os.path.join(here, "..")
    subprocess.run(["swift", "build", "-c", configuration, "--package-path", root, "--product", "tracking"], check=True)
    serve = subprocess.Popen([os.path.join(root, ".build", configuration, "tracking"), "serve", "--json"], stdout=subprocess.PIPE, text=True)
    started = json.loads(serve.stdout.readline())
    threading.Thread(target=serve.stdout.read, daemon=True).start()
    url, token = started["questions"].split("#token=")
    runner = Runner(int(url.split(":")[2].split("/")[0]), token)
    found = {"asked": [], "looked up": []}
    for number in range(options.rounds * 10):
        found["asked"].append(runner.time(f"a{number}", runner.ask))
        found["looked up"].append(runner.time(f"b{number}", runner.look_up))
    serve.terminate()
    for contestant, role, name in ((f"a list, every {INTERVAL} s", "peer", "looked up"), ("asked, and held back", "ours", "asked")):
        for unit, place in ("ms", 0), ("requests", 1):
            yield {"what": "another runner: " + ("from the event to the answer" if unit == "ms" else "requests for an answer"), "contestant": contestant,
                   "role": role, "unit": unit, "median": statistics.median(figures[place] for figures in found[name])}


class Runner:
    def __init__(self, port, token):
        self.port, self.token = port, token
        self.client = http.client.HTTPConnection("localhost", port)

    def send(self, method, path, body=None):
        self.client.request(method, f"/-tracking/v1/{path}", body and json.dumps(body), {"Authorization": f"Bearer {self.token}"})
        return json.load(self.client.getresponse())

    def ask(self, name):
        assert self.send("POST", "ask", {"event": name, "timeout": 60})["passed"]
        return 1

    def look_up(self, name):
        requests = 1
        while not self.send("GET", f"entries?name={name}")["entries"]:
            time.sleep(INTERVAL)
            requests += 1
        return requests

    def time(self, name, wait):
        """Milliseconds and requests."""
        sent = []

        def track():
            app = http.client.HTTPConnection("localhost", self.port)
            app.connect()
            time.sleep(random.uniform(0.3, 0.9))
            sent.append(time.perf_counter())
            app.request("POST", "/", json.dumps({"name": name}), {"Content-Type": "application/json"})
            app.getresponse().read()

        thread = threading.Thread(target=track)
        thread.start()
        requests = wait(name)
        end = time.perf_counter()
        thread.join()
        return (end - sent[0]) * 1_000, requests
