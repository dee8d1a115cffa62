"""Pages of other origins: a real browser reads flags for those that are allowed, and nobody changes anything."""

import http.server
import json
import threading

import pytest
from samples import demonstration
from tokens import make_token, run_token

ASK = """async ([address, method, headers, body]) => {
    try {
        const answer = await fetch(address, {method, headers, body: body || undefined});
        return [answer.status, answer.headers.get("ETag"), await answer.text()];
    } catch (error) {
        return [0, null, String(error)];
    }
}"""
LISTEN = """address => new Promise(resolve => {
    const source = new EventSource(address);
    source.onopen = () => { source.close(); resolve("open"); };
    source.onerror = () => { source.close(); resolve("refused"); };
})"""
# As OpenFeature's web provider asks: all flags, the stream that the answer names, and all again for each event of it.
FOLLOW = """async ([origin, token, key]) => {
    window.seen = [];
    window.state = "opening";
    let tag = null;
    const evaluate = async query => {
        const headers = {"Content-Type": "application/json", Authorization: `Bearer ${token}`};
        if (tag) headers["If-None-Match"] = tag;
        const path = `${origin}/ofrep/v1/evaluate/flags${query}`;
        const answer = await fetch(path, {method: "POST", headers, body: JSON.stringify({context: {targetingKey: "x"}})});
        if (answer.status !== 200) return null;
        tag = answer.headers.get("ETag");
        const found = await answer.json();
        window.seen.push(found.flags.find(flag => flag.key === key).value);
        return found;
    };
    let turn = Promise.resolve();
    const {endpoint} = (await evaluate("")).eventStreams.find(stream => stream.type === "sse");
    const source = new EventSource(new URL(endpoint.requestUri, origin).href);
    source.onopen = () => { window.state = "open"; };
    source.onerror = () => { window.state = source.readyState === EventSource.CLOSED ? "closed" : "opening"; };
    source.onmessage = event => {
        const {type, etag} = JSON.parse(event.data);
        if (type !== "refetchEvaluation") return;
        turn = turn.then(() => evaluate(`?flagConfigEtag=${encodeURIComponent(etag)}`));
    };
}"""
ALL = "/ofrep/v1/evaluate/flags"
JSON = {"Content-Type": "application/json"}


class EmptyPage(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>Another site</title>")

    def log_message(self, *_):
        pass


@pytest.fixture
def another_site():
    """The origin of a site that isn't Flagboard's."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), EmptyPage)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def stranger(browser):
    """A page whose browser may complain of what it is refused."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def asking(page, server):
    def ask(path, method="GET", headers=None, body=None):
        return page.evaluate(ASK, [server.url(path), method, headers or {}, body])

    return ask


def test_a_page_of_an_allowed_origin_evaluates_flags_with_a_token_and_reads_the_tag(serve, tmp_path, another_site, stranger):
    server = serve(demonstration(tmp_path / "demo"), "--cors-origin", another_site, access="token")
    bearer = {"Authorization": f"Bearer {make_token(server.file, 'web', 'viewer')}"}
    stranger.goto(another_site)
    ask = asking(stranger, server)
    status, tag, text = ask(ALL, "POST", bearer | JSON, '{"context": {}}')
    assert status == 200 and tag and '"onboarding/welcome_tour"' in text
    assert ask(ALL, "POST", bearer | JSON | {"If-None-Match": tag}, "{}")[0] == 304
    assert ask(f"{ALL}/onboarding/welcome_tour", "POST", {"X-API-Key": bearer["Authorization"][7:]} | JSON, "{}")[0] == 200
    assert ask("/api/v1/flags?limit=1", headers=bearer)[0] == 200
    # A refusal can be read, too.
    assert ask(ALL, "POST", JSON, "{}")[0] == 401
    assert ask(f"{ALL}/no/such", "POST", bearer | JSON, "{}")[0] == 404


def test_a_page_of_an_allowed_origin_changes_nothing(serve, tmp_path, another_site, stranger):
    server = serve(demonstration(tmp_path / "demo"), "--cors-origin", another_site, access="token")
    bearer = {"Authorization": f"Bearer {make_token(server.file, 'web', 'admin')}"}
    before = server.file.read_bytes()
    stranger.goto(another_site)
    ask = asking(stranger, server)
    assert ask("/api/v1/flags/checkout/guest_checkout", "PUT", bearer | JSON, '{"value": true}')[0] == 0
    assert ask("/api/v1/batches", "POST", bearer | JSON, '{"changes": []}')[0] == 0
    assert server.file.read_bytes() == before


@pytest.mark.parametrize("site", [{"Sec-Fetch-Site": "cross-site"}, {}])
def test_a_change_that_names_an_allowed_origin_is_refused_with_a_token_too(serve, tmp_path, site):
    app = "https://app.example.com"
    server = serve(demonstration(tmp_path / "demo"), "--cors-origin", app, access="token")
    token = make_token(server.file, "web", "admin")
    heads = JSON | site | {"Origin": app, "Authorization": f"Bearer {token}", "If-Match": "*"}
    before = server.file.read_bytes()
    changes = b'{"changes": [{"action": "set", "key": "checkout/guest_checkout", "value": true, "revision": "*"}]}'
    for method, path, body in (
        ("PUT", "/api/v1/flags/checkout/guest_checkout", b'{"value": true}'),
        ("DELETE", "/api/v1/flags/checkout/guest_checkout", None),
        ("POST", "/api/v1/batches", changes),
        ("POST", "/api/v1/undo", b"{}"),
        ("POST", "/api/v1/restarted", b"{}"),
        ("DELETE", "/api/v1/definitions/checkout/guest_checkout", None),
    ):
        refused = server.request(method, path, body, heads)
        assert refused.status == 403 and '"other-origin"' in refused.text and "without an Origin header" in refused.text, path
    assert server.file.read_bytes() == before
    del heads["If-Match"]
    assert server.request("POST", ALL, b"{}", heads).status == 200, "an evaluation reads"
    del heads["Origin"]
    heads["If-Match"] = "*"
    assert server.request("PUT", "/api/v1/flags/checkout/guest_checkout", b'{"value": true}', heads).status == 200


def test_a_preflight_request_for_a_page_says_what_pages_of_other_origins_can_read(serve, tmp_path):
    app = "https://app.example.com"
    server = serve(demonstration(tmp_path / "demo"), "--cors-origin", app)
    heads = {"Origin": app, "Access-Control-Request-Method": "GET"}
    for path in ("/flags/checkout/guest_checkout", "/", "/history"):
        refused = server.request("OPTIONS", path, headers=heads)
        assert refused.status == 403 and "only the API and OFREP" in refused.text, path
        assert "can’t change anything" not in refused.text


def test_an_allowed_origin_may_be_written_with_capitals_its_default_port_and_a_slash(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), "--cors-origin", "HTTPS://App.Example.com:443/")
    allowed = server.get("/api/v1/flags", {"Origin": "https://app.example.com"})
    assert allowed.headers["access-control-allow-origin"] == "https://app.example.com"


