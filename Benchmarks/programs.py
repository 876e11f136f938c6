"""Programs that measure within their own process: each interleaves its contestants and prints a line of JSON for each subject."""
import json, subprocess
from processes import Server, product


def waits(here, configuration, options):
    return run(here, configuration, "WaitLatency", 60 * options.rounds)


def life_cycle(here, configuration, options):
    return run(here, configuration, "LifeCycle", 40 * options.rounds)


def matching(here, configuration, options):
    return run(here, configuration, "MatchingCost", options.rounds)


def stubs(here, configuration, options):
    return run(here, configuration, "StubCost", options.rounds)


def plan(here, configuration, options):
    return run(here, configuration, "PlanCost", options.rounds)


def double(here, configuration, options):
    """The double is measured in an app's place, its server in a process of its own."""
    floor = Server(product(here, configuration, "EpollFloor"))
    tracking = Server(product(here, configuration, "TrackingServerContestant"))
    with floor, tracking:
        return run(here, configuration, "DoubleCost", floor.port, tracking.port, 10 * options.rounds)


def run(here, configuration, name, *arguments):
    text = subprocess.run(
        [product(here, configuration, name), *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [json.loads(line) for line in text.splitlines()]
