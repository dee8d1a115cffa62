"""What many people do at a dashboard at once, by dice: for each route requests as its page sends them, and such as none sends.

A scene is a request, or a few that follow from one another as those of a browser do. All of it follows from the seed and the
scene's number, but for what the server answered meanwhile.
"""

import json
import random
import threading
from dataclasses import dataclass, field, replace
from urllib.parse import quote, quote_from_bytes, urlencode

import odd
from harness import forms_in

FLAGS = {
    "shop/on": ("bool", ["true", "false"], {}),
    "shop/off": ("bool", ["true", "false"], {"requiresRestart": True, "default": False}),
    "shop/count": ("integer", ["0", "7", "-3"], {"minimum": -5, "maximum": 1000, "default": 5}),
    "shop/fee": ("double", ["0.5", "1e3", "-0"], {"requiresRestart": True}),
    "shop/title": ("string", ["a", "", "two\nlines", "\u202e\u0645"], {"tags": ["team a"], "default": "t"}),
    "shop/code": ("string", ["abc", "zzz"], {"pattern": "[a-z]{3}"}),
    "shop/deep/day": ("date", ["2026-01-02", "2026-01-02T03:04:05Z"], {}),
    "shop/deep/blob": ("data", ["AAEC", ""], {}),
    "shop/deep/site": ("url", ["https://a.example/b?c"], {}),
    "shop/deep/size": ("choice", ["S", "M", "2"], {"choices": ["S", "M", 2]}),
    "list": ("array", ["[1, true, \"a\"]", "[]"], {}),
    "table": ("dictionary", ["{\"a\": {\"b\": 1}}", "{}"], {}),
    "any": ("json", ["{\"x\": [1.5, \"a\"]}", "3", "\"t\""], {}),
    "fixed": ("integer", ["1"], {"isLocked": True}),
    "secret/inner": ("bool", ["true"], {"isInternal": True}),
    "a~1b/c~0d": ("string", ["x"], {}),
    "new": ("bool", ["true"], {}),
    "..": ("bool", ["true"], {}),
}
"""Flags with their types, values that each takes, and what else their definitions say."""
UNDEFINED = ["free/one", "free/two", "/", "a//b"]
"""Flags that the values alone hold."""
SPARE = [f"more/flag_{number}" for number in range(8)] + ["shop", "more", "moved/x", "moved/y"]
"""Key paths of flags that come and go, and of groups."""
KEYS = [*FLAGS, *UNDEFINED] * 3 + SPARE
PROVIDERS = ["Local"] * 5 + ["Team"] * 3 + ["", "", "Fixed", "None"]
FORM = "application/x-www-form-urlencoded"


@dataclass
class Request:
    """A request before it is encoded."""

    method: str
    path: str
    query: list = field(default_factory=list)
    heads: list = field(default_factory=list)
    fields: list | None = None
    body: bytes | None = None
    tail: bytes = b""
    """What follows the address as it is."""

    def encoded(self, host):
        query = urlencode(self.query, errors="surrogatepass") if self.query else ""
        target = self.path.encode() + (b"?" + query.encode() if query else b"") + self.tail
        body = self.body
        if body is None and self.fields is not None:
            body = b"&".join(pair if isinstance(pair, bytes) else _pair(*pair) for pair in self.fields)
        heads = self.heads if any(name == "Host" for name, _ in self.heads) else [("Host", host), *self.heads]
        if body is not None:
            heads = [*heads, ("Content-Length", str(len(body)))]
        lines = [self.method.encode() + b" " + target + b" HTTP/1.1", *(f"{name}: {value}".encode() for name, value in heads)]
        return b"\r\n".join([*lines, b"Connection: close", b"", b""]) + (body or b"")

    def with_head(self, name, value):
        rest = [head for head in self.heads if head[0] != name]
        return replace(self, heads=rest if value is None else [*rest, (name, value)])


