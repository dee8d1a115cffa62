"""Text that tries to become markup, script or a template, wherever files and people can put some, in Chromium."""

import itertools
import random
import re
import time
from contextlib import contextmanager
from urllib.parse import quote

from attack_table import AttackTable
from harness import Server
from samples import write

RUN = "alert(1);window.__x=1"

CLOSERS = [
    "", '"', "'", '">', "'>", "`", "</textarea>", "</title>", "</script>", "</style>", "</option></select>", "-->", "]]>", "</pre>",
    "</code></a>", "{{/value}}", "</summary></details>", "</svg>", "\\\"", "</noscript>", "?>",
]

VECTORS = [
    f"<script>{RUN}</script>", f"<ScRiPt >{RUN}</sCrIpT>", f"<script/x>{RUN}</script>", f"<script\n>{RUN}</script\n>",
    f"<scr<script>ipt>{RUN}</script>", f"<img src=x onerror={RUN}>", f"<img/src=x/onerror={RUN}>", f"<svg onload={RUN}>",
    f"<svg/onload={RUN}//", f"<svg><script>{RUN}</script>", f"<svg><animate onbegin={RUN} attributeName=x>", f"<body onload={RUN}>",
    f"<details open ontoggle={RUN}>", f"<input autofocus onfocus={RUN}>", f"<video><source onerror={RUN}>", f"<marquee onstart={RUN}>",
    f"<a href=javascript:{RUN} autofocus>x</a>", f'<iframe srcdoc="<script>parent.__x=1</script>">', f"<iframe src=javascript:{RUN}>",
    f"<object data=javascript:{RUN}>", f"<embed src=javascript:{RUN}>", f"<math><mtext><script>{RUN}</script>",
    "<link rel=stylesheet href=http://evil.example/>", "<style>*{background:url(http://evil.example/)}</style>",
    "<meta http-equiv=refresh content=0;url=http://evil.example/>", "<base href=http://evil.example/>",
    "<form action=http://evil.example/><button>", "<template shadowrootmode=open>", f" onmouseover={RUN} x=", f" autofocus onfocus={RUN} x=",
    " style=background:url(http://evil.example/) x=", " type=image src=x x=", " formaction=http://evil.example/ x=", "{{{text}}}", "{{&text}}",
    "{{=<% %>=}}<%&text%>", "{{>layout}}", "{{#frame}}{{fileName}}{{/frame}}", "{{% CONTENT_TYPE:TEXT}}", "{{<layout}}{{$body}}x{{/body}}{{/layout}}",
    "${" + RUN + "}", "<%= 1 %>", "#{1}", f"javascript:{RUN}", f"data:text/html,<script>{RUN}</script>", f"&lt;script&gt;{RUN}&lt;/script&gt;",
    f"&#60;script&#62;{RUN}&#60;/script&#62;", f"&#x3c;script>{RUN}&#x3c;/script>", f"\\u003cscript\\u003e{RUN}", f"%3Cscript%3E{RUN}%3C/script%3E",
    f"+ADw-script+AD4-{RUN}+ADw-/script+AD4-", f"\uff1cscript\uff1e{RUN}\uff1c/script\uff1e", f"<![CDATA[<script>{RUN}</script>]]>",
    f"<!--><script>{RUN}</script>-->", f"<?xml-stylesheet href='javascript:{RUN}'?>", "<!ENTITY x SYSTEM 'file:///etc/passwd'>",
]

TRICKS = ["", "\u0301", "\ufe0f", "\u200d", "\u202e", "\u2066", "\U000e0100", "\u2028", "\u00a0", "\u0338", "\ufeff", "\u0345"]


def payloads(count=500):
    """The first `count` of a fixed order over every closer, with a trick after its first character, and every vector."""
    made = {}
    for closer, vector, trick in itertools.product(CLOSERS, VECTORS, TRICKS):
        whole = closer + vector
        made[whole[:1] + trick + whole[1:]] = None
    every = sorted(made)
    random.Random(4).shuffle(every)
    return every[:count]


WATCH = """
window.__violations = [];
document.addEventListener("securitypolicyviolation", event => {
    window.__violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});
"""

SHAPE = """
() => {
    // What tells whether the page is live changes from moment to moment.
    const elements = [...document.querySelectorAll("*:not(#live)")].filter(element => !element.hasAttribute("data-sign"));
    // Which changes a flag's bars draw as one piece, and so what their legend explains, follows from the time since.
    // No command is offered to be copied with characters in it that can't be seen.
    const counted = elements.filter(
        element => !element.matches("rect.span, rect.span > title, .timeline-legend *, .copies *"));
    const attributes = new Set(elements.flatMap(element => element.getAttributeNames()));
    return {
        ran: window.__x ?? null,
        violations: window.__violations,
        attributes: [...attributes].sort(),
        count: counted.length,
        names: [...new Set(elements.map(element => element.localName))].sort(),
        elsewhere: [...document.querySelectorAll("[href], [src], [action], [formaction]")].map(
            element => element.getAttribute("href") ?? element.getAttribute("src") ?? element.getAttribute("action")
        // The address that the samples of URL flags hold, which their pages offer to open.
        ).filter(address => address !== "https://a.example/").filter(address => !address.startsWith("/") && !address.startsWith("#") && !address.startsWith("?")),
    };
}
"""