def test_events_reach_a_page_of_an_allowed_origin(serve, tmp_path, another_site, stranger):
    server = serve(demonstration(tmp_path / "demo"), "--cors-origin", another_site)
    stranger.goto(another_site)
    assert stranger.evaluate(LISTEN, server.url("/ofrep/v1/events")) == "open"
    # With open access, a page needs no token to read.
    assert asking(stranger, server)(ALL, "POST", JSON, "{}")[0] == 200


def test_a_page_that_follows_the_flags_with_a_token_as_openfeature_does_sees_each_change_until_the_token_is_revoked(
        serve, tmp_path, another_site, stranger):
    server = serve(demonstration(tmp_path / "demo"), "--cors-origin", another_site, access="token")
    token = make_token(server.file, "web", "viewer")
    stranger.goto(another_site)
    stranger.evaluate(FOLLOW, [server.url("").rstrip("/"), token, "checkout/guest_checkout"])
    stranger.wait_for_function("window.state === 'open'")
    first = stranger.evaluate("window.seen")
    editor = JSON | {"Authorization": f"Bearer {make_token(server.file, 'ed', 'editor')}", "If-Match": "*"}
    body = json.dumps({"value": not first[0]}).encode()
    assert server.request("PUT", "/api/v1/flags/checkout/guest_checkout", body, editor).status == 200
    stranger.wait_for_function("window.seen.length === 2")
    assert stranger.evaluate("window.seen") == [first[0], not first[0]]
    assert run_token("revoke", server.file, "web").returncode == 0
    stranger.wait_for_function("window.state === 'closed'")


def test_a_ticket_opens_the_stream_of_evaluations_alone(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), access="token")
    bearer = JSON | {"Authorization": f"Bearer {make_token(server.file, 'web', 'admin')}"}
    answer = server.request("POST", ALL, b"{}", bearer)
    path = json.loads(answer.body)["eventStreams"][0]["endpoint"]["requestUri"]
    ticket = path.partition("?")[2]
    assert server.request("HEAD", path).status == 200
    for closed in ("/ofrep/v1/events", path[:-1] + ("0" if path[-1] != "0" else "1"), f"/events?{ticket}", f"/api/v1/flags?{ticket}"):
        assert server.request("HEAD", closed).status == 401, closed
    assert server.request("POST", f"{ALL}?{ticket}", b"{}", JSON).status == 401
    # Who has another token has another stream, so its body isn't taken for this one's.
    other = JSON | {"Authorization": f"Bearer {make_token(server.file, 'app', 'viewer')}"}
    again = server.request("POST", ALL, b"{}", other | {"If-None-Match": answer.headers["etag"]})
    assert again.status == 200 and ticket not in again.text


def test_a_page_of_another_origin_reads_nothing_and_the_refusal_names_the_option(serve, tmp_path, another_site, stranger):
    server = serve(demonstration(tmp_path / "demo"), "--cors-origin", "https://app.example.com")
    stranger.goto(another_site)
    ask = asking(stranger, server)
    assert ask(ALL, "POST", JSON, "{}")[0] == 0 and ask("/api/v1/flags")[0] == 0
    assert stranger.evaluate(LISTEN, server.url("/ofrep/v1/events")) == "refused"
    heads = {"Origin": another_site, "Access-Control-Request-Method": "POST"}
    refused = server.request("OPTIONS", ALL, headers=heads)
    assert refused.status == 403 and "--cors-origin" in refused.text
    assert "access-control-allow-origin" not in refused.headers


def test_the_answers_tell_caches_that_they_depend_on_the_origin(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), "--cors-origin", "https://app.example.com")
    allowed = server.get("/api/v1/flags", {"Origin": "https://app.example.com"})
    assert allowed.headers["access-control-allow-origin"] == "https://app.example.com"
    assert "access-control-allow-credentials" not in allowed.headers
    for origin in ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}):
        answer = server.get("/api/v1/flags", origin)
        assert "Origin" in answer.headers["vary"] and "access-control-allow-origin" not in answer.headers
    page = server.get("/", {"Origin": "https://app.example.com"})
    assert "access-control-allow-origin" not in page.headers, "a page is nothing for other origins"
