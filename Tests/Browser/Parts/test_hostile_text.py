"""Text that tries to become markup or script, wherever people and files can put some."""

import plistlib
from urllib.parse import quote

import pytest
from harness import flag_path
from playwright.sync_api import expect
from samples import write

KEY = "checkout/notice"
MARK = "\u0301"

PAYLOADS = [
    '"' + MARK + ' onmouseover="window.ran=1" x="',
    '"' + MARK + ' autofocus onfocus="window.ran=1" x="',
    "'" + MARK + " onmouseover='window.ran=1' x='",
    "<" + MARK + "script>window.ran=1</script>",
    ">" + MARK + '<img src=x onerror="window.ran=1">',
    "&" + MARK + "lt;script>window.ran=1</script>",
    '" onmouseover="window.ran=1" x="',
    "' onmouseover='window.ran=1' x='",
    '"><img src=x onerror=window.ran=1>',
    "'><svg onload=window.ran=1>",
    "<script>window.ran=1</script>",
    "</script><script>window.ran=1</script>",
    "</textarea><script>window.ran=1</script>",
    "</title><script>window.ran=1</script>",
    "</option></select><img src=x onerror=window.ran=1>",
    "<!--><script>window.ran=1</script>-->",
    "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
    "javascript:window.ran=1",
    "{{{value}}} {{#x}}{{/x}} {{>page}}",
    "&lt;b&gt;&#x3c;script&#x3e; &amp;amp;",
    "`${window.ran=1}`",
    '"' + "\u200d" + "' " + "\u202e" + "<b>",
    '"\ufe0f onmouseover="window.ran=1" x="',
    '"\U000e0100 onmouseover="window.ran=1" x="',
]

GUARD = """
window.violations = [];
document.addEventListener("securitypolicyviolation", event => {
    window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});
"""

SNEAKED_IN = """
document => [...document.querySelectorAll("*")].filter(element =>
    [...element.attributes].some(attribute =>
        attribute.name.startsWith("on")
        || ["href", "src", "action", "formaction"].includes(attribute.name) && /^\\s*javascript:/i.test(attribute.value))
    || element.localName === "script" && !element.src
    || element.localName === "iframe"
    || element.localName === "img" && element.getAttribute("src") === "x"
).map(element => element.outerHTML)
"""


READ = """
pages => pages.map(({ html, shown }) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const found = (%s)(page);
    for (const [selector, text] of Object.entries(shown)) {
        const element = page.querySelector(selector);
        // The value of a list's item is a number.
        const held = typeof element?.value === "string" ? element.value : element?.textContent ?? "";
        if (!held.includes(text)) found.push(`${selector} holds ${held}, not ${text}`);
    }
    return found;
}).flat()
""" % SNEAKED_IN


@pytest.fixture
def guarded(open_page):
    page = open_page()
    page.add_init_script(GUARD)
    return page


def check(page):
    """Nothing on the page ran, was stopped from running, or became an element or a handler."""
    for selector in ("[data-effective]", "[name=value]", "[data-change]", "[data-flag]", "input[name=q]"):
        element = page.locator(selector).first
        if element.count() and element.is_visible():
            element.hover()
    assert page.evaluate("window.ran") is None
    assert page.evaluate("window.violations") == []
    assert page.evaluate(f"({SNEAKED_IN})(document)") == []


def check_as_parsed(page, answers):
    """What a browser makes of answers, given as their text and what is to be shown where, without a visit to each."""
    assert answers
    pages = [{"html": text, "shown": shown} for text, shown in answers]
    assert page.evaluate(READ, pages) == []


VISITED = PAYLOADS[::6] + ["".join(PAYLOADS)]
"""What is not only read by a browser's parser but visited too."""


def test_a_browser_that_reads_an_answer_sees_what_is_sneaked_in(guarded):
    for payload in PAYLOADS[9:13] + ['<a href="javascript:window.ran=1">']:
        with pytest.raises(AssertionError):
            check_as_parsed(guarded, [(f"<!DOCTYPE html><p>{payload}</p>", {})])


