"""Server processes, and what the kernel says of them."""
import os, subprocess

EVENT = '{"name":"button_tapped","params":{"screen":"main_screen","index":7,"price":19.99}}'


def product(here, configuration, name):
    package = os.path.join(here, name) if name == "HummingbirdContestant" else here
    return os.path.join(package, ".build", configuration, name)


class Server:
    """A contestant: prints its port, and serves until its standard input ends."""

    def __init__(self, path, one_core=False, arguments=()):
        self.process = subprocess.Popen(
            (["taskset", "-c", "0"] if one_core else []) + [path, *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=120)

    def cpu(self):
        """Seconds of CPU time so far, in user and in kernel mode."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
