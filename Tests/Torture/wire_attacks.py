"""Requests that are malformed, ambiguous, oversized or incomplete, sent as bytes."""

import re
import socket
import struct
import threading
import time

from attack_table import AttackTable

KEY = "/flags/checkout/guest_checkout"
API = f"/api/v1{KEY}"
FORM = "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n"
CHANGE = "action=set&value=true"
LARGE = 4_000_000


class Wire:
    """Sends bytes to a server and reads what comes until it closes the connection."""

    def __init__(self, server):
        self.port = server.port
        self.host = f"Host: 127.0.0.1:{server.port}\r\n"

    def send(self, data, half_closed=False):
        """Returns the statuses that were answered, all that was answered, and the seconds that it took."""
        began = time.monotonic()
        answer = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=40) as connection:
            try:
                connection.sendall(data if isinstance(data, bytes) else data.encode())
                if half_closed:
                    connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(65536):
                    answer += part
            except ConnectionError as error:
                answer += f"<{error}>".encode()
        statuses = [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answer)]
        return statuses, answer, time.monotonic() - began

    def break_off(self, head, part):
        """Sends the head of a request and, once its body is wanted, a part of that; then resets the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=40) as connection:
            connection.sendall(head.replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n").encode())
            answer = connection.recv(65536)
            assert answer.startswith(b"HTTP/1.1 100 "), answer
            connection.sendall(part.encode())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def get(self, target="/icon.svg", *fields, version="HTTP/1.1", close=True):
        lines = [f"GET {target} {version}", self.host.strip(), *fields, *(["Connection: close"] if close else [])]
        return "\r\n".join(lines) + "\r\n\r\n"

    def post(self, body, *fields, close=True):
        head = f"POST {KEY} HTTP/1.1\r\n{self.host}{FORM}" + ("Connection: close\r\n" if close else "")
        return head + "".join(f"{field}\r\n" for field in fields) + "\r\n" + body

    def put(self, body, *fields):
        """A change by the address for programs."""
        return self._program(f"PUT {API}", body, *fields)

    def batch(self, body, *fields):
        return self._program("POST /api/v1/batches", body, *fields)

    def _program(self, line, body, *fields):
        lines = [f"{line} HTTP/1.1", self.host.strip(), "Content-Type: application/json", "If-Match: *", *fields]
        return "\r\n".join([*lines, "", ""]) + body


def _hosts(wire):
    own = f"127.0.0.1:{wire.port}"
    for name, data, status in [
        ("none", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
        ("none in 1.0", "GET / HTTP/1.0\r\n\r\n", 400),
        ("empty", "GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 400),
        ("two", wire.get("/", f"Host: {own}"), 400),
        ("own and other", wire.get("/", "Host: evil.example"), 400),
        ("other and own", f"GET / HTTP/1.1\r\nHost: evil.example\r\n{wire.get()[wire.get().index('Host'):]}", 400),
        ("other in the target", wire.get("http://evil.example/"), 421),
        ("other in the target, other case", wire.get("HTTP://EVIL.example/"), 421),
        ("user in the target", wire.get(f"http://{own}@evil.example/"), 421),
        ("user of ours in the target", wire.get(f"http://user@{own}/"), 421),
        ("no host in the target", wire.get("http:///"), 400),
        ("target ours, field other", f"GET http://{own}/icon.svg HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 200),
        ("target ours, field none", f"GET http://{own}/ HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
        ("another scheme", wire.get(f"ftp://{own}/"), 400),
        ("a file", wire.get("file:///etc/passwd"), 400),
        ("no path", wire.get("icon.svg"), 400),
        ("an asterisk", wire.get("*"), 400),
        ("a tunnel", f"CONNECT evil.example:80 HTTP/1.1\r\n{wire.host}\r\n", 405),
    ]:
        yield f"host: {name}", data, [status]


def _framing(wire):
    chunked = "Transfer-Encoding: chunked"
    smuggled = wire.get()
    yield "length and chunks", wire.post("0\r\n\r\n" + smuggled, "Content-Length: 5", chunked, close=False), [400]
    yield "chunks and length", wire.post("0\r\n\r\n" + smuggled, chunked, "Content-Length: 5", close=False), [400]
    for lengths in [("5", "6"), ("5", "5")]:
        yield f"lengths {lengths}", wire.post(CHANGE, *(f"Content-Length: {each}" for each in lengths)), [400]
    for length in ["+21", "-1", "2 1", "21,21", "0x15", "21.0", "", "9" * 30, "٢١", "21;", "1e1"]:
        yield f"length {length!r}", wire.post(CHANGE, f"Content-Length: {length}"), [400]
    whole = f"{len(CHANGE):x}\r\n{CHANGE}\r\n0\r\n\r\n"
    for coding in ["xchunked", "chunked, identity", "identity", "gzip, chunked", "chunked, chunked", "chunked;q=1", '"chunked"']:
        yield f"coding {coding!r}", wire.post(whole, f"Transfer-Encoding: {coding}"), [400]
    yield "two codings", wire.post(whole, chunked, chunked), [400]
    yield "chunks in 1.0", wire.post(whole, chunked).replace("HTTP/1.1", "HTTP/1.0"), [400]
    for name, body in {
        "not hexadecimal": "Z\r\naction\r\n0\r\n\r\n",
        "negative": "-1\r\n",
        "too large a number": "f" * 17 + "\r\na",
        "longer than said": "3\r\nactionX0\r\n\r\n",
        "blank before": " 3\r\nabc\r\n0\r\n\r\n",
        "blank after": "3 \r\nabc\r\n0\r\n\r\n",
        "lines of LF": "3\nabc\n0\n\n",
        "trailer without colon": "3\r\nabc\r\n0\r\nX\r\n\r\n",
        "hexadecimal prefix": "0x3\r\nabc\r\n0\r\n\r\n",
    }.items():
        yield f"chunk: {name}", wire.post(body, chunked), [400]
        yield f"chunk to a flag for programs: {name}", wire.put(body, chunked), [400]
        yield f"chunk of a batch: {name}", wire.batch("3\r\n{ \n\r\n" + body, chunked), [400]
    yield "too many trailers", wire.post("0\r\n" + "X: y\r\n" * 300 + "\r\n", chunked), [431]


def _heads(wire):
    for field in ["X : y", "X\0: y", "X: a\0b", " X: y", "X: a\r\n b", "X: a\rb", "X", ": y", "X Y: z", "Ä: b", "X: a\nY: b"]:
        yield f"field {field!r}", wire.get("/", field), [400]
    yield "lines of LF", wire.get("/").replace("\r\n", "\n"), [505]
    yield "too many fields", wire.get("/", *["X: y"] * 200), [431]
    yield "too large a field", wire.get("/", "X: " + "y" * 100_000), [431]
    yield "too long a target", wire.get("/?q=" + "a" * 100_000), [431]
    yield "far too long a target", wire.get("/?q=" + "a" * LARGE), [431]
    yield "HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]
    for version in ["HTTP/9.9", "HTTP/0.9", "HTTP/3", "HTCPCP/1.0", ""]:
        yield f"version {version!r}", wire.get("/", version=version), None
    yield "TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64, [400]
    yield "another protocol", wire.get("/icon.svg", "Upgrade: websocket", "Connection: Upgrade", close=False) + "x" * 70_000, [200]
    yield "unknown method", wire.get("/").replace("GET", "BREW", 1), [400]
    yield "bytes above ASCII in the target", b"GET /\xff\xfe " + wire.get("/")[6:].encode(), None
    yield "NUL in the target", wire.get("/\0"), [400]


def _bodies(wire):
    yield "declared too large", wire.post("aaa", f"Content-Length: {LARGE}", close=False), [413]
    yield "declared too large and sent", wire.post("a" * LARGE, f"Content-Length: {LARGE}", close=False), [413]
    chunk = "10000\r\n" + "a" * 65536 + "\r\n"
    yield "undeclared too large", wire.post(chunk * (LARGE // 65536), "Transfer-Encoding: chunked", close=False), [413]
    elsewhere = wire.post("a" * LARGE, f"Content-Length: {LARGE}", close=False).replace(KEY, "/nowhere")
    yield "large, to nowhere", elsewhere, [404]
    yield "large, from elsewhere", wire.post("a" * LARGE, f"Content-Length: {LARGE}").replace("same-origin", "cross-site"), [403]
    yield "expected, too large", wire.post("", "Expect: 100-continue", f"Content-Length: {LARGE}", close=False), [100, 413]
    yield "after a request that was the last", wire.get() + wire.get(), [200]
    yield "after a request in 1.0", wire.get(version="HTTP/1.0", close=False) + wire.get(), [200]


def _cut_off(wire):
    for name, data in {
        "length": wire.post(CHANGE, "Content-Length: 100"),
        "chunk": wire.post(f"{len(CHANGE):x}\r\n{CHANGE}\r\n", "Transfer-Encoding: chunked"),
        "chunk's size": wire.post(f"{len(CHANGE):x}\r\n{CHANGE}\r\n0", "Transfer-Encoding: chunked"),
        "head": wire.get("/")[:-2],
        "target": "GET /fla",
    }.items():
        yield f"cut off: {name}", data, [400]


def _broken_off(wire):
    """Requests whose body is never all there, each with the part of it that is."""
    chunked, upload = "Transfer-Encoding: chunked", "Content-Type: multipart/form-data; boundary=x"
    chunk = f"{len(CHANGE):x}\r\n{CHANGE}\r\n"
    imported = f"POST /import HTTP/1.1\r\n{wire.host}Sec-Fetch-Site: same-origin\r\n"
    return {
        "form": (wire.post("", "Content-Length: 100"), CHANGE),
        "form in chunks": (wire.post("", chunked), chunk),
        "upload": (f"{imported}{upload}\r\nContent-Length: 500000\r\n\r\n", "--x\r\n" + "a" * 5000),
        "upload in chunks": (f"{imported}{upload}\r\n{chunked}\r\n\r\n", chunk),
        "change by a program": (wire.put("", "Content-Length: 100"), '{"value": true'),
        "change by a program, in chunks": (wire.put("", chunked), "3\r\n{\"v\r\n"),
        "batch": (wire.batch("", "Content-Length: 100"), '{"changes": ['),
    }


def _forms(wire):
    def form(body, *fields, kind="application/x-www-form-urlencoded"):
        body = body if isinstance(body, bytes) else body.encode()
        lines = [f"POST {KEY} HTTP/1.1", wire.host.strip(), "Connection: close", "Sec-Fetch-Site: same-origin"]
        lines += [f"Content-Type: {kind}"] if kind is not None else []
        return "\r\n".join([*lines, *fields, f"Content-Length: {len(body)}", "", ""]).encode() + body

    for name in ["action", "value", "provider", "revision", "reason", "%61ction", "extra"]:
        yield f"field {name} twice", form(f"{CHANGE}&{name}=x&{name}=y"), [400]
    for kind in [
        None, "", "text/plain", "application/json", "multipart/form-data; boundary=x", "application/xml", "*/*",
        "application/x-www-form-urlencoded; charset=utf-16", "application/x-www-form-urlencoded; charset=latin1",
        "application/x-www-form-urlencodedx", "application/x-www-form-urlencoded, text/plain",
    ]:
        yield f"type {kind!r}", form(CHANGE, kind=kind), [415]
    yield "two types", form(CHANGE, "Content-Type: text/plain"), [415]
    yield "compressed", form(CHANGE, "Content-Encoding: gzip"), [415]
    for name, body in {
        "bad escape": CHANGE + "&reason=%zz",
        "cut-off escape": CHANGE + "&reason=%4",
        "lone percent": CHANGE + "&reason=%",
        "invalid UTF-8, escaped": CHANGE + "&reason=%ff",
        "overlong UTF-8, escaped": CHANGE + "&reason=%c0%af",
        "surrogate, escaped": CHANGE + "&reason=%ed%a0%80",
        "invalid UTF-8": CHANGE.encode() + b"&reason=\xff",
        "UTF-16": (CHANGE + "&reason=x").encode("utf-16"),
        "invalid name": CHANGE + "&%ff=x",
        "too many fields": CHANGE + "".join(f"&f{number}=" for number in range(200)),
    }.items():
        yield f"form: {name}", form(body), [400]
    for name, body in {"NUL in the value": "action=set&value=%00", "NUL in the action": "action=%00set&value=true"}.items():
        yield f"form: {name}", form(body), [422]


CLASSES = {
    "hosts at the wire": _hosts,
    "framing and smuggling": _framing,
    "malformed heads": _heads,
    "oversized bodies": _bodies,
    "hostile forms": _forms,
}

PROTECTED = (b"frame-ancestors 'none'", b"nosniff", b"Cross-Origin-Resource-Policy: same-origin")


def run(server, every=1):
    """Tries each attack, or every Nth, on a server of the demonstration; returns rows of what got through.

    An attack gets through where something else is answered than must be, where the answer lacks the headers that every one
    has, where anything is left in the history, or where the server answers honest clients no more.
    """
    table, wire = AttackTable(), Wire(server)
    rows_before = server.get("/export/history.jsonl").text
    for attack, attempts in CLASSES.items():
        for name, data, expected in list(attempts(wire))[::every]:
            _judge(table, attack, name, expected, *wire.send(data))
    for name, data, expected in list(_cut_off(wire))[::every]:
        _judge(table, "requests that are cut off", name, expected, *wire.send(data, half_closed=True))
    for name, (head, part) in _broken_off(wire).items():
        _judge(table, "requests that are cut off", name, [400], *wire.send(head + part, half_closed=True))
        wire.break_off(head, part)
    rows_after = server.get("/export/history.jsonl").text
    table.note("anything written by these", rows_after, rows_after != rows_before)
    table.note("server gone after these", server.errors(), server.get("/").status != 200)
    # Whatever strangers send is no fault of the server's that somebody should look into.
    errors = [line for line in server.errors().splitlines() if " error " in line]
    table.note("errors in the log for these", errors[:5], errors)
    return table.rows()


def _judge(table, attack, name, expected, statuses, answer, seconds):
    right = statuses == expected if expected else len(statuses) == 1 and 400 <= statuses[0] <= 505
    final = re.split(rb"HTTP/1\.[01] \d{3} ", answer)[-1].partition(b"\r\n\r\n")[0]
    dressed = all(text in final for text in PROTECTED)
    table.note(attack, f"{name}: {statuses} {answer[-200:]!r}", not (right and dressed), seconds)


def run_slow(server):
    """What takes too long, all at the same time: takes 30 seconds. Returns rows."""
    table, wire = AttackTable(), Wire(server)
    lock = threading.Lock()
    rows_before = server.get("/export/history.jsonl").text

    def attempt(name, data, expected, limit):
        statuses, answer, seconds = wire.send(data)
        with lock:
            table.note("slow requests", f"{name}: {statuses} {answer!r}", statuses != expected or seconds < limit - 0.5, seconds)

    attempts = [
        ("head", f"GET / HTTP/1.1\r\n{wire.host}", [408], 5),
        ("target", "GET /x", [408], 5),
        ("body", wire.post(CHANGE, "Content-Length: 100", close=False), [408], 15),
        ("chunks", wire.post(f"{len(CHANGE):x}\r\n{CHANGE}\r\n", "Transfer-Encoding: chunked", close=False), [408], 15),
        ("nothing", "", [], 30),
        ("nothing more", wire.get(close=False), [200], 30),
        ("empty lines", "\r\n", [408], 5),
    ]
    threads = [threading.Thread(target=attempt, args=each) for each in attempts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows_after = server.get("/export/history.jsonl").text
    table.note("anything written by slow requests", rows_after, rows_after != rows_before)
    return table.rows()
