"""Texts, heads and bodies that no page sends, by dice."""

import gzip
import json

TEXTS = [
    "", " ", "0", "-0", "-1", "1.0", "1e309", "nan", "-inf", "0x10", "true", "TRUE", "null", "[]", "{}", '"', "\0", "a\0b",
    "\x1b[31m", "\r\n", "\n", "a\rb", "\t", "\u0085", "\u2028", "\u202etxt", "e\u0301", "\u0301", "/\u0301", "\ufeff",
    "\ufffe", "\U0010ffff", "\U0001f469\u200d\U0001f4bb", "~", "~0", "~1", "~2", "~01", "a~1b", "/", "//", "a//b", "/a", "a/",
    ".", "..", "../..", "a/../b", "../../etc/passwd", "%", "%2f", "%00", "%zz", "%25", "+", "&", "=", ";", "'\"<>&", "{{x}}",
    "<script>alert(1)</script>", "{{{x}}}",
    "=cmd|' /C calc'!A0", "a" * 300, "a/" * 70 + "b", "9" * 40, str(2**63), str(2**63 - 1), str(-(2**63)), str(-(2**63) - 1), str(2**64),
    "2026-02-30", "2026-01-02T03:04:05Z", "0000-01-01T00:00:00Z", "99999-01-01", "10:00", "(a+)+$", "[", "(?<x>a)\\k<x>", "*", "absent",
    "W/\"x\"", "Local", "local", "Team", "Fixed", "default", "new", "on", "off", "all", "chosen-left", "undo", "flagboard_x",
    "-", "AAAA", "AA=", "====", "http://", "https://a.example/%", "file:///etc/passwd", "javascript:alert(1)", "//evil.example",
    "/\\evil.example", "1 OR 1=1", "\"*\"",
    "bool", "integer", "dictionary", "save", "rename", "delete", "erase", "viewer", "admin", "30d", "merge", "replace", "yes",
]
BYTES = [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"a\xffb", b"\x80", b"\xfe\xff\0a"]
RAW = [
    b"%", b"%4", b"%zz", b"%ff", b"%c0%af", b"%ed%a0%80", b"%u0041", b"a%00", b"&&&", b"=", b"a=b=c", b"?", b"\xff", b"+",
    b"%0d%0a",
]
"""Parts of a form as they travel."""
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "LOCK", "PROPFIND", "get", "BREW"]
TYPES = [
    None, "", "text/plain", "application/json", "application/JSON; charset=utf-8", "application/json;charset=utf-16",
    "application/problem+json", "application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=latin1",
    "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=x",
    'multipart/form-data; boundary="x y "', "multipart/mixed; boundary=x",
    "application/xml", "*/*", ";", "a/b/c", "application/json, text/plain",
]
HEADS = {
    "If-Match": [
        "*", "", '""', '"absent"', '"x", *', 'W/"absent"', "absent", '"a', '"a","b"', '"' + "x" * 5000 + '"', ",", '"é"',
    ],
    "Idempotency-Key": ["", "same", "x" * 255, "x" * 256, "é", '"', " "],
    "Content-Encoding": ["gzip", "identity", "", "br, gzip"],
    "Content-Type": TYPES,
    "Authorization": ["", "Bearer", "Bearer ", "Basic eDp5", "Bearer flagboard_" + "x" * 43, "bearer  x", "Bearer é"],
    "Cookie": ["", "a", "a=b; a=b", "flagboard=x", ";;;", "=", "x=" + "y" * 4000],
    "Sec-Fetch-Site": ["same-origin", "none", "cross-site", "", "same-origin, none"],
    "Origin": ["null", "", "http://evil.example", "http://127.0.0.1", "é"],
    "Referer": ["", "/", "http://", "http://evil.example/", "http://127.0.0.1/%", "x" * 3000, "http://[::1"],
    "Accept": ["application/json", "", "*/*;q=x"],
    "Accept-Encoding": ["gzip", "gzip;q=0", "*;q=9", ",,,", "gzip;q=1e5"],
    "If-None-Match": ["*", '"x"', ""],
    "If-Modified-Since": ["Thu, 01 Jan 1970 00:00:00 GMT", "soon"],
    "Range": ["bytes=0-1", "bytes=-1", "bytes=9-1", "bytes=0-1,3-4", "lines=1"],
    "Last-Event-ID": ["0", "-1", "9" * 30, "x", ""],
    "X-HTTP-Method-Override": ["DELETE"],
    "X-Forwarded-For": ["1.2.3.4"],
    "Accept-Language": ["", "x" * 100],
    "Host": ["evil.example", "", "127.0.0.1"],
}


