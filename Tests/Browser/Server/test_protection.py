"""Headers, hosts, and requests from other sites."""

import re
import socket

import pytest
from harness import Server, flag_path
from samples import demonstration

KEY = "checkout/guest_checkout"
PAGES = ["/", "/?q=checkout", flag_path(KEY), "/history", "/history/1", "/nowhere", "/flags/no/such/flag"]


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """One server on the demonstration with a change in its history."""
    server = Server(demonstration(tmp_path_factory.mktemp("changed") / "demo"))
    server.change(KEY, "set", "true")
    yield server
    server.stop()


def policy(answer):
    """The Content-Security-Policy as a dictionary of directives."""
    directives = {}
    for directive in answer.headers["content-security-policy"].split(";"):
        name, *sources = directive.split()
        directives[name] = sources
    return directives


def check_headers(answer):
    directives = policy(answer)
    assert directives["default-src"] in (["'self'"], ["'none'"])
    assert directives["frame-ancestors"] == ["'none'"]
    assert {"base-uri", "form-action", "object-src"} <= directives.keys() or directives["default-src"] == ["'none'"]
    for name, sources in directives.items():
        assert set(sources) <= {"'self'", "'none'"}, name
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("path", PAGES)
def test_every_page_carries_the_headers(changed, path):
    answer = changed.get(path)
    check_headers(answer)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"].lower() == "text/html; charset=utf-8"


def test_every_other_answer_carries_the_headers_too(demo):
    fields = demo.editor(KEY) | {"action": "set", "value": "true"}
    resources = re.findall(r'(?:href|src)="(/[^"]+\.(?:css|js|svg|png|ico))"', demo.get("/").text)
    assert resources
    for answer, status in [
        (demo.get("/export/flags.xml"), 200),
        *((demo.get(path), 200) for path in resources),
        (demo.get("/", {"Host": "evil.example"}), 421),
        (demo.post(flag_path(KEY), fields, {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}), 403),
        (demo.post(flag_path(KEY), fields), 303),
        (demo.post("/nowhere", fields), 404),
        (demo.get("/no-such-style.css"), 404),
    ]:
        assert answer.status == status
        check_headers(answer)


def test_no_page_holds_an_inline_script_style_or_handler(changed):
    for path in PAGES:
        text = changed.get(path).text
        assert not re.search(r"<script(?![^>]*\ssrc=)", text), path
        assert "<style" not in text and " style=" not in text, path
        assert not re.search(r"<[a-z][^>]*\son[a-z]+=", text), path


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1.evil.example:{port}",
        "localhost.:{port}",
        "[::1]:{port}.evil.example",
        "",
        " 127.0.0.1:{port},evil.example",
    ],
)
@pytest.mark.parametrize("path", ["/", "/export/flags.xml", flag_path(KEY)])
def test_a_request_for_another_host_is_answered_421(shop, host, path):
    answer = shop.get(path, {"Host": host.format(port=shop.port)})
    assert answer.status == (400 if host == "" and answer.status == 400 else 421)
    assert "checkout" not in answer.text.replace(flag_path(KEY), "")


def test_a_request_with_two_hosts_is_refused_and_told_nothing(shop):
    own = f"Host: 127.0.0.1:{shop.port}\r\n"
    for hosts in (own + "Host: evil.example\r\n", "Host: evil.example\r\n" + own, own + own):
        with socket.create_connection(("127.0.0.1", shop.port), timeout=20) as connection:
            connection.sendall(f"GET / HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
            answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
        assert re.match(r"HTTP/1\.1 4\d\d ", answer)
        assert "flags.xml" not in answer and "checkout" not in answer


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}"])
def test_the_host_that_was_printed_and_localhost_are_served(shop, host):
    assert shop.get("/", {"Host": host.format(port=shop.port)}).status == 200


OTHER_SITES = {
    "cross-site": {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"},
    "same-site": {"Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site"},
    "cross-site with our origin": {"Origin": "{own}", "Sec-Fetch-Site": "cross-site"},
    "same-site with our origin": {"Origin": "{own}", "Sec-Fetch-Site": "same-site"},
    "typed in": {"Sec-Fetch-Site": "none"},
    "other origin alone": {"Origin": "http://evil.example"},
    "other port alone": {"Origin": "http://127.0.0.1:1"},
    "other scheme alone": {"Origin": "https://127.0.0.1:{port}"},
    "null origin": {"Origin": "null"},
    "neither": {},
}


@pytest.mark.parametrize("name", OTHER_SITES)
def test_a_post_from_another_site_is_refused(shop, name):
    before = shop.file.read_bytes()
    fields = shop.editor(KEY) | {"action": "set", "value": "true"}
    headers = {
        header: value.format(own=shop.address, port=shop.port) for header, value in OTHER_SITES[name].items()
    }
    assert shop.post(flag_path(KEY), fields, headers).status == 403
    assert shop.file.read_bytes() == before


def test_a_post_with_our_origin_and_no_fetch_metadata_is_taken(demo):
    fields = demo.editor(KEY) | {"action": "set", "value": "true"}
    assert demo.post(flag_path(KEY), fields, {"Origin": demo.address}).status == 303


def test_a_form_on_another_site_cannot_change_a_flag(shop, open_page, tmp_path):
    """A real browser, a page from a file, a form that aims at the dashboard."""
    before = shop.file.read_bytes()
    fields = shop.editor(KEY) | {"action": "set", "value": "true"}
    inputs = "".join(f'<input name="{name}" value="{value}">' for name, value in fields.items())
    trap = tmp_path / "trap.html"
    trap.write_text(f'<form method="post" action="{shop.url(flag_path(KEY))}">{inputs}<button>Win</button></form>')
    page = open_page()
    page.goto(trap.as_uri())
    with page.expect_response(lambda response: response.request.method == "POST") as answer:
        page.get_by_role("button").click()
    assert answer.value.status == 403
    assert shop.file.read_bytes() == before


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("query", ["action=set&value=true", "action=reset"])
def test_reading_never_changes_anything(shop, method, query):
    before = shop.file.read_bytes()
    fields = "&".join(f"{name}={value}" for name, value in shop.editor(KEY).items() if name != "value")
    shop.request(method, f"{flag_path(KEY)}?{fields}&{query}")
    assert shop.file.read_bytes() == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_change_nothing(shop, method):
    before = shop.file.read_bytes()
    answer = shop.request(method, flag_path(KEY), b"action=reset", {"Sec-Fetch-Site": "same-origin"})
    assert 400 <= answer.status < 600
    assert shop.file.read_bytes() == before


def test_a_body_that_is_too_large_is_refused(shop):
    before = shop.file.read_bytes()
    fields = shop.editor("checkout/notice") | {"action": "set", "value": "x" * 20_000_000}
    try:
        assert shop.post(flag_path("checkout/notice"), fields).status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # refused before the whole body was sent
    assert shop.get("/").status == 200
    assert shop.file.read_bytes() == before


@pytest.mark.parametrize("path", ["/../Package.swift", "/%2e%2e/Package.swift", "/..%2fPackage.swift", "/.//etc/passwd"])
def test_no_path_leads_out_of_the_public_folder(shop, path):
    answer = shop.get(path)
    assert answer.status in (400, 404)
    assert "swift-tools-version" not in answer.text and "root:" not in answer.text


@pytest.mark.parametrize("name", ["flags.history.sqlite", ".flags.xml.lock", "flags.manifest.xml"])
def test_the_files_beside_the_flags_are_not_served(shop, name):
    assert shop.get(f"/{name}").status == 404