SCRIPTED = {
    "names": {"button", "div", "input", "label", "option", "pre", "select", "span"},
    "attributes": {"aria-disabled", "hidden", "title"},
}
"""What the page's own scripts add, a moment later or sooner, and no attack would be content with."""


@contextmanager
def _watched(browser):
    """A page that tells what ran: `window.__x`, dialogs, and what the policy stopped."""
    context = browser.new_context()
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.add_init_script(WATCH)
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    try:
        yield page, dialogs
    finally:
        context.close()


class _Visits:
    """Opens pages and compares each with the same page of harmless text."""

    def __init__(self, table, page, dialogs):
        self.table, self.page, self.dialogs = table, page, dialogs
        self.requested = []
        page.on("request", lambda request: self.requested.append(request.url))

    def look(self, address):
        del self.dialogs[:], self.requested[:]
        began = time.monotonic()
        self.page.goto(address)
        shape = self.page.evaluate(SHAPE)
        # The page before, of the other server, may still ask for its icon.
        shape["elsewhere"] += [url for url in self.requested if not url.startswith("http://127.0.0.1:")]
        return shape, time.monotonic() - began

    def compare(self, attack, what, address, harmless, same_count=True):
        shape, seconds = self.look(address)
        found = {name: sorted(set(shape[name]) - set(harmless[name]) - SCRIPTED[name]) for name in SCRIPTED}
        wrong = [f"{name}: {more}" for name, more in found.items() if more]
        if same_count and shape["count"] != harmless["count"]:
            wrong.append(f"{shape['count']} elements, not {harmless['count']}")
        wrong += [f"{name}: {shape[name]}" for name in ("ran", "violations", "elsewhere") if shape[name]]
        wrong += self.dialogs
        self.table.note(attack, f"{what!r} at {address}: {wrong}", bool(wrong), seconds)


def _files(folder, texts):
    """Files in which every field of every flag holds one of `texts`."""
    values, flags, keys = {}, [], []
    kinds = ["string", "choice", "array", "dictionary", "json", "url"]
    for number, text in enumerate(texts):
        kind = kinds[number % len(kinds)]
        held = {"array": [text, [text]], "dictionary": {text: text}, "json": '{"a": 1}', "url": "https://a.example/"}.get(kind, text)
        values[f"{text}{number}"] = {"value": held, text: {"stray": text}}
        keys.append(f"{text}{number}".replace("~", "~0").replace("/", "~1") + "/value")
        flags.append(
            {"key": keys[-1], "type": kind, "name": text, "description": text, "icon": text, "tags": [text, f"{text}2"], "owner": text}
            | ({"group": keys[-1].rpartition("/")[0] + "g"} if number % 2 else {})
            | ({"choices": [text, "other"]} if kind == "choice" else {})
            | ({"pattern": f"[\\s\\S]*|{re.escape(text)}", "default": text} if kind == "string" else {})
        )
    groups = [{"key": key.rpartition("/")[0], "name": text, "description": text} for key, text in zip(keys, texts)]
    return write(folder, values, flags, groups), keys


def _address(server, key):
    return server.url("/flags/" + quote(key, safe="/~"))


def in_files(table, browser, folder, texts):
    """Keys, values of each type, and every field of the manifest."""
    harmless_file, harmless_keys = _files(folder / "harmless", ["word"] * len(texts))
    hostile_file, keys = _files(folder / "hostile", texts)
    servers = []
    try:
        servers.append(Server(harmless_file))
        servers.append(Server(hostile_file))
        with _watched(browser) as watched:
            visits = _Visits(table, *watched)
            shapes = [visits.look(_address(servers[0], key))[0] for key in harmless_keys[:6]]
            for number, (key, text) in enumerate(zip(keys, texts)):
                # A value that can't be kept, of a pattern that can't be read, is shown with why: elements of the page's own.
                visits.compare("script in the files, on a flag's page", text, _address(servers[1], key), _union(shapes), False)
            list_shape = visits.look(servers[0].url("/"))[0]
            visits.compare("script in the files, on the list", len(texts), servers[1].url("/"), _union([list_shape, *shapes]), False)
    finally:
        for server in servers:
            server.stop()


