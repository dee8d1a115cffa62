"""Takes pictures of each page of the demonstration in each of the looks below."""

import plistlib
import shutil
import sys
import tempfile
from pathlib import Path

from browsers import chromium
from harness import Server
from samples import demonstration

DESK = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}}
LOOKS = {
    "desk": DESK,
    "wide": {"viewport": {"width": 1440, "height": 900}},
    "phone": PHONE,
    "dark": DESK | {"color_scheme": "dark"},
    "dark-phone": PHONE | {"color_scheme": "dark"},
}
KEY = "checkout/maximum_basket_items"
PAGES = {
    "list": "/",
    "list-search": "/?q=checkout",
    "list-open-row": f"/?open={KEY}",
    "list-roomy": "/?group=onboarding",
    "list-nothing": "/?q=no+such+flag",
    "flag-number": f"/flags/{KEY}",
    "flag-boolean": "/flags/checkout/guest_checkout",
    "flag-json": "/flags/checkout/delivery_slots",
    "flag-locked": "/flags/onboarding/minimum_age",
    "flag-broken": "/flags/checkout/payment/retry_limit",
    "new-flag": "/definitions/new",
    "definition": f"/definitions/{KEY}",
    "history": "/history",
    "change": "/history/1",
    "time-machine": "/history/at",
    "environments": "/environments",
    "compare": "/compare",
    "import": "/import",
    "export": "/export",
    "access": "/access",
    "webhooks": "/webhooks",
    "settings": "/settings",
    "help": "/help",
    "help-for-programs": "/help/api",
    "not-found": "/flags/no/such/flag",
}


def with_staging(file):
    """Puts the values of another environment beside those of the demonstration."""
    values = plistlib.loads(file.read_bytes())
    values["checkout"] |= {"delivery_fee": 0.0, "new_checkout": False, "maximum_basket_items": 175}
    (file.parent / "staging.xml").write_bytes(plistlib.dumps(values))
    return file


def change(server):
    """Gives the history something to tell."""
    for key, value, reason in [
        (KEY, "175", "Larger orders for the fair"), (KEY, "160", "The fair is over"),
        ("checkout/guest_checkout", "true", "The fake orders have stopped"), ("checkout/delivery_fee", "2.5", ""),
    ]:
        server.change(key, "set", value, reason)
    server.file.write_bytes(server.file.read_bytes().replace(b"<integer>160</integer>", b"<integer>165</integer>"))
    server.get("/")


def main(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        server = Server(with_staging(demonstration(Path(scratch) / "demo")), "--provider", "staging=staging.xml:env")
        try:
            change(server)
            for look, options in LOOKS.items():
                context = browser.new_context(**options)
                page = context.new_page()
                for name, path in PAGES.items():
                    page.goto(server.url(path))
                    page.screenshot(path=folder / f"{name}-{look}.png")
                context.close()
        finally:
            server.stop()
    print(f"{len(PAGES) * len(LOOKS)} pictures are in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
