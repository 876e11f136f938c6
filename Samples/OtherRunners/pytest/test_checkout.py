"""Run it with `python3 -m pytest --junitxml results.xml`; `tracking` must be in PATH."""
import os, pathlib, subprocess, sys

import pytest
from tracking import Tracking

APP = pathlib.Path(__file__).parents[1] / "app.py"
OVERLOADED = {"request": "POST /orders", "responses": [{"status": 503}, {"status": 201, "json": {"id": 7, "total": 120}}]}


@pytest.fixture(scope="session")
def server():
    server = Tracking()
    yield server
    server.stop()


@pytest.fixture
def tracking(server, request):
    server.begin(request.node.name)
    server.stub(OVERLOADED)
    yield server
    server.finish()


@pytest.fixture
def buy(tracking):
    variables = {**os.environ, **tracking.variables, "SHOP_BACKEND": tracking.variables["TRACKING_URL"]}
    apps = []
    yield lambda: apps.append(subprocess.Popen([sys.executable, APP, "lamp", "2"], env=variables))
    for app in apps: app.wait()


def test_a_purchase_is_tracked_once(tracking, buy):
    with tracking.expect({"event": "purchase", "params": {"total": 120, "currency": "EUR"}}):
        buy()
    tracking.wait({"noDuplicates": {"within": 1}})


def test_an_overloaded_backend_gets_the_order_again(tracking, buy):
    buy()
    order = {"request": "POST /orders", "body": {"sku": "lamp", "quantity": 2}}
    tracking.wait({"inOrder": [{**order, "responded": 503}, {**order, "responded": 201}, {"event": "purchase"}]})


def test_nothing_is_tracked_before_the_consent(tracking, buy):
    buy()
    tracking.wait({"none": {"event": "product_viewed"}, "before": {"event": "consent_given"}})
