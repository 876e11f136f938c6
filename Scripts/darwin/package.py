"""A Swift package's targets, read from its manifest and compiled as the manifest says."""

import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Package:
    def __init__(self, folder, scratch):
        self.folder, self.scratch = folder, scratch
        # With a scratch path, so that nothing is written into the package.
        dump = subprocess.run(["swift", "package", "--package-path", folder, "--scratch-path", scratch, "dump-package"],
                              capture_output=True, text=True, check=True)
        manifest = json.loads(dump.stdout)
        self.name = manifest["name"]
        self.language_mode = manifest["toolsVersion"]["_version"].split(".")[0]
        self.targets = {target["name"]: target for target in manifest["targets"]}
        self.products = manifest["products"]

    def library_targets(self):
        """The targets of all library products; without products, all library targets outside of Tests."""
        named = {name for product in self.products if "library" in product["type"] for name in product["targets"]}
        return named or {name for name, target in self.targets.items()
                         if target["type"] == "regular" and not (target.get("path") or "").startswith("Tests/")}

    def built_targets(self):
        """The targets that a build of the whole package compiles."""
        return {name for name, target in self.targets.items() if target["type"] in ("regular", "executable")}

    def in_order(self, names):
        """These targets and those that they depend on, each after its dependencies."""
        ordered = []

        def visit(name):
            if name in self.targets and name not in ordered:
                for dependency in self.targets[name]["dependencies"]:
                    visit((dependency.get("byName") or dependency.get("target") or [None])[0])
                ordered.append(name)

        for name in names:
            visit(name)
        return ordered

    def sources(self, name):
        target = self.targets[name]
        kind = "Tests" if target["type"] == "test" else "Sources"
        folder = Path(self.folder, target.get("path") or f"{kind}/{name}")
        return sorted(folder.rglob("*.swift")) + ([self.generated_types(name, folder)] if target.get("pluginUsages") else [])

    def generated_types(self, name, folder):
        """The file that the plugin TrackingPlanGenerator has for a target.

        Written by the plugin's tool alone, because a build of the target would compile everything that it depends on.
        """
        tool, output = self.scratch.parent / "generator", self.scratch / "generated" / name / "TrackingPlan.swift"
        output.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["swift", "build", "--package-path", ROOT, "--scratch-path", tool, "--product", "tracking-types"],
                       capture_output=True, check=True)
        subprocess.run([tool / "debug/tracking-types", next(folder.rglob("tracking-plan.json")), output], check=True)
        return output

    def flags(self, name, mode=None):
        """The compiler's flags for a target; `mode` replaces the language mode of the manifest."""
        flags, language_mode = ["-package-name", re.sub(r"\W", "_", self.name.lower())], self.language_mode
        for setting in self.targets[name]["settings"]:
            kind, value = next(iter(setting["kind"].items()))
            if kind == "swiftLanguageMode":
                language_mode = value["_0"]
            elif kind == "enableUpcomingFeature":
                flags += ["-enable-upcoming-feature", value["_0"]]
            elif kind == "enableExperimentalFeature":
                flags += ["-enable-experimental-feature", value["_0"]]
            elif kind == "define":
                flags += ["-D", value["_0"]]
        return flags + (mode or ["-swift-version", language_mode])


def compile_target(sdk, package, name, search, output, mode=None, primary=None):
    """Compiles a target, or checks only one more source of it, `primary`; returns the number of errors and warnings."""
    sources = package.sources(name)
    if not sources:
        return 0
    if package.targets[name]["resources"]:
        # The accessor that SwiftPM generates for a target with resources.
        accessor = output / f"{name}-resources.swift"
        accessor.write_text("import Foundation\nextension Foundation.Bundle { nonisolated static let module = Bundle(path: \"\")! }\n")
        sources.append(accessor)
    return sdk.compile(name, sources, search, output, package.flags(name, mode), package.folder, primary)


def check_package(sdk, package, names, products):
    """Compiles targets and what they depend on; returns the number of errors and warnings."""
    print(f"  {package.name} for {sdk.platform}", flush=True)
    return sum(compile_target(sdk, package, name, [products], products) for name in package.in_order(names))
