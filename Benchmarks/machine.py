"""The machine that the figures were measured on, without a path or a host name."""
import datetime, os, platform, re, subprocess


def facts():
    return {
        "date": datetime.date.today().isoformat(),
        "cpu": cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "system": system(),
        "swift": swift(),
    }


def cpu():
    with open("/proc/cpuinfo") as file:
        names = re.findall(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    return names[0].replace("(R)", "") if names else platform.machine()


def system():
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (AttributeError, OSError):
        # Python before 3.10, or a system that does not say.
        name = platform.system()
    return f"{name}, Linux {'.'.join(platform.release().split('.')[:2])}"


def swift():
    text = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"Swift version (\S+)", text)
    return found.group(1) if found else "unknown"
