"""A platform's modules, made of the toolchain's own interfaces, Darwin's open headers and shims; and its compiler."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

SHIMS = Path(__file__).resolve().parent / "shims"
PRUNE = Path(__file__).resolve().parent / "prune.py"
TOOLCHAIN = Path(shutil.which("swift-frontend") or "/").resolve().parent.parent
INTERFACES = TOOLCHAIN / "lib/swift/linux"
# The minimum that the package supports, the newest version that the toolchain knows, and the names of folders and modules.
PLATFORMS = {
    "macos": ("macosx13.0", "macosx26.4", "macosx", "arm64-apple-macos"),
    "ios": ("ios16.0", "ios26.4", "iphoneos", "arm64-apple-ios"),
    "tvos": ("tvos16.0", "tvos26.4", "appletvos", "arm64-apple-tvos"),
    "visionos": ("xros1.0", "xros26.4", "xros", "arm64-apple-xros"),
}
# visionOS 1 has everything that iOS 17 has.
VISION_OF_IOS = {f"{version}.0": "1.0" for version in range(2, 18)} | {"17.4": "1.1", "18.0": "2.0", "26.0": "26.0"}
# Declarations that these modules have only with an Objective-C runtime, and that the compiler looks up by name.
OBJECTIVE_C = {
    "Swift": """
@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee> : Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  @_transparent public init(_ _rawValue: Builtin.RawPointer) { self._rawValue = _rawValue }
  public var pointee: Pointee { get nonmutating set }
}
@available(*, unavailable) extension Swift.AutoreleasingUnsafeMutablePointer : Swift.Sendable {}
public func _bridgeAnyObjectToAny(_ possiblyNullObject: Swift.AnyObject?) -> Any
public func _forceBridgeFromObjectiveC<T>(_ x: Swift.AnyObject, _: T.Type) -> T
public func _conditionallyBridgeFromObjectiveC<T>(_ x: Swift.AnyObject, _: T.Type) -> T?
""",
    "_Concurrency": """
