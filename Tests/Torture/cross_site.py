"""Pages of other origins, in Chromium, that try to change a flag, to read one, or to frame the dashboard."""

import html
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from attack_table import AttackTable

KEY = "/flags/checkout/guest_checkout"


class _Trap(BaseHTTPRequestHandler):
    """Serves the page that its address holds, or sends elsewhere whatever comes."""

    def do_GET(self):
        asked = parse_qs(urlsplit(self.path).query)
        if "to" in asked:
            self.send_response(int(asked["status"][0]))
            self.send_header("Location", asked["to"][0])
            self.end_headers()
            return
        body = asked.get("page", ["<p>Trap</p>"])[0].encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True  # the page was left meanwhile

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()

    def log_message(self, *_):
        pass


@contextmanager
def trap():
    """A server on another port; yields the port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Trap)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _page(origin, markup):
    return f"{origin}/?{urlencode({'page': markup})}"


def _inputs(fields):
    return "".join(f'<input name="{html.escape(name)}" value="{html.escape(value)}">' for name, value in fields.items())


def _forms(target, fields, origin):
    """Pages whose form is sent by clicking its button."""
    inputs = _inputs(fields)
    button = "<button>Win</button></form>"
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain"):
        yield f"form of {kind}", f'<form method=post action="{target}" enctype="{kind}">{inputs}{button}'
    for policy in ("no-referrer", "unsafe-url", "origin"):
        yield f"form with referrer policy {policy}", f'<meta name=referrer content={policy}><form method=post action="{target}">{inputs}{button}'
    yield "form without an opener", f'<form method=post action="{target}" rel="noopener noreferrer">{inputs}{button}'
    yield "button with an action", f'<form method=get action="/">{inputs}<button formmethod=post formaction="{target}">Win</button></form>'
    for status in (307, 308):
        moved = f"{origin}/?{urlencode({'to': target, 'status': status})}"
        yield f"form sent on with {status}", f'<form method=post action="{html.escape(moved)}">{inputs}{button}'
    yield "form that only reads", f'<form method=get action="{target}">{inputs}{button}'


def _scripts(target, fields):
    """Scripts that ask in another way, each as an expression to wait for."""
    body = json.dumps(urlencode(fields))
    address = json.dumps(target)
    form = '"Content-Type": "application/x-www-form-urlencoded"'
    for mode in ("no-cors", "cors"):
        for credentials in ("include", "omit"):
            yield f"fetch, {mode}, {credentials}", (
                f"fetch({address}, {{method: 'POST', mode: '{mode}', credentials: '{credentials}', headers: {{{form}}}, body: {body}}})")
    yield "fetch with a field of its own", f"fetch({address}, {{method: 'POST', headers: {{{form}, 'X-Y': '1'}}, body: {body}}})"
    for method in ("PUT", "PATCH", "DELETE"):
        yield f"fetch, {method}", f"fetch({address}, {{method: '{method}', body: {body}}})"
    yield "fetch that is kept alive", f"fetch({address}, {{method: 'POST', mode: 'no-cors', keepalive: true, headers: {{{form}}}, body: {body}}})"
    yield "beacon", (
        f"new Promise(done => done(navigator.sendBeacon({address}, new Blob([{body}], {{type: 'application/x-www-form-urlencoded'}}))))"
        f".then(() => fetch({address}, {{mode: 'no-cors'}}))")
    yield "request of the old kind", (
        f"new Promise(done => {{ const r = new XMLHttpRequest(); r.onloadend = done; r.open('POST', {address}); "
        f"r.setRequestHeader('Content-Type', 'application/x-www-form-urlencoded'); r.send({body}); }})")


def _readers(server):
    """Scripts that are true where they read something."""
    for path in ("/export/flags.xml", "/export/history.jsonl", KEY):
        address = json.dumps(server.url(path))
        for options in ("{}", "{credentials: 'include'}"):
            yield f"fetch {path} {options}", f"fetch({address}, {options}).then(answer => answer.text()).then(() => true)"
        yield f"opaque {path}", f"fetch({address}, {{mode: 'no-cors'}}).then(answer => answer.status !== 0)"
    load = "new Promise(done => {{ const e = document.createElement({0}); e.onload = () => done(true); e.onerror = () => done(false); {1}; document.body.append(e); }})"
    for path, element, assign in [
        ("/icon.svg", "img", "src"), ("/flagboard.css", "link", "href"), ("/export/history.jsonl", "script", "src"), ("/export/flags.xml", "script", "src"),
        ("/icon.svg", "video", "src"),
    ]:
        more = "; e.rel = 'stylesheet'" if element == "link" else ""
        script = load.format(json.dumps(element), f"e.{assign} = {json.dumps(server.url(path))}{more}")
        yield f"{element} of {path}", script


def _frames(server):
    for path in ("/", KEY, "/history", "/nowhere", "/flagboard.css"):
        address = html.escape(server.url(path))
        yield f"iframe of {path}", f'<iframe src="{address}"></iframe>'
        yield f"sandboxed iframe of {path}", f'<iframe sandbox="allow-scripts allow-forms" src="{address}"></iframe>'
        yield f"object of {path}", f'<object data="{address}"></object>'
        yield f"embed of {path}", f'<embed src="{address}">'


def run(browser, server, every=1):
    """All of these from a same-site and a cross-site origin; returns rows of what got through."""
    table = AttackTable()
    before = server.file.read_bytes()
    fields = server.editor("checkout/guest_checkout") | {"action": "set", "value": "true", "reason": "trap"}
    target = server.url(KEY)
    context = browser.new_context()
    context.set_default_timeout(10_000)
    page = context.new_page()

    def changed():
        return server.file.read_bytes() != before

    def note(attack, what, through, began):
        table.note(attack, what, through or changed(), time.monotonic() - began)

    try:
        with trap() as port:
            for site in (f"http://127.0.0.1:{port}", f"http://localhost:{port}"):
                for name, markup in list(_forms(target, fields, site))[::every]:
                    page.goto(_page(site, markup))
                    began = time.monotonic()
                    with page.expect_response(lambda answer: answer.url.startswith(target)) as answer:
                        page.get_by_role("button").click()
                    is_read = name.endswith("reads")
                    through = answer.value.status not in ((200, 302, 400) if is_read else (403,))
                    note("CSRF in Chromium: forms", f"{name} from {site}: {answer.value.status}", through, began)
                page.goto(_page(site, "<p>Trap</p>"))
                for name, script in list(_scripts(target, fields))[::every]:
                    began = time.monotonic()
                    page.evaluate(f"() => {script}.then(() => null, () => null)")
                    note("CSRF in Chromium: scripts", f"{name} from {site}", False, began)
                for name, script in list(_readers(server))[::every]:
                    began = time.monotonic()
                    through = page.evaluate(f"() => {script}.catch(() => false)")
                    note("reading from other origins", f"{name} from {site}", through, began)
                for name, markup in list(_frames(server))[::every]:
                    began = time.monotonic()
                    page.goto(_page(site, markup))
                    shown = [frame.content() for frame in page.frames[1:] if frame.url.startswith(server.address)]
                    note("clickjacking", f"{name} from {site}", any("checkout" in text or "<main" in text for text in shown), began)
        for markup in (f'<form method=post action="{target}">{_inputs(fields)}<button>Win</button></form>',):
            page.goto("about:blank")
            page.set_content(markup)
            began = time.monotonic()
            with page.expect_response(lambda answer: answer.url.startswith(target)) as answer:
                page.get_by_role("button").click()
            note("CSRF in Chromium: forms", f"from no origin: {answer.value.status}", answer.value.status != 403, began)
    finally:
        context.close()
    # What was changed by nobody can still be changed by somebody: the attacks were refused, not everything.
    answer = server.post(KEY, fields)
    table.note("own form that is refused", answer.status, answer.status != 303)
    return table.rows()
