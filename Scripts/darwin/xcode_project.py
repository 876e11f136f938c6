"""Checks Samples/StorefrontApp without Xcode: the project, its scheme and its property lists.

The toolchain's plutil must read the project. Each object that it refers to must exist and be of the right kind, each
object must be referred to, and folders, files, local packages and their products must exist. The scheme must name the
project's targets, or a test plan that does. A test plan's variables must be in the article on variables, and the files
that they name by $(SRCROOT) must exist. If the PyPI package `pbxproj` is installed, it must read the project too.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "Samples/StorefrontApp"
PROJECT = FOLDER / "StorefrontApp.xcodeproj"
VARIABLES = FOLDER.parents[1] / "Sources/TrackingVerifier/TrackingVerifier.docc/EnvironmentVariables.md"
# The members of an object that refer to others, and the kinds that these may have.
REFERENCES = {
    "baseConfigurationReference": ["PBXFileReference"],
    "buildConfigurationList": ["XCConfigurationList"],
    "buildConfigurations": ["XCBuildConfiguration"],
    "buildPhases": ["PBXFrameworksBuildPhase", "PBXResourcesBuildPhase", "PBXSourcesBuildPhase"],
    "buildRules": [],
    "children": ["PBXFileReference", "PBXFileSystemSynchronizedRootGroup", "PBXGroup"],
    "containerPortal": ["PBXProject"],
    "dependencies": ["PBXTargetDependency"],
    "fileSystemSynchronizedGroups": ["PBXFileSystemSynchronizedRootGroup"],
    "fileRef": ["PBXFileReference"],
    "files": ["PBXBuildFile"],
    "mainGroup": ["PBXGroup"],
    "package": ["XCLocalSwiftPackageReference"],
    "packageProductDependencies": ["XCSwiftPackageProductDependency"],
    "packageReferences": ["XCLocalSwiftPackageReference"],
    "productRef": ["XCSwiftPackageProductDependency"],
    "productRefGroup": ["PBXGroup"],
    "productReference": ["PBXFileReference"],
    "remoteGlobalIDString": ["PBXNativeTarget"],
    "target": ["PBXNativeTarget"],
    "targetProxy": ["PBXContainerItemProxy"],
    "targets": ["PBXNativeTarget"],
}
problems = []


def plist(path):
    """A property list of any format, by the toolchain's own tool."""
    result = subprocess.run(["plutil", "-convert", "json", "-o", "-", path], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"Scripts/check darwin: plutil cannot read {path}: {result.stdout}{result.stderr}")
    return json.loads(result.stdout)


def listed(value):
    return value if isinstance(value, list) else [value]


def check_references(project):
    objects, referred = project["objects"], {project["rootObject"]}
    for identifier, item in objects.items():
        for member, kinds in REFERENCES.items():
            for target in listed(item.get(member, [])):
                referred.add(target)
                if target not in objects:
                    problems.append(f"{item['isa']} {identifier}: {member} names {target}, which does not exist")
                elif objects[target]["isa"] not in kinds:
                    problems.append(f"{item['isa']} {identifier}: {member} names a {objects[target]['isa']}")
    for identifier in objects.keys() - referred:
        problems.append(f"{objects[identifier]['isa']} {identifier} is referred to by no object")


def of_kind(project, kind):
    return [item for item in project["objects"].values() if item["isa"] == kind]


def check_paths(project):
    for item in of_kind(project, "PBXFileSystemSynchronizedRootGroup"):
        if not list((FOLDER / item["path"]).glob("*.swift")):
            problems.append(f"the folder {item['path']} has no Swift file")
    for item in of_kind(project, "PBXFileReference"):
        if item["sourceTree"] == "<group>" and not (FOLDER / item["path"]).exists():
            problems.append(f"the file {item['path']} does not exist")
    for item in of_kind(project, "XCBuildConfiguration"):
        file = item["buildSettings"].get("INFOPLIST_FILE")
        if file and not (FOLDER / file).exists():
            problems.append(f"INFOPLIST_FILE names {file}, which does not exist")


def check_packages(project):
    products = {}
    with tempfile.TemporaryDirectory() as scratch:
        for item in of_kind(project, "XCLocalSwiftPackageReference"):
            folder = FOLDER / item["relativePath"]
            if not (folder / "Package.swift").exists():
                problems.append(f"{item['relativePath']} is no package")
                continue
            dump = subprocess.run(["swift", "package", "--package-path", folder, "--scratch-path", scratch, "dump-package"],
                                  capture_output=True, text=True, check=True)
            products[item["relativePath"]] = {product["name"] for product in json.loads(dump.stdout)["products"]}
    for item in of_kind(project, "XCSwiftPackageProductDependency"):
        path = project["objects"].get(item["package"], {}).get("relativePath")
        if item["productName"] not in products.get(path, set()):
            problems.append(f"the package {path} has no product {item['productName']}")