def _pair(name, value):
    parts = (part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass") for part in (name, value))
    return "=".join(quote_from_bytes(part, safe="") for part in parts).encode()


class World:
    """What the clients know of a server together: who they are, what they have seen."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.cookies = {}
        self.changes = 1
        self.previews = []
        self.lock = threading.Lock()

    def learn(self, answer):
        location = answer.headers.get("location", "")
        digits = location.partition("/history/")[2].partition("?")[0]
        with self.lock:
            if digits.isdigit():
                self.changes = max(self.changes, int(digits))
            if "preview=" in location:
                self.previews = [*self.previews[-9:], location.partition("preview=")[2].partition("&")[0]]


class Scene:
    """One person, doing one thing; `ask(request)` sends what it asks for."""

    def __init__(self, seed, number, world, ask):
        self.dice = random.Random(f"{seed}:{number}")
        self.world, self._ask = world, ask
        self.role = self.dice.choices(["admin", "editor", "viewer", None], [50, 28, 12, 10])[0]
        self.has_cookie = self.dice.random() < 0.25

    def ask(self, request, odds=0.0):
        """Sends a request as the scene's person; with such odds something about it is odd."""
        request = self._proven(request)
        while self.dice.random() < odds:
            request = oddly(self.dice, request)
            odds /= 2
        answer = self._ask(request)
        self.world.learn(answer)
        return answer

    def _proven(self, request):
        cookie = self.world.cookies.get(self.role)
        if self.role and self.has_cookie and cookie:
            return request.with_head("Cookie", cookie).with_head("Sec-Fetch-Site", "same-origin")
        if self.role:
            return request.with_head("Authorization", f"Bearer {self.world.tokens[self.role]}")
        return request.with_head("Sec-Fetch-Site", "same-origin")

    def get(self, path, query=(), odds=0.0):
        return self.ask(Request("GET", path, list(query)), odds)

    def post(self, path, fields, odds=0.0, query=()):
        given = list(fields)
        if isinstance(fields, dict):
            # The boxes of one name are a list.
            given = [(name, each) for name, value in fields.items() for each in (value if isinstance(value, list) else [value])]
        return self.ask(Request("POST", path, list(query), [("Content-Type", FORM)], given), odds)

    def program(self, method, path, document=None, odds=0.0, heads=(), query=()):
        body = None if document is None else json.dumps(document).encode("utf-8", "surrogatepass")
        kind = [] if document is None else [("Content-Type", "application/json")]
        return self.ask(Request(method, path, list(query), [*kind, *heads], body=body), odds)

    def key(self):
        return self.dice.choice(KEYS) if self.dice.random() < 0.95 else odd.text(self.dice)[:2000]

    def value(self, key):
        known = FLAGS.get(key, ("", ["true", "1", "a"], {}))[1]
        return self.dice.choice(known) if self.dice.random() < 0.85 else odd.text(self.dice)

    def change(self):
        return str(max(1, self.world.changes - self.dice.randrange(12)))

    def moment(self):
        """A moment of the past, in one of the ways in which an address names it."""
        times = [("time", "2026-01-02T03:04:05Z"), ("time", "2999-01-01"), ("day", "2026-01-02")]
        times.append(("time", odd.text(self.dice)[:300]))
        return self.dice.choice([[("before", self.change())]] * 6 + [[time] for time in times])

    def address(self, prefix, key):
        """Where a flag is, by the path or by the field."""
        if self.dice.random() < 0.8:
            return prefix + "/" + quote(key, safe="/~", errors="surrogatepass"), []
        return prefix, [("key", key)]

    def forms(self, answer):
        return forms_in(answer.body.decode("utf-8", "replace")) if answer.status in (200, 409, 422) else []

    def confirm(self, answer, odds):
        """Follows to a preview and sends its form, at times twice or with something odd."""
        location = answer.headers.get("location", "")
        if answer.status == 303 and "preview=" in location:
            path, _, query = location.partition("?")
            answer = self.get(path, [tuple(query.split("=", 1))])
        form = next((form for form in self.forms(answer) if form.get("changes", "[]") != "[]"), None)
        if form is None:
            return
        if self.dice.random() < 0.1:
            name = self.dice.choice(list(form))
            form[name] = odd.text(self.dice)
        for _ in range(self.dice.choice([1, 1, 1, 2])):
            self.post("/batch", form, odds)


def oddly(dice, request):
    """The request with one thing changed that no page would change."""
    luck = dice.randrange(9)
    if luck == 0:
        return replace(request, method=dice.choice(odd.METHODS))
    if luck == 1:
        ends = ["/", "//", "/..", "/%2e%2e", "/%00", "/%zz", "%", "%ff", ";x", "/~2", "/%CC%81", ".xml", "/revert"]
        return replace(request, path=request.path + dice.choice([*ends, "/" + quote(odd.text(dice)[:500])]))
    if luck == 2:
        names = ["key", "q", "provider", "time", "left", "right", "preview", "saved", "from", "before", "after", "sort", "page",
                 "limit", "line", "suggestion", "x"]
        name = dice.choice(names)
        return replace(request, query=[*request.query, (name, odd.text(dice)[:3000])])
    if luck == 3:
        return replace(request, tail=(b"&" if request.query else b"?") + dice.choice(odd.RAW))
    if luck == 4:
        name = dice.choice(list(odd.HEADS))
        value = dice.choice(odd.HEADS[name])
        if value is not None and dice.random() < 0.2:
            return replace(request, heads=[*request.heads, (name, value)])
        return request.with_head(name, value)
    return _odd_body(dice, request)


def _odd_body(dice, request):
    if request.fields and dice.random() < 0.8:
        fields, place = list(request.fields), dice.randrange(len(request.fields))
        name = fields[place] if isinstance(fields[place], bytes) else fields[place][0]
        what = dice.randrange(6)
        if what == 0:
            del fields[place]
        elif what == 1:
            fields.append(fields[place])
        elif what <= 3:
            fields[place] = (name, odd.text(dice) if what == 2 else dice.choice(odd.BYTES))
        elif what == 4:
            fields += [(odd.text(dice)[:50], "")] * dice.choice([1, 1, 120])
        else:
            fields.append(dice.choice(odd.RAW))
        return replace(request, fields=fields)
    if request.fields is not None and dice.random() < 0.6:
        pairs = [pair for pair in request.fields if not isinstance(pair, bytes) and isinstance(pair[1], str)]
        return replace(request, body=odd.multipart(dice, pairs)).with_head("Content-Type", "multipart/form-data; boundary=x")
    part = (request.body or b"")[: dice.randrange(50)]
    return replace(request, body=dice.choice([odd.json_bytes(dice), b"", part, dice.randbytes(dice.randrange(2000))]))
