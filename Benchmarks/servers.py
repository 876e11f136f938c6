"""The CPU time of a server for a request, under the load of `wrk`."""
import os, re, socket, statistics, subprocess, sys, tempfile
from processes import EVENT, Server, product

SERVERS = [
    ("EpollFloor", "a C loop that reads no JSON", "floor"),
    ("TrackingServerContestant", "TrackingServer", "ours"),
    ("FlyingFoxContestant", "FlyingFox", "peer"),
]
HUMMINGBIRD = ("HummingbirdContestant", "Hummingbird", "peer")
# name, connections, extra header lines, events in a body, idle connections, one core for both
WORK = [
    ("1 connection", 1, [], 1, 0, True),
    ("8 connections", 8, [], 1, 0, False),
    ("64 connections", 64, [], 1, 0, False),
    ("64 connections beside 1,000 idle", 64, [], 1, 1000, False),
    ("a connection per request", 8, ["Connection: close"], 1, 0, False),
    ("arrays of 100 events, 8 connections", 8, [], 100, 0, False),
]


def rows(here, configuration, options):
    contestants = SERVERS + ([HUMMINGBIRD] if options.hummingbird else [])
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for round_number in range(options.rounds):
            for work in WORK:
                script = write_script(os.path.join(folder, "post.lua"), events=work[3])
                for name, contestant, _ in contestants:
                    path = product(here, configuration, name)
                    figures.setdefault((work[0], contestant), []).append(
                        measure(path, work, script, options.seconds))
            print(f"round {round_number + 1} of {options.rounds}", file=sys.stderr)
    for work in WORK:
        for _, contestant, role in contestants:
            samples = figures[work[0], contestant]
            yield {
                "what": f"server, {work[0]}: CPU per request",
                "contestant": contestant,
                "role": role,
                "unit": "µs",
                "median": statistics.median(cpu for cpu, _ in samples),
                "events_per_second": statistics.median(rate for _, rate in samples) * work[3],
            }
    yield from beside_idle(figures, contestants)


def beside_idle(figures, contestants):
    """The cost of idle connections: the ratio of the CPU time with them to the time without, in the same round."""
    for _, contestant, role in contestants:
        pairs = zip(figures["64 connections beside 1,000 idle", contestant], figures["64 connections", contestant])
        yield {
            "what": "server, 64 connections: CPU beside 1,000 idle ones over CPU without",
            "contestant": contestant,
            "role": role,
            "unit": "times",
            "median": statistics.median(beside / alone for (beside, _), (alone, _) in pairs),
        }


def write_script(path, events):
    body = EVENT if events == 1 else "[" + ",".join([EVENT] * events) + "]"
    with open(path, "w") as file:
        file.write('wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\n')
        file.write(f"wrk.body = [==[{body}]==]\n")
    return path


def measure(path, work, script, seconds):
    """CPU time for a request in microseconds, and requests per second."""
    _, connections, headers, _, idle, one_core = work
    with Server(path, one_core) as server:
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(idle)]
        load(server.port, script, connections, headers, 1, one_core)
        before = server.cpu()
        requests, rate = load(server.port, script, connections, headers, seconds, one_core)
        used = server.cpu() - before
        for connection in held:
            connection.close()
    return used / requests * 1e6, rate


def load(port, script, connections, headers, seconds, one_core):
    command = (["taskset", "-c", "0"] if one_core else []) + [
        "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, f"http://127.0.0.1:{port}/"]
    for header in headers:
        command += ["-H", header]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    if bad:
        sys.exit(f"{bad.group(1)} requests were refused")
    return int(re.search(r"(\d+) requests in", text).group(1)), float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
