"""A client that costs little: one connection, requests that are made once, answers of which the length alone is read."""

import json
import re
import socket
import urllib.parse
from dataclasses import dataclass

CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
TAG = re.compile(rb"\r\netag: *([^\r]+)", re.IGNORECASE)
LOCATION = re.compile(rb"\r\nlocation: *([^\r#]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Answer:
    status: int
    tag: str | None
    location: str | None
    """Where a redirect leads to, without the place on that page."""
    body: bytes


class Connection:
    """A connection that is kept."""

    def __init__(self, port):
        self._host = f"127.0.0.1:{port}"
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self):
        self._socket.close()

    def getting(self, path, **headers):
        """The bytes of a request of a page."""
        lines = [f"GET {path} HTTP/1.1", f"Host: {self._host}", *(f"{name}: {value}" for name, value in headers.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def posting(self, path, fields):
        """The bytes of a form as a browser posts it from one of the server's own pages."""
        body = urllib.parse.urlencode(fields)
        return (
            f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nOrigin: http://{self._host}\r\nSec-Fetch-Site: same-origin\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode()

    def putting(self, path, document):
        """The bytes of a change by REST, whatever the value is now."""
        body = json.dumps(document)
        return (
            f"PUT {path} HTTP/1.1\r\nHost: {self._host}\r\nIf-Match: *\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()

    def change(self, form):
        """Sends a form, and follows the redirect to the page that a person sees then."""
        self.ask(self.getting(self.ask(form, 303).location))

    def ask(self, request, status=200):
        """Sends a request and reads the answer, which must have this status."""
        self._socket.sendall(request)
        received = self._receive(b"")
        while (end := received.find(b"\r\n\r\n")) < 0:
            received = self._receive(received)
        head, body = received[: end + 2], [received[end + 4 :]]
        found = int(head.split(b" ", 2)[1])
        if CHUNKED.search(head):
            return self._answer(request, found, status, head, self._chunks(body[0]))
        length = LENGTH.search(head)
        assert length or found == 304, f"an answer does not say how long it is: {head.decode()}"
        left = (int(length[1]) if length and found != 304 else 0) - len(body[0])
        while left > 0:
            body.append(self._receive(b""))
            left -= len(body[-1])
        return self._answer(request, found, status, head, b"".join(body))

    def _answer(self, request, found, status, head, body):
        assert found == status, f"{found} instead of {status}: {request[:80]!r}: {body[:300]!r}"
        tag, location = (match and match[1].decode() for match in (TAG.search(head), LOCATION.search(head)))
        return Answer(found, tag, location, body)

    def _chunks(self, received):
        """A body that comes in chunks, each behind its length as a hexadecimal number; one of no bytes is the last."""
        body = []
        while True:
            while (end := received.find(b"\r\n")) < 0:
                received = self._receive(received)
            size = int(received[:end], 16)
            parts, held = [received], len(received)
            while held < end + 2 + size + 2:
                parts.append(self._receive(b""))
                held += len(parts[-1])
            received = b"".join(parts)
            body.append(received[end + 2 : end + 2 + size])
            received = received[end + 2 + size + 2 :]
            if size == 0:
                return b"".join(body)

    def stream(self, path):
        """Yields once for each event of a stream (text/event-stream), as it comes."""
        self._socket.sendall(self.getting(path))
        self._socket.settimeout(None)
        received = b""
        while True:
            events, end, received = self._receive(received).rpartition(b"\n\n")
            for _ in range((events + end).count(b"data:")):
                yield

    def _receive(self, before):
        bytes = self._socket.recv(1 << 20)
        assert bytes, "the server closed the connection"
        return before + bytes