def _union(shapes):
    return {name: sorted(set().union(*(shape[name] for shape in shapes))) for name in ("names", "attributes")} | {"count": 0}


def in_addresses(table, browser, server, texts):
    """Every field of a search, every filter, and key paths that lead nowhere."""
    with _watched(browser) as watched:
        visits = _Visits(table, *watched)
        addresses = {
            "on the list": "/?q={0}&state={0}&tag={0}&provider={0}&group={0}",
            "on the history": "/history?q={0}&key={0}&actor={0}&kind={0}&origin={0}&from={0}&to={0}",
            "on a page that is none": "/flags/{0}",
            "on a flag's page": "/flags/checkout/notice?provider={0}&saved={0}",
        }
        for place, address in addresses.items():
            shapes = {}
            for text in texts:
                # A comma parts one state from the next, and each that there is none of is told by an element of its own.
                commas = text.count(",")
                if commas not in shapes:
                    words = quote(",".join(f"harmless{number}" for number in range(commas + 1)), safe="")
                    shapes[commas] = visits.look(server.url(address.format(words)))[0]
                url = server.url(address.format(quote(text, safe="")))
                visits.compare(f"script in an address, {place}", text, url, shapes[commas])


def in_forms(table, browser, server, texts):
    """Values and reasons that were stored, on the pages of the history, and those that were refused."""
    for place, text in enumerate(texts):
        fields = {"action": "set", "value": text, "reason": text}
        answer = server.post("/flags/checkout/notice", fields)
        assert answer.status == 303, f"{text!r}: {answer.status} {answer.text}"
        if place % 10 == 0 and text.strip():
            answer = server.post("/history/1/reason", {"reason": text})
            assert answer.status == 303, f"{text!r}: {answer.status} {answer.text}"
    with _watched(browser) as watched:
        visits = _Visits(table, *watched)
        before = visits.look(server.url("/history"))[0]
        change = visits.look(server.url("/history/1"))[0]
        flag = visits.look(server.url("/flags/checkout/notice"))[0]
        colour = visits.look(server.url("/flags/appearance/theme/accent_colour"))[0]
        harmless = _union([before, change, flag])
        address, number = "/history", 0
        while address:
            visits.compare("script in changes, on the history", number, server.url(address), harmless, False)
            older = visits.page.locator("a[rel=next]")
            address = older.get_attribute("href") if older.count() else None
            number += 1
        for text in texts[:: max(1, len(texts) // 20)]:
            form = visits.page
            form.goto(server.url("/flags/appearance/theme/accent_colour"))
            form.evaluate("text => { const form = document.querySelector('form:has([name=revision])'); form.noValidate = true;"
                          " form.elements.value.value = text; form.elements.reason.value = text; }", text)
            began = time.monotonic()
            form.click("button[name=action][value=set]")
            shape = form.evaluate(SHAPE)
            wrong = [shape["ran"], shape["violations"], set(shape["names"]) - set(_union([harmless, colour])["names"]), visits.dialogs]
            refused = form.evaluate("document.querySelector('form:has([name=revision])').elements.value.value")
            kept = refused == text.replace("\n", "") or "\n" in text
            table.note("script in refused forms", f"{text!r}: {wrong}", any(wrong) or not kept, time.monotonic() - began)


def in_names(table, browser, folder, texts):
    """Names of providers and of the file itself."""
    names = [text.replace("=", ":").replace("\n", "").replace("\u2028", "") for text in texts]
    name = '"><img src=x onerror=window.__x=1>{{frame}}\u0301.xml'
    file = write(folder / "names", {"a": "x"}).rename(folder / "names" / name)
    options = []
    for number, provider in enumerate(names):
        other = write(folder / f"other{number}", {"a": "y"})
        options += ["--provider", f"{provider}={other}"]
    paths = ("/", "/flags/a", "/history", "/export", "/nowhere")
    server = Server(file, *options)
    try:
        with _watched(browser) as watched:
            visits = _Visits(table, *watched)
            plain = Server(write(folder / "plain", {"a": "x"}), "--provider", f"Team={write(folder / 'team', {'a': 'y'})}")
            try:
                harmless = _union([visits.look(plain.url(path))[0] for path in paths])
            finally:
                plain.stop()
            for path in paths:
                visits.compare("script in names of providers and the file", path, server.url(path), harmless, False)
    finally:
        server.stop()


def run(browser, server, folder, every=1):
    """All of these, with every Nth of 500 payloads; `server` serves the demonstration. Returns rows of what got through."""
    table, texts = AttackTable(), payloads()[::every]
    in_files(table, browser, folder, texts)
    in_forms(table, browser, server, texts)
    in_addresses(table, browser, server, texts)
    in_names(table, browser, folder, texts[:20])
    return table.rows()
