"""The cost of events in the journal: resident memory of the server process, and a journal of a million."""
import socket, statistics, time
from processes import EVENT, Server, product

ARRAY = 100
SHAPES = [("1 param", 1, 100_000), ("3 short params", 0, 100_000), ("10 params", 10, 50_000), ("100 params", 100, 10_000)]


def rows(here, configuration, options):
    path = product(here, configuration, "TrackingServerContestant")
    rounds, million = {}, []
    for _ in range(options.rounds):
        for shape, params, count in SHAPES:
            rounds.setdefault(shape, []).append(fill(path, event(params), count)[2] / count)
        million.append(fill(path, EVENT, 1_000_000))
    for shape, params, _ in SHAPES:
        what = f"memory of an event in the journal, {shape}"
        yield row(what, "the event as JSON", "floor", "bytes", [len(event(params))])
        yield row(what, "TrackingServer", "ours", "bytes", rounds[shape])
    what = "1,000,000 events of 3 params, in arrays of 100"
    for index, (figure, unit, scale) in enumerate([("time", "s", 1), ("CPU", "s", 1), ("memory", "MB", 1e-6)]):
        yield row(f"{what}: {figure}", "TrackingServer", "ours", unit, [run[index] * scale for run in million])


def row(what, contestant, role, unit, samples):
    return {"what": what, "contestant": contestant, "role": role, "unit": unit, "median": statistics.median(samples)}


def event(params):
    """An event with so many params of mixed kinds; 0 stands for the one that servers are measured with."""
    if params == 0:
        return EVENT
    values = ['"main_screen"', "7", "19.99", "true"]
    members = ",".join(f'"param_{index}":{values[index % 4]}' for index in range(params))
    return f'{{"name":"button_tapped","params":{{{members}}}}}'


def fill(path, event, count):
    """Posts so many events over one connection: seconds, seconds of the server's CPU, and the bytes by which it has grown."""
    body = ("[" + ",".join([event] * ARRAY) + "]").encode()
    head = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    request = head.encode() + body
    with Server(path) as server, socket.create_connection(("127.0.0.1", server.port)) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        post(client, request)
        memory, cpu, began = server.memory(), server.cpu(), time.monotonic()
        for _ in range(count // ARRAY - 1):
            post(client, request)
        return time.monotonic() - began, server.cpu() - cpu, server.memory() - memory


def post(client, request):
    client.sendall(request)
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        received = client.recv(65536)
        if not received:
            raise SystemExit("the server closed the connection")
        answer += received
    if not answer.startswith(b"HTTP/1.1 204"):
        raise SystemExit(answer.decode())
