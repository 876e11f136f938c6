"""A headless Chromium, driven over the DevTools protocol through a pipe. Standard library only."""
import json, os, select, shutil, subprocess, tempfile, time


def find():
    """The path of a Chromium or Chrome; None when there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome", "headless_shell")
    mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), mac if os.path.exists(mac) else None)


class Browser:
    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="inspector-")
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()

        def pipes():  # the browser reads commands from descriptor 3 and writes responses to 4
            first, second = os.dup(from_us), os.dup(to_us)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--no-first-run",
             "--no-default-browser-check", "--disable-background-networking", "--disable-gpu", "--hide-scrollbars=false"]
            + (["--no-sandbox"] if os.geteuid() == 0 else []),
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.write, self.read = to_browser, from_browser
        self.buffer, self.number, self.events, self.responses = b"", 0, [], {}

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, parameters=None, session=None):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        return self.number

    def call(self, method, parameters=None, session=None, timeout=60):
        number = self.send(method, parameters, session)
        self.pump(lambda: number in self.responses, timeout, method)
        response = self.responses.pop(number)
        if "error" in response:
            raise RuntimeError(f"{method}: {response['error']['message']}")
        return response["result"]

    def pump(self, done, timeout, what="the browser"):
        deadline = time.monotonic() + timeout
        while not done():
            if not select.select([self.read], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError(f"no response to {what} in {timeout} s")
            data = os.read(self.read, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            *messages, self.buffer = (self.buffer + data).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self.responses[message["id"]] = message
                else:
                    self.events.append(message)


class Tab:
    """One page, with what it complains of."""

    def __init__(self, browser, width=1280, height=800, dark=False):
        self.browser = browser
        target = browser.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = browser.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.call("Emulation.setEmulatedMedia",
                  {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def call(self, method, parameters=None, timeout=60):
        return self.browser.call(method, parameters, self.session, timeout)

    def open(self, url, until="document.readyState === 'complete'"):
        self.call("Page.navigate", {"url": url})
        self.wait(f"location.href !== 'about:blank' && {until}")

    def run(self, expression, timeout=60):
        response = self.call("Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True}, timeout)
        if "exceptionDetails" in response:
            details = response["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return response["result"].get("value")

    def wait(self, condition, timeout=20):
        deadline = time.monotonic() + timeout

        def holds():
            try:
                return self.run(condition)
            except RuntimeError as error:
                if "navigated" in str(error):
                    return False  # the page is being loaded again
                raise

        while not holds():
            if time.monotonic() > deadline:
                raise TimeoutError(f"never true: {condition}")
            time.sleep(0.02)

    def key(self, key, shift=False):
        """Presses a key as a keyboard does."""
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "PageDown": 34, "PageUp": 33, "Home": 36,
                 "End": 35, " ": 32}
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        event = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper())), "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", "text": text, **event})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    def screenshot(self, path):
        import base64
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", {"format": "png"})["data"]))

    def complaints(self):
        """Errors of the console, violations of the policy, and exceptions so far."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
                found.append(str(parameters["args"]))
        return found

    def requests(self):
        """The URLs that the page asked for."""
        return [event["params"]["request"]["url"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] == "Network.requestWillBeSent"]