def check_targets(project):
    targets = {item["name"]: item for item in of_kind(project, "PBXNativeTarget")}
    linked = {item["productRef"] for item in of_kind(project, "PBXBuildFile") if "productRef" in item}
    for name, target in targets.items():
        for product in set(target["packageProductDependencies"]) - linked:
            problems.append(f"{name} depends on {product} and does not link it")
        for identifier in project["objects"][target["buildConfigurationList"]]["buildConfigurations"]:
            settings = project["objects"][identifier]["buildSettings"]
            if "ui-testing" in target["productType"] and settings.get("TEST_TARGET_NAME") not in targets:
                problems.append(f"{name}: TEST_TARGET_NAME names no target")
            if "unit-test" in target["productType"]:
                host = settings.get("TEST_HOST", "").removeprefix("$(BUILT_PRODUCTS_DIR)/").split(".app/")
                if host[0] not in targets or host[-1] != f"$(BUNDLE_EXECUTABLE_FOLDER_PATH)/{host[0]}":
                    problems.append(f"{name}: TEST_HOST is not the program of an app of this project")
                if settings.get("BUNDLE_LOADER") != "$(TEST_HOST)":
                    problems.append(f"{name}: BUNDLE_LOADER is not TEST_HOST, so the app's symbols aren't found")
            if not settings.get("PRODUCT_BUNDLE_IDENTIFIER"):
                problems.append(f"{name} has no PRODUCT_BUNDLE_IDENTIFIER")


def check_scheme(project):
    for file in PROJECT.glob("xcshareddata/xcschemes/*.xcscheme"):
        for reference in ElementTree.parse(file).iter("BuildableReference"):
            target = project["objects"].get(reference.get("BlueprintIdentifier"), {})
            if target.get("name") != reference.get("BlueprintName"):
                problems.append(f"{file.name}: {reference.get('BlueprintName')} is not the target of its identifier")
            elif project["objects"][target["productReference"]]["path"] != reference.get("BuildableName"):
                problems.append(f"{file.name}: {reference.get('BuildableName')} is not the product of its target")
        plans = [reference.get("reference").removeprefix("container:") for reference in ElementTree.parse(file).iter("TestPlanReference")]
        if not plans and not list(ElementTree.parse(file).iter("TestableReference")):
            problems.append(f"{file.name} tests nothing")
        for plan in plans:
            if (FOLDER / plan).exists():
                check_test_plan(project, FOLDER / plan)
            else:
                problems.append(f"{file.name} names the test plan {plan}, which does not exist")


def check_test_plan(project, file):
    plan = json.loads(file.read_text())
    entries = list(plan["defaultOptions"].get("environmentVariableEntries", []))
    for configuration in plan["configurations"]:
        entries += configuration["options"].get("environmentVariableEntries", [])
    for entry in entries:
        if f"`{entry['key']}`" not in VARIABLES.read_text():
            problems.append(f"{file.name} sets {entry['key']}, which {VARIABLES.name} does not have")
        if entry["value"].startswith("$(SRCROOT)/") and not (FOLDER / entry["value"].removeprefix("$(SRCROOT)/")).exists():
            problems.append(f"{file.name}: {entry['key']} names {entry['value']}, which does not exist")
    if any("$(" in entry["value"] for entry in entries) and "targetForVariableExpansion" not in plan["defaultOptions"]:
        problems.append(f"{file.name} names no target for the expansion of its variables")
    targets = [target["target"] for target in plan["testTargets"]]
    if not targets:
        problems.append(f"{file.name} tests nothing")
    for target in [*targets, *filter(None, [plan["defaultOptions"].get("targetForVariableExpansion")])]:
        if target["containerPath"] != f"container:{PROJECT.name}":
            problems.append(f"{file.name}: {target['containerPath']} is not this project")
        if project["objects"].get(target["identifier"], {}).get("name") != target["name"]:
            problems.append(f"{file.name}: {target['name']} is not the target of its identifier")


def check_with_pbxproj():
    try:
        from pbxproj import XcodeProject
    except ImportError:
        return "pbxproj is not installed"
    names = {target.name for target in XcodeProject.load(str(PROJECT / "project.pbxproj")).objects.get_targets()}
    if names != {"StorefrontApp", "StorefrontAppTests", "StorefrontUITests"}:
        problems.append(f"pbxproj finds the targets {sorted(names)}")
    return "pbxproj reads it too"


def sources(name):
    """The Swift files of a target: those of its folder, and those that the project names one by one."""
    files = sorted((FOLDER / name).rglob("*.swift"))
    if not shutil.which("plutil"):
        return files
    project = plist(PROJECT / "project.pbxproj")
    objects = project["objects"]
    target = next(item for item in of_kind(project, "PBXNativeTarget") if item["name"] == name)
    phases = [objects[phase] for phase in target["buildPhases"]]
    named = [objects[objects[file]["fileRef"]] for phase in phases if phase["isa"] == "PBXSourcesBuildPhase" for file in phase["files"]]
    return files + [FOLDER / file["path"] for file in named]


def found_problems(project):
    """The problems of a project as it is read."""
    problems.clear()
    if project["objectVersion"] != "77":
        problems.append("objectVersion is not 77, which synchronized folders need")
    for check in [check_references, check_paths, check_packages, check_targets, check_scheme]:
        check(project)
    return problems


def check_xcode_project():
    """Prints what is wrong; returns the number of problems."""
    if not shutil.which("plutil"):
        print(f"  {PROJECT.name} isn't checked: plutil is not in PATH")
        return 0
    project = plist(PROJECT / "project.pbxproj")
    found_problems(project)
    # The UI tests give the app a backend on this machine.
    if plist(FOLDER / "Info.plist").get("NSAppTransportSecurity") != {"NSAllowsLocalNetworking": True}:
        problems.append("Info.plist does not allow local networking")
    pbxproj = check_with_pbxproj()
    for problem in problems:
        print(f"{PROJECT.name}: {problem}", file=sys.stderr)
    if not problems:
        print(f"  {len(project['objects'])} objects of {PROJECT.name} refer to each other without a gap; {pbxproj}")
    return len(problems)
