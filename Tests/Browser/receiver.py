"""A program that takes messages of webhooks: a process of its own, which answers each as it is told to.

It prints its port, then a line of JSON for each message, and reads the status to answer from its standard input: `close` ends the
connection without an answer.
"""

import base64
import hashlib
import hmac
import json
import queue
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        print(json.dumps({"path": self.path, "headers": headers, "body": body}), flush=True)
        answer = sys.stdin.readline().strip()
        if answer in ("close", ""):
            self.close_connection = True
            return
        self.send_response(int(answer))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Receiver:
    """The process, from the outside."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-B", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.port = int(self._lines.get(timeout=30))
        self.url = f"http://127.0.0.1:{self.port}/hook"

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line)

    def next(self):
        """Waits for the next message, which is not answered yet."""
        return json.loads(self._lines.get(timeout=60))

    def answer(self, status=204):
        self.process.stdin.write(f"{status}\n")
        self.process.stdin.flush()

    def take(self, status=204):
        """Waits for the next message, and answers it."""
        message = self.next()
        self.answer(status)
        return message

    def stop(self):
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdin.close()
        self.process.stdout.close()


def is_signed(message, secret):
    """Whether one of a message's signatures is by a secret, as the Standard Webhooks specification says."""
    headers = message["headers"]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{message['body']}".encode()
    key = base64.b64decode(secret.removeprefix("whsec_"))
    code = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{code}" in headers["webhook-signature"].split()


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
