"""A proxy before the server that ends TLS, and asks under the name that browsers use."""

import pytest
from samples import demonstration
from tokens import make_token

NAME = "flags.example.com"
HTTPS, HTTP = f"https://{NAME}", f"http://{NAME}"


@pytest.fixture
def behind_proxy(serve, tmp_path):
    """A server with a name, its admin's token, and what signs in by it under a host."""

    def start(name, *options):
        server = serve(demonstration(tmp_path / "demo"), "--allowed-host", name, *options, access="token")
        token = make_token(server.file, "ada", "admin")

        def sign_in(host=NAME, **heads):
            sent = {"Host": host, "Content-Type": "application/x-www-form-urlencoded"}
            sent |= {name.replace("_", "-").title(): value for name, value in heads.items()}
            return server.request("POST", "/sign-in", f"token={token}".encode(), sent)

        return server, sign_in

    return start


def cookie(answer):
    return answer.headers["set-cookie"].partition(";")[0]


@pytest.mark.parametrize("name", [NAME, f"{NAME}:443", HTTPS])
def test_a_browser_signs_in_behind_it_and_gets_a_cookie_that_goes_over_tls_alone(behind_proxy, name):
    server, sign_in = behind_proxy(name)
    assert server.get("/sign-in", {"Host": NAME}).status == 200
    for heads in ({"origin": HTTPS}, {"origin": HTTPS, "sec_fetch_site": "same-origin"}):
        answer = sign_in(**heads)
        assert answer.status == 303, answer.text
        held = answer.headers["set-cookie"]
        assert held.startswith("__Host-flagboard_443=") and "; Secure" in held and "; HttpOnly; SameSite=Strict" in held
        own = {"Host": NAME, "Cookie": cookie(answer)}
        assert server.get("/", own).status == 200
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": HTTPS}
        changed = server.request("POST", "/settings", b"theme=dark", own | form)
        assert changed.status == 303 and "; Secure" in changed.headers["set-cookie"]
        out = server.request("POST", "/sign-out", b"", own | form)
        assert out.status == 303 and out.headers["set-cookie"].startswith("__Host-flagboard_443=;")
        assert server.get("/", own).status == 401


def test_a_host_in_capitals_is_the_same_host(behind_proxy):
    assert behind_proxy(NAME)[1](NAME.upper(), origin=HTTPS).status == 303


def test_a_host_that_is_not_known_is_told_what_a_proxy_must_pass_on(behind_proxy):
    answer = behind_proxy(HTTPS)[0].get("/", {"Host": "shop.example.com"})
    assert answer.status == 421 and "--public-url" in answer.text and "Host with its port" in answer.text


@pytest.mark.parametrize(
    "heads",
    [
        {"origin": "https://evil.example"}, {"origin": f"{HTTPS}.evil.example"}, {"origin": "null"}, {},
        {"origin": f"{HTTPS}:8443"}, {"origin": HTTPS, "sec_fetch_site": "same-site"},
        {"origin": HTTPS, "sec_fetch_site": "cross-site"}, {"origin": HTTPS, "sec_fetch_site": "none"},
    ])
def test_no_other_page_signs_in_behind_it(behind_proxy, heads):
    answer = behind_proxy(NAME)[1](**heads)
    assert answer.status == 403 and "set-cookie" not in answer.headers


def test_a_name_that_is_said_to_be_encrypted_takes_no_page_of_its_clear_text(behind_proxy):
    server, sign_in = behind_proxy(HTTPS)
    assert sign_in(origin=HTTP).status == 403
    assert sign_in(host=f"{NAME}:80", origin=HTTP).status == 421
    # Nor does a page ask what the browser says: what is set is for TLS.
    assert "; Secure" in sign_in(sec_fetch_site="same-origin").headers["set-cookie"]


def test_a_session_that_was_begun_over_tls_does_not_count_for_a_page_of_the_clear_text(behind_proxy):
    server, sign_in = behind_proxy(NAME)
    held = {"Host": NAME, "Cookie": cookie(sign_in(origin=HTTPS)), "Content-Type": "application/x-www-form-urlencoded"}
    assert server.request("POST", "/settings", b"theme=dark", held | {"Origin": HTTPS}).status == 303
    assert server.request("POST", "/settings", b"theme=dark", held | {"Origin": HTTP}).status == 401


def test_a_proxy_without_tls_and_the_server_s_own_port_stay_as_they_were(behind_proxy):
    server, sign_in = behind_proxy(NAME)
    answer = sign_in(origin=HTTP)
    assert answer.status == 303 and cookie(answer).startswith("flagboard_80=") and "Secure" not in answer.headers["set-cookie"]
    assert server.get("/", {"Host": NAME, "Cookie": cookie(answer)}).status == 200
    own = f"{NAME}:{server.port}"
    answer = sign_in(host=own, origin=f"http://{own}")
    assert answer.status == 303 and cookie(answer).startswith(f"flagboard_{server.port}=")
    assert sign_in(host=own, origin=f"https://{own}").status == 403
    assert server.get("/sign-in", {"Host": "other.example.com"}).status == 421


@pytest.mark.parametrize("name", [NAME, HTTPS])
def test_the_link_that_signs_in_gives_a_session_that_forms_accept(behind_proxy, name):
    server, _ = behind_proxy(name)
    target = server.link[server.link.index("/sign-in"):]
    # A browser sends no origin with a link, and fetch metadata to encrypted addresses alone.
    answer = server.get(target, {"Host": NAME, "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"})
    assert answer.status == 303, answer.text
    held = answer.headers["set-cookie"]
    assert held.startswith("__Host-flagboard_443=") and "; Secure" in held
    own = {"Host": NAME, "Cookie": cookie(answer)}
    page = server.get("/flags/checkout/maximum_basket_items", own | {"Sec-Fetch-Site": "none"}).text
    assert f"http://{NAME}" not in page
    form = own | {"Content-Type": "application/x-www-form-urlencoded", "Origin": HTTPS, "Sec-Fetch-Site": "same-origin"}
    assert server.request("POST", "/settings", b"theme=dark", form).status == 303
    assert server.request("POST", "/sign-out", b"", form).status == 303
    assert server.get("/", own).status == 401
