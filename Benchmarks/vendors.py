"""The cost of an SDK's batch to the server, compared with events in its own format: CPU per request, and memory per event."""
import gzip, json, socket, statistics
from processes import EVENT, Server, product

BATCH = 20
BATCHES = 2_000
# Posted before anything is measured.
WARM_UP = 100


def rows(here, configuration, options):
    path = product(here, configuration, "TrackingServerContestant")
    short = [post("/", "[" + ",".join([EVENT] * BATCH) + "]")] * BATCHES
    vendor = [segment(number) for number in range(BATCHES)]
    native = [post("/", as_native(batch)) for batch in vendor]
    forms = [
        ("20 native events with the batch's values as params", native, False, "floor"),
        ("a Segment batch", [post("/v1/batch", json.dumps(body)) for body in vendor], True, "ours"),
        ("a Segment batch, gzip", [post("/v1/batch", json.dumps(body), True) for body in vendor], True, "ours"),
        ("20 native events of 3 params", short, False, "ours"),
        ("the same, with Segment's format accepted", short, True, "ours"),
    ]
    figures = {}
    for _ in range(options.rounds):
        for name, requests, accepts, _ in forms:
            figures.setdefault(name, []).append(run(path, requests, accepts))
    for index, (what, unit) in enumerate([("CPU of a POST of 20 events", "µs"), ("memory of an event in such a POST", "bytes")]):
        for name, _, _, role in forms:
            samples = [figure[index] for figure in figures[name]]
            yield {"what": what, "contestant": name, "role": role, "unit": unit, "median": statistics.median(samples)}


def segment(number):
    """A batch as segment-analytics-python writes it, each event with an id of its own."""
    event = json.loads(EVENT)
    items = [
        {
            "integrations": {}, "anonymousId": None, "timestamp": "2026-11-21T10:00:00.000000+00:00",
            "context": {"library": {"name": "analytics-python", "version": "2.4.0"}}, "type": "track",
            "userId": "user-0001", "properties": event["params"], "event": event["name"],
            "messageId": f"{number:08x}-0000-4000-8000-{index:012x}",
        }
        for index in range(BATCH)
    ]
    return {"batch": items, "sentAt": "2026-11-21T10:00:00.000000+00:00", "writeKey": "key"}


def as_native(batch):
    """The same values as events of the server's own format."""
    return json.dumps([
        {"name": item["event"], "params": {key: item[key] for key in item if key != "event"}} for item in batch["batch"]])


def post(path, body, is_compressed=False):
    body = gzip.compress(body.encode()) if is_compressed else body.encode()
    coding = "Content-Encoding: gzip\r\n" if is_compressed else ""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{coding}Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def run(path, requests, accepts):
    """Microseconds of the server's CPU for a request, and the bytes by which it has grown for each event."""
    with Server(path, arguments=["--accept"] if accepts else []) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for request in requests[:WARM_UP]:
                send(client, request)
            cpu, memory = server.cpu(), server.memory()
            for request in requests[WARM_UP:]:
                send(client, request)
            count = len(requests) - WARM_UP
            return (server.cpu() - cpu) / count * 1e6, (server.memory() - memory) / count / BATCH


def send(client, request):
    client.sendall(request)
    answer = client.recv(65536)
    if not answer.startswith((b"HTTP/1.1 204", b"HTTP/1.1 200")):
        raise SystemExit(answer.decode())
