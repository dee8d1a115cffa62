"""Runs the real server, and talks to it below the level of a browser."""

import http.client
import os
import queue
import re
import select
import subprocess
import tempfile
import threading
import time
import urllib.parse
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("FLAGBOARD_BINARY", ROOT / ".build/debug/flagboard"))
DEMO = ROOT / "Demo"
LISTENING = re.compile(r"Flagboard is listening on (https?://127\.0\.0\.1:(\d+))/")
FREE_PORTS = set()
"""The ports of servers that have ended: on those, a browser has the style sheets and scripts of the pages already."""
SIGN_IN = re.compile(r"Sign in: (https?://127\.0\.0\.1:\d+/sign-in\?token=([\w-]{43}))$")


def environment():
    """The environment for the program, without options that the developer's own shell may hold.

    Commands wait for a server as long as a busy machine takes.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith("FLAGBOARD_")}
    return own | {"FLAGBOARD_TIMEOUT": "120"}


@dataclass
class Response:
    status: int
    headers: dict
    body: bytes

    @property
    def text(self):
        return self.body.decode()


class Server:
    """`flagboard serve` on a file, from its first printed line to its end.

    Everybody is let in, unless `access` says otherwise; then `link` is the sign-in link.
    """

    def __init__(self, file, *options, prefix=(), access="open"):
        self.file = Path(file)
        port = FREE_PORTS.pop() if FREE_PORTS else 0
        try:
            self._start(port, options, prefix, access)
        except AssertionError as error:
            # Something else may have taken it meanwhile.
            if port == 0 or "in use by another program" not in str(error):
                raise
            self._start(0, options, prefix, access)
        self.link = self.next_link() if access == "token" else None

    def _start(self, port, options, prefix, access):
        self._errors = tempfile.TemporaryFile("w+")
        self._lines = queue.Queue()
        self.port = None
        self._is_stopped = False
        self.process = subprocess.Popen(
            [*prefix, BINARY, "serve", self.file, "--access", access, "--port", str(port), "--no-browser", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=self.file.parent,
            env=environment() | {"FLAGBOARD_TIMEOUT": "10"},
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        match = self._wait_for(LISTENING)
        self.address, self.port = match[1], int(match[2])

    def next_link(self):
        """Waits for the next sign-in link that is printed."""
        return self._wait_for(SIGN_IN)[1]

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def printed(self):
        """What else was printed, after the server has ended."""
        lines = list(iter(self._lines.get, None))
        return "".join(lines)

    def _wait_for(self, pattern):
        while True:
            try:
                # Only a server that hangs needs so long, not one on a slow machine.
                line = self._lines.get(timeout=180)
            except queue.Empty:
                problem = f"the server hangs: it printed nothing for 180 s; {self._threads()}; {self.errors()}"
                self.stop()
                raise AssertionError(problem) from None
            if line is None:
                self.process.wait()
                problem = f"the server ended with {self.process.returncode}: {self.errors()}"
                self.stop()
                raise AssertionError(problem)
            if match := pattern.search(line):
                return match

    def _threads(self):
        """The state of each thread of the server, and the call of the system that it waits in."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*")
        return ", ".join(f"{(thread / 'stat').read_text().split()[2]} {(thread / 'wchan').read_text()}" for thread in threads)

    def errors(self):
        # The server writes on from the place where the file stands: reading must not move it.
        file = self._errors.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode()

    def wait_for_error(self, text):
        """Waits until the log says something that comes of work beside the pages."""
        end = time.monotonic() + 60
        while text not in self.errors():
            assert time.monotonic() < end and self.process.poll() is None, f"never {text!r}: {self.errors()}"
            select.select([], [], [], 0.02)

    def stop(self):
        """Ends the server as a service manager would, and returns its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._close()
        if not self._is_stopped and self.port:
            FREE_PORTS.add(self.port)
        self._is_stopped = True
        return self.process.returncode

    def kill(self):
        """Ends the server without a word; its port is left to the next one on its files."""
        self.process.kill()
        self.process.wait()
        self._close()
        self._is_stopped = True

    def _close(self):
        self._reader.join()
        self.process.stdout.close()
        self._errors.close()

    def url(self, path):
        return self.address + path

    def request(self, method, path, body=None, headers=None, reads_body=True):
        """Asks; what never ends, such as a stream of events, is asked without its body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            sent = {"Host": f"127.0.0.1:{self.port}"} | (headers or {})
            if body is not None:
                sent["Content-Length"] = str(len(body))
            for name, value in sent.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            return Response(answer.status, headers, answer.read() if reads_body else b"")
        finally:
            connection.close()

    def get(self, path, headers=None):
        return self.request("GET", path, headers=headers)

    def post(self, path, fields, headers=None):
        """Posts a form as a browser does from one of the server's own pages; `headers` replace that."""
        own = {"Origin": self.address, "Sec-Fetch-Site": "same-origin"} if headers is None else headers
        body = urllib.parse.urlencode(fields, doseq=True).encode()
        return self.request("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"} | own)

    def preview(self, path, fields):
        """The form of the preview that a form leads to."""
        answer = self.post(path, fields)
        assert answer.status == 303, answer.text
        return next(form for form in forms_in(self.get(answer.headers["location"]).text) if "changes" in form)

    def editor(self, key):
        """The fields of a flag's editor as its page holds them, ready to be changed and posted."""
        answer = self.get(flag_path(key))
        assert answer.status == 200, answer.text
        forms = [form for form in forms_in(answer.text) if "revision" in form]
        assert forms, f"the page of {key} has no editor"
        return forms[0]

    def change(self, key, action, value=None, reason=""):
        """Changes a flag by a form as the page would post it."""
        fields = self.editor(key) | {"action": action, "reason": reason}
        if value is not None:
            fields["value"] = value
        answer = self.post(flag_path(key), fields)
        assert answer.status == 303, f"{answer.status}: {answer.text}"
        return answer


def flag_path(key):
    return "/flags/" + urllib.parse.quote(key, safe="/~")


class _FormReader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms = []
        self._open = None
        self._area = None
        self._named = {}
        self._outside = []

    def close(self):
        """Adds the ticked boxes that stand outside of their forms, as lists of values."""
        super().close()
        for form, name, value in self._outside:
            fields = self._named.get(form, {})
            held = fields.get(name, [])
            fields[name] = [*(held if isinstance(held, list) else [held]), value]

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self._open = {}
            self.forms.append(self._open)
            self._named[given.get("id")] = self._open
        elif tag == "input" and given.get("type") == "checkbox" and given.get("form"):
            if "checked" in given:
                self._outside.append((given["form"], given["name"], given.get("value", "on")))
        elif self._open is not None and given.get("name"):
            if tag == "textarea":
                self._area = given["name"]
                self._open[self._area] = ""
            elif tag == "input" and (given.get("type") not in ("radio", "checkbox") or "checked" in given):
                self._open[given["name"]] = given.get("value", "")

    def handle_endtag(self, tag):
        if tag == "form":
            self._open = None
        elif tag == "textarea":
            self._area = None

    def handle_data(self, data):
        if self._area is not None:
            self._open[self._area] += data


def forms_in(html):
    reader = _FormReader()
    reader.feed(html)
    reader.close()
    return reader.forms