public func _runTaskForBridgedAsyncMethod(@_inheritActorContext _ body: __owned @escaping @Sendable () async -> Swift.Void)
""",
}


class ShimError(Exception):
    """A module of the platform itself does not compile."""


class SDK:
    """The modules of one platform. They are kept in `root`, and made again when one of their inputs changes."""

    def __init__(self, platform, work, headers):
        minimum, newest, self.folder, self.module_triple = PLATFORMS[platform]
        self.platform, self.root, self.c_headers = platform, work / platform, headers
        self.minimum, self.newest = f"arm64-apple-{minimum}", f"arm64-apple-{newest}"
        self.resources, self.sdk = self.root / "resources", self.root / "sdk"
        self.flags = ["-resource-dir", self.resources, "-sdk", self.sdk, "-I", self.resources / "shims"]
        self.flags += ["-module-cache-path", self.root / "cache", "-suppress-remarks"]
        self.is_stale = False
        self.shim_headers = ""

    def empty_folder(self, name):
        folder = self.root / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def compile(self, name, sources, search, output, flags, base, primary=None):
        """Compiles a module for the minimum version, up to and including the data-race diagnostics.

        With `primary`, one more source, only that file is checked, and no module is written. Prints what the compiler says,
        with paths relative to `base`; returns the number of errors and warnings.
        """
        plugins = TOOLCHAIN / "lib/swift/host/plugins"
        written = ["-primary-file", primary] if primary else ["-emit-module-path", output / f"{name}.swiftmodule"]
        command = ["swift-frontend", "-emit-sil", "-target", self.minimum, "-module-name", name,
                   *written, "-enable-testing", "-Onone",
                   "-plugin-path", plugins, "-plugin-path", plugins / "testing", *self.flags, *flags, "-o", "/dev/null"]
        for folder in search:
            command += ["-I", folder]
        if not any(source.name == "main.swift" for source in sources):
            command.append("-parse-as-library")
        result = subprocess.run([str(part) for part in [*command, *sources]], capture_output=True, text=True)
        found = list(dict.fromkeys(
            re.findall(r"^(?:[^ \n].*:\d+:\d+|<unknown>:0): (?:error|warning): .*$", result.stderr, re.M)))
        print(f"    {name}: {len(sources)} files" + (f", {len(found)} errors and warnings" if found else ""), flush=True)
        for line in found:
            print(f"      {line.replace(str(base) + '/', '')}")
        if result.returncode != 0 and not found:
            # The compiler crashed: it looked for a declaration that no shim has.
            crash = re.findall(r"^.*(?:While |fatal error|Assertion).*$|^ *#[4-9] .*$", result.stderr, re.M)
            print("\n".join(crash) or result.stderr)
        return max(len(found), int(result.returncode != 0))

    # MARK: The platform's own modules

    def make(self):
        self.lay_out()
        for module in ["Swift", "SwiftOnoneSupport", "_Concurrency", "_RegexParser", "_StringProcessing", "_Builtin_float"]:
            self.interface(module)
        # The modules from here on see the headers of the shims.
        self.shim_headers = "".join(path.read_text() for path in sorted(SHIMS.glob("*.[hma]*")))
        for module in ["ObjectiveC", "Darwin", "Dispatch", "os"]:
            self.overlay(module)
        for module in ["Synchronization", "Observation"]:
            self.interface(module)
        self.printed("FoundationEssentials", "FoundationEssentials")
        self.printed("CGFloat", "Foundation", only=r"(struct|extension) CGFloat\b")
        for module in ["Foundation", "XCTest", "SwiftUI", "WebKit"]:
            self.overlay(module)
        for module in ["_TestDiscovery", "Testing", "_Testing_Foundation"]:
            self.interface(module)

    def lay_out(self):
        """The folders and settings that make the compiler take this for an SDK."""
        include = self.sdk / "usr/include"
        if not include.exists():
            include.mkdir(parents=True)
            for header in self.c_headers.iterdir():
                (include / header.name).symlink_to(header)
        for name in ["module.modulemap", "Darwin.apinotes", "ObjectiveC.apinotes"]:
            shutil.copy(SHIMS / name, include)
        for name in ["CoreFoundation", "Foundation", "XCTest"]:
            framework = self.sdk / f"System/Library/Frameworks/{name}.framework"
            (framework / "Headers").mkdir(parents=True, exist_ok=True)
            (framework / "Modules").mkdir(exist_ok=True)
            shutil.copy(SHIMS / f"{name}.h", framework / "Headers")
            module_map = f'framework module {name} [system] {{\n  umbrella header "{name}.h"\n  export *\n}}\n'
            (framework / "Modules/module.modulemap").write_text(module_map)
        # An older SDK's version: for these clang counts its own headers as part of the C library's module.
        version = {"macosx": "14.0", "xros": "1.0"}.get(self.folder, "17.0")
        settings = {"CanonicalName": self.folder + version, "Version": version, "MaximumDeploymentTarget": version + ".99"}
        if self.folder == "xros":
            ios_of_vision = {"1.0": "17.0", "1.1": "17.4", "2.0": "18.0"}
            settings["VersionMap"] = {"iOS_visionOS": VISION_OF_IOS, "visionOS_iOS": ios_of_vision}
        (self.sdk / "SDKSettings.json").write_text(json.dumps(settings))
        self.resources.mkdir(exist_ok=True)
        for name in ["shims", "clang", "apinotes"]:
            link = self.resources / name
            if not link.is_symlink():
                link.symlink_to(TOOLCHAIN / "lib/swift" / name)

    def path(self, module):
        path = self.resources / self.folder / f"{module}.swiftmodule" / f"{self.module_triple}.swiftmodule"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def interface(self, module):
        """A module from its interface in the toolchain, without what is specific to Linux."""
        text = next((INTERFACES / f"{module}.swiftmodule").glob("*-linux-gnu.swiftinterface")).read_text()
        text = re.sub(r"\w+-unknown-linux-gnu", self.newest, text).replace("-disable-objc-interop", "")
        text = re.sub(r"@backDeployed\(before: [^)]*\)", "", text)
        text = re.sub(r"^((public )?import) Glibc$", r"\1 Darwin", text, flags=re.M)
        text = re.sub(r"= _stdlib_(remainder|squareRoot)l\(.*\)", "= 0", text)
        text += OBJECTIVE_C.get(module, "")
        # The body of Mutex is Linux's and is left out; its availability is what matters.
        self.from_interface(module, text, ["-parse-stdlib"] if module == "Swift" else [], prune=module == "Synchronization")

    def printed(self, module, source, only=None):
        """A module without an interface in the toolchain: printed by the toolchain, without what does not compile as printed.

        With `only`, just the declarations whose first line matches the expression.
        """
        printed = self.root / f"{source}.printed"
        if not printed.exists():
            machine = next(INTERFACES.glob("Swift.swiftmodule/*-linux-gnu.swiftinterface")).name.split("-")[0]
            run([TOOLCHAIN / "bin/swift-synthesize-interface", "-module-name", source,
                 "-target", f"{machine}-unknown-linux-gnu", "-resource-dir", TOOLCHAIN / "lib/swift", "-sdk", "/", "-o", printed])
        lines = ["// swift-interface-format-version: 1.0",
                 f"// swift-module-flags: -target {self.newest} -enable-library-evolution -swift-version 5 -module-name {module}"
                 " -enable-experimental-feature LifetimeDependence",
                 "import Swift", "import Darwin", "import _Concurrency", "import _StringProcessing"]
        is_kept = only is None
        for line in printed.read_text().split("\n"):
            if only and re.match(r"(@|public|open|final|extension|infix|prefix|postfix)", line):
                is_kept = bool(re.search(only, line))
            if line.startswith("import ") or line.lstrip().startswith("//") or not is_kept:
                continue
            line = re.sub(r"\b(private|internal|fileprivate)\(set\) ", "", line)
            # A property that has both accessors is printed without them.
            if re.search(r"\b(var \w+\s*:|subscript\b)", line) and not line.rstrip().endswith(("}", "{")):
                line += " { get set }"
            lines.append(line)
        self.from_interface(module, "\n".join(lines), [], prune=True)

    def from_interface(self, module, text, flags, prune=False):
        source = self.root / f"{module}.swiftinterface"
        command = ["swift-frontend", "-compile-module-from-interface", "-target", self.newest, "-module-name", module,
                   "-disable-availability-checking", *flags, *self.flags, "-o", self.path(module), source]
        if prune:
            command = [sys.executable, PRUNE, source, self.root / f"{module}.left-out", "--", *command]
        self.make_module(module, source, text, command)

    def overlay(self, module):
        """A module of shims/MODULE.swift, over the headers of the same name if there are some."""
        source, text = self.root / f"{module}.swift", (SHIMS / f"{module}.swift").read_text()
        if module == "Darwin":
            text += self.error_codes()
        self.make_module(module, source, text, [
            "swift-frontend", "-emit-module", "-parse-as-library", "-enable-library-evolution", "-swift-version", "5",
            "-target", self.newest, "-module-name", module, *self.flags, "-o", self.path(module), source])

    def make_module(self, module, source, text, command):
        """Runs the command, unless nothing has changed since its last run."""
        made = self.root / f"{module}.made"
        inputs = f"{' '.join(map(str, command))}\n{text}\n{self.shim_headers}"
        if not self.is_stale and made.exists() and made.read_text() == inputs:
            return
        print(f"  {self.platform}: the module {module}", flush=True)
        # The modules that follow import this one.
        self.is_stale = True
        source.write_text(text)
        run(command)
        made.write_text(inputs)

    def error_codes(self):
        header = (self.sdk / "usr/include/sys/errno.h").read_text()
        codes = {}
        for name, number in re.findall(r"^#define\s+(E[A-Z0-9]+)\s+(\d+)", header, re.M):
            codes.setdefault(number, name)
        cases = "".join(f"  case {name} = {number}\n" for number, name in codes.items())
        return f"\npublic enum POSIXErrorCode: Int32, Sendable {{\n{cases}}}\n"


def run(command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        raise ShimError(f"{' '.join(map(str, command))}\n{result.stderr or result.stdout}")