def text(dice):
    """A text that is odd; now and then a long one, or one that is larger than is taken."""
    luck = dice.random()
    if luck < 0.01:
        return "x" * dice.choice([1000, 20_000, 100_000])
    if luck < 0.013:
        return "é" * 700_000
    if luck < 0.1:
        kinds = [range(0x80), range(0x100, 0xD800)]
        return "".join(chr(dice.choice(dice.choice(kinds))) for _ in range(dice.randrange(12)))
    if luck < 0.2:
        return dice.choice(TEXTS) + dice.choice(TEXTS)
    return dice.choice(TEXTS)


def value(dice, depth=0):
    """What JSON can say, of any kind."""
    kind = dice.randrange(10 if depth < 4 else 7)
    if kind == 0:
        return dice.choice([None, True, False])
    if kind == 1:
        return dice.choice([0, -1, 1, 2**53, 2**63 - 1, -(2**63), 2**64 - 1, 10**40, dice.randrange(100)])
    if kind == 2:
        return dice.choice([0.0, -0.0, 1.0, 0.1, 1e308, 5e-324, dice.random()])
    if kind <= 6:
        return text(dice)
    if kind == 7:
        return [value(dice, depth + 1) for _ in range(dice.randrange(4))]
    return {text(dice)[:200]: value(dice, depth + 1) for _ in range(dice.randrange(4))}


BODIES = [
    b"", b" ", b"{", b"}", b"[1,]", b'{"value":1,}', b"{'value':1}", b"nul", b"NaN", b'{"value":NaN}', b'{"value":1e999}',
    b'{"value":-}', b'{"value":01}', b'{"value":"\\ud800"}', b'{"value":"\\udc00\\ud800"}', b'{"\\ud800":1}',
    b'{"value":"\\u0000"}', b'{"value":"\\x"}', b'{"value":"\x00"}', b'{"value":"\xff"}', b'{"value":1,"value":2}',
    b'{"value":1}{}', b'{"value":"a', b'\xef\xbb\xbf{"value":1}', b"// x\n{}", '{"value":1}'.encode("utf-16"),
    gzip.compress(b'{"value":1}', mtime=0),
]
"""What is no JSON, or not quite what is wanted."""


def json_bytes(dice):
    """What is no JSON, or not quite what is wanted, or too much of it."""
    luck = dice.random()
    if luck < 0.5:
        return dice.choice(BODIES)
    if luck < 0.75:
        many = dice.choice([10, 64, 65, 200, 2000, 50_000])
        parts = dice.choice([(b"[", b"", b"]"), (b"[", b"", b""), (b'{"a":', b"1", b"}"), (b"9", b"", b""), (b'"a', b"", b'"')])
        return b'{"value":' + parts[0] * many + parts[1] + parts[2] * many + b"}"
    if luck < 0.77:
        return b'{"value":"' + b"x" * 1_100_000 + b'"}'
    document = dice.choice(["%s", '{"value":%s}', '{"changes":%s}', '{"preview":true,"changes":[%s]}'])
    return (document % json.dumps(value(dice))).encode()


def multipart(dice, fields, boundary="x"):
    """A form with a file, with something amiss now and then."""
    lines = []
    heads = ["form-data; name={}", "form-data", 'attachment; name="{}"', 'form-data; name="{}"; x']
    for name, content in fields:
        head = dice.choice(['form-data; name="{}"'] * 8 + heads)
        lines += [f"--{boundary}", f"Content-Disposition: {head}".replace("{}", name), "", content]
    if dice.random() < 0.7:
        name, file = dice.choice(["file"] * 6 + ["value", ""]), dice.choice(["a.json", "", "a\"b", "../../a", "é.xml"])
        content = dice.choice(['{"shop": {"on": true}}', "", "<plist/>", "\0\1", text(dice)])
        lines += [f"--{boundary}", f'Content-Disposition: form-data; name="{name}"; filename="{file}"',
                  "Content-Type: application/octet-stream", "", content]
    ends = [f"--{boundary}--"] * 8 + ["", f"--{boundary}", f"--{boundary}--x"]
    body = "\r\n".join([*lines, dice.choice(ends), ""]).encode("utf-8", "surrogatepass")
    return body[: dice.randrange(len(body) + 1)] if dice.random() < 0.05 else body