def test_hostile_values_reasons_and_searches_stay_text(demo, guarded):
    answers = []
    for payload in PAYLOADS:
        demo.change(KEY, "set", payload, payload)
        shown = {"form:has([name=revision]) [name=value]": payload, "[data-effective]": payload, "[data-change]": payload}
        answers.append((demo.get(flag_path(KEY)).text, shown))
    check_as_parsed(guarded, answers)

    page = guarded
    for payload in VISITED:
        page.goto(demo.url(flag_path(KEY)))
        form = page.locator("form:has([name=revision])").first
        form.locator("[name=value]").fill(payload)
        form.locator("[name=reason]").fill(payload[:400])
        form.locator("button[name=action][value=set]").click()
        expect(page.locator("[role=status]").first).to_be_visible()
        expect(page.locator("form:has([name=revision]) [name=value]").first).to_have_value(payload)
        assert payload in page.locator("[data-effective]").text_content()
        check(page)

    page.goto(demo.url("/history"))
    shown = page.locator("[data-change]").all_text_contents()[len(VISITED) :]
    for payload, row in zip(reversed(PAYLOADS), shown, strict=True):
        assert row.count(payload) >= 2
    check(page)
    page.goto(demo.url("/"))
    check(page)


def test_hostile_text_in_an_address_stays_text(shop, guarded):
    def addresses(payload):
        text = quote(payload, safe="")
        return f"/?q={text}", f"/history?key={text}&actor={text}", f"/flags/{text}"

    answers = []
    for payload in PAYLOADS:
        search, history, flag = (shop.get(address).text for address in addresses(payload))
        answers += [(search, {}), (history, {}), (flag, {"main": payload})]
    check_as_parsed(guarded, answers)
    for payload in VISITED:
        for address in addresses(payload):
            guarded.goto(shop.url(address))
            check(guarded)
        guarded.goto(shop.url(addresses(payload)[0]))
        expect(guarded.locator("input[name=q]")).to_have_value(payload)


def test_hostile_values_that_are_refused_stay_text(shop, guarded):
    path = flag_path("appearance/theme/accent_colour")
    field = "form:has([name=revision]) [name=value]"
    fields = shop.editor("appearance/theme/accent_colour") | {"action": "set"}
    answers = [(shop.post(path, fields | {"value": payload}).text, {field: payload}) for payload in PAYLOADS]
    check_as_parsed(guarded, answers)
    for payload in VISITED:
        guarded.goto(shop.url(path))
        form = guarded.locator("form:has([name=revision])").first
        form.evaluate("form => form.noValidate = true")
        form.locator("[name=value]").fill(payload)
        form.locator("button[name=action][value=set]").click()
        expect(guarded.locator("[role=alert]").first).to_be_visible()
        expect(guarded.locator(field).first).to_have_value(payload)
        check(guarded)


def test_hostile_text_in_the_files_stays_text(serve, guarded, tmp_path):
    """Keys, values and every field of the manifest, none of which the dashboard wrote."""
    page = guarded
    values, flags, keys = {}, [], []
    for number, payload in enumerate(PAYLOADS):
        values[payload] = {"value": payload, "stray": [payload, {payload: payload}]}
        keys.append(payload.replace("/", "~1") + "/value")
        flags.append(
            {
                "key": keys[-1],
                "type": "choice" if number % 2 else "string",
                "name": payload,
                "description": payload,
                "default": payload,
                "icon": payload,
                "tags": [payload],
                "owner": payload,
            }
            | ({"choices": [payload, "other"]} if number % 2 else {})
        )
    values["link"] = "javascript:window.ran=1"
    flags.append({"key": "link", "type": "url", "default": "javascript:window.ran=1"})
    groups = [{"key": key.rpartition("/")[0], "name": key, "description": key} for key in keys]
    server = serve(write(tmp_path / "hostile", values, flags, groups))
    assert plistlib.loads(server.file.read_bytes()) == values

    page.goto(server.url("/"))
    assert page.locator("[data-flag]").count() == 2 * len(PAYLOADS) + 1
    check(page)
    everything = list(zip([*keys, "link"], [*PAYLOADS, values["link"]]))
    answers = [(server.get(flag_path(key)).text, {"[data-effective]": payload}) for key, payload in everything]
    check_as_parsed(page, answers)
    for key, payload in everything[::6] + everything[-1:]:
        answer = page.goto(server.url(flag_path(key)))
        assert answer.status == 200, key
        assert payload in page.locator("[data-effective]").text_content()
        check(page)
