"""The costs of depending on this package: a clean debug build of a small package that does, and the size that an app gains."""
import os, resource, statistics, subprocess, tempfile, time

# contestant, role, module, dependency
OURS = '.package(name: "TrackingVerifier", path: "{root}")'
FLYING_FOX = '.package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1")'
# The app's side is measured over Foundation alone, which every app has; the test's side over a small server.
APP, TEST = "an app", "a test target"
DEPENDENTS = [
    (APP, "Foundation alone", "floor", "Foundation", None),
    (APP, "TrackerDouble", "ours", "TrackerDouble", OURS),
    (TEST, "FlyingFox", "floor", "FlyingFox", FLYING_FOX),
    (TEST, "TrackingServer", "ours", "TrackingServer", OURS),
    (TEST, "TrackingVerifier", "ours", "TrackingVerifier", OURS),
]


def rows(here, configuration, options):
    with tempfile.TemporaryDirectory() as folder:
        yield from builds(os.path.dirname(here), folder, options.rounds)
        yield from sizes(os.path.dirname(here), folder)


def builds(root, folder, rounds):
    packages, figures = {}, {}
    for _, contestant, _, module, dependency in DEPENDENTS:
        packages[contestant] = dependent(os.path.join(folder, "DependentOn" + module), root, module, dependency)
        swift(packages[contestant], "package", "resolve")
    for _ in range(rounds):
        for contestant, package in packages.items():
            swift(package, "package", "clean")
            # User and system time of all processes that the build has waited for.
            began, used = time.monotonic(), children_cpu()
            swift(package, "build")
            figures.setdefault(contestant, []).append((time.monotonic() - began, children_cpu() - used))
    for index, figure in enumerate(["time", "CPU"]):
        for side, contestant, role, _, _ in DEPENDENTS:
            yield {
                "what": f"clean debug build of {side}, {figure}",
                "contestant": contestant,
                "role": role,
                "unit": "s",
                "median": statistics.median(samples[index] for samples in figures[contestant]),
            }


def dependent(path, root, module, dependency):
    """A package with one library of one file that imports a module."""
    dependencies = f"dependencies: [{dependency.format(root=root)}], " if dependency else ""
    products = f', dependencies: [{product(module, dependency)}]' if dependency else ""
    write(path, "Package.swift", manifest(f'{dependencies}targets: [.target(name: "Dependent"{products})]'))
    write(path, "Sources/Dependent/Dependent.swift", f"import {module}\n\npublic let word = \"built\"\n")
    return path


def sizes(root, folder):
    """Two programs that differ by the double alone, stripped."""
    path = os.path.join(folder, "App")
    double = f"dependencies: [{product('TrackerDouble', OURS)}]"
    write(path, "Package.swift", manifest(
        f"dependencies: [{OURS.format(root=root)}], targets: ["
        f'.executableTarget(name: "With", {double}), .executableTarget(name: "Without")]'))
    write(path, "Sources/Without/main.swift", "import Foundation\n\nprint(Date())\n")
    write(path, "Sources/With/main.swift", """
        import Foundation
        import TrackerDouble

        print(Date())
        let tracker = TrackerDouble()
        tracker?.trackEvent(TrackingEvent(name: "launched", params: [.screen: "main"]))
        tracker?.flush(timeout: 1)
        """)
    swift(path, "build", "-c", "release")
    sizes = []
    for name in ["Without", "With"]:
        program = os.path.join(path, ".build", "release", name)
        subprocess.run(["strip", program], check=True)
        sizes.append(os.path.getsize(program))
    yield {
        "what": "size added to an app, a stripped release build", "contestant": "TrackerDouble", "role": "ours",
        "unit": "KB", "median": (sizes[1] - sizes[0]) / 1000,
    }


def product(module, dependency):
    return f'.product(name: "{module}", package: "{"TrackingVerifier" if dependency is OURS else module}")'


def manifest(contents):
    return (
        "// swift-tools-version: 6.2\n\nimport PackageDescription\n\n"
        f'let package = Package(name: "Adopter", platforms: [.macOS(.v13)], {contents})\n')


def write(package, name, text):
    path = os.path.join(package, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def swift(package, command, *arguments):
    """Runs one command of the package manager, with its words where it fails."""
    done = subprocess.run(
        ["swift", command, *arguments, "--package-path", package],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stdout)


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
