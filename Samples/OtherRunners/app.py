#!/usr/bin/env python3
"""A shop as an app under test: `SHOP_BACKEND=URL app.py lamp 2` buys two lamps, and tracks that.

A test passes TRACKING_URL and TRACKING_SESSION. APP_BUG breaks the app, to see whether and how a suite fails: missing, misspelt, doubled, param,
type, request, late, order, consent, lost, rejected.
"""
import json, os, sys, time, urllib.error, urllib.request

BUG = os.environ.get("APP_BUG", "")
# Not through the proxy of `http_proxy`, which doesn't reach this machine's loopback.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def send(url, body, headers={}):
    """Sends JSON, and returns the status and the JSON of the response."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
    try:
        with DIRECT.open(request) as response:
            return response.status, json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        return error.code, None


class Tracker:
    """Sends events to the test that launched the app, in the wire format, and nowhere without one."""

    def __init__(self):
        self.url, self.session, self.tracked = os.environ.get("TRACKING_URL"), os.environ.get("TRACKING_SESSION", ""), 0

    def track(self, name, **params):
        if BUG == "missing" and name == "purchase": return
        if BUG == "misspelt" and name == "purchase": name = "purchse"
        if BUG == "param" and name == "purchase": params["currency"] = "USD"
        if BUG == "type" and name == "purchase": params["total"] = str(params["total"])
        if BUG == "late" and name == "purchase": time.sleep(7)
        self.send(name, params)
        if BUG == "doubled" and name == "purchase": self.send(name, params)

    def send(self, name, params):
        self.tracked += 1
        if not self.url or BUG == "lost" and name == "product_viewed": return
        # Numbered, so that an event that never arrives is noticed.
        fields = {"Tracking-Session": self.session, "Tracking-Launch": f"shop{os.getpid()}.1", "Tracking-Sequence": str(self.tracked)}
        rejected = {"time": "now"} if BUG == "rejected" and name == "purchase" else {}
        send(self.url, {"name": name, "params": params, **rejected}, fields)


def order(backend, sku, quantity):
    """Orders, and tries again if the backend is overloaded."""
    body = {"sku": sku, "quantity": 1 if BUG == "request" else quantity}
    for _ in range(3):
        status, placed = send(f"{backend}/orders", body)
        if status != 503: return placed
    return None


def main(sku, quantity):
    tracker = Tracker()
    first = [("consent_given", {}), ("product_viewed", {"sku": sku})]
    for name, params in reversed(first) if BUG == "consent" else first:
        tracker.track(name, **params)
    if BUG == "order": tracker.track("purchase", total=120, currency="EUR")
    placed = order(os.environ["SHOP_BACKEND"], sku, int(quantity))
    if placed and BUG != "order": tracker.track("purchase", total=placed["total"], currency="EUR")


main(*sys.argv[1:])
