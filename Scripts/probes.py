"""The probe executables as separate processes, for the scripts that load a server and soak it."""

import atexit
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def build(flags, *products):
    """Builds the executables and says where copies of them lie, which another build leaves alone."""
    for product in products:
        subprocess.run(["swift", "build", *flags, "--product", product], cwd=ROOT, check=True,
                       stdin=subprocess.DEVNULL, stdout=sys.stderr)
    shown = subprocess.run(["swift", "build", *flags, "--show-bin-path"], cwd=ROOT, check=True, text=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    folder = pathlib.Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for product in products:
        shutil.copy(pathlib.Path(shown.stdout.strip()) / product, folder)
    return folder


class Server:
    """The server probe."""

    def __init__(self, folder):
        self.process = subprocess.Popen([folder / "ServerProbe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = None
        self.forgotten = 0

    def run(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server's process ended with status {self.process.wait()} at {command!r}")
        account = json.loads(line)
        if "error" in account:
            raise RuntimeError(f"{command}: {account['error']}")
        return account

    def start(self):
        account = self.run("start")
        self.session = account["session"]
        self.port = int(account["endpoint"].rsplit(":", 1)[1].rstrip("/"))

    @property
    def recorded(self):
        """The number of events recorded so far, including the forgotten ones."""
        return self.forgotten + self.run("count")["events"]

    def forget(self):
        """Empties the journal, so that the server's memory doesn't include what it holds."""
        self.forgotten = self.recorded
        self.run("forget")

    def end(self):
        """Lets the probe stop its server and exit, and sees that it does."""
        self.process.stdin.close()
        status = self.process.wait(timeout=60)
        if status != 0:
            raise RuntimeError(f"the server's process ended with status {status}")

    # The resources that the process uses, as Linux reports them.

    @property
    def folder(self):
        return pathlib.Path("/proc") / str(self.process.pid)

    def status(self, name):
        for line in (self.folder / "status").read_text().splitlines():
            if line.startswith(name + ":"):
                return line.split(":", 1)[1].strip()
        return None

    @property
    def descriptors(self):
        return len(os.listdir(self.folder / "fd"))

    @property
    def threads(self):
        return len(os.listdir(self.folder / "task"))

    @property
    def memory(self):
        """Bytes of memory that are resident, without what the allocator keeps for later."""
        self.run("trim")
        return int(self.status("VmRSS").split()[0]) * 1024

    @property
    def cpu(self):
        """Seconds of CPU time that were used."""
        fields = (self.folder / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def settings(self):
        """The settings of the whole process, which the server must not change."""
        # Without 32 and 33, which the C library takes for itself when a process starts its first thread.
        signals = {name: hex(int(self.status(name), 16) & ~(3 << 31)) for name in ("SigIgn", "SigCgt")}
        return {**signals, "umask": self.status("Umask"), "folder": os.readlink(self.folder / "cwd"),
                "descriptor limit": resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE)}

    def limit_descriptors(self, count):
        _, hard = resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (count, hard))


def eventually(what, condition, seconds=30):
    """Waits until a condition holds, by polling."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"never: {what() if callable(what) else what}")
        time.sleep(0.01)
