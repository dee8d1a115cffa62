"""Takes the pictures that the documentation shows, of the demonstration; script/pictures calls it."""

import base64
import sys
import tempfile
from pathlib import Path

from browsers import chromium
from harness import Server
from samples import demonstration
from tokens import make_token

SIZE = {"width": 1120, "height": 700}
LARGEST = 60_000
"""How many bytes a picture may have: every copy of the repository holds all of them."""


def take(page, path):
    """Writes what the page shows as WebP, with as much detail as fits."""
    session = page.context.new_cdp_session(page)
    for quality in range(90, 30, -10):
        taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        data = base64.b64decode(taken["data"])
        if len(data) <= LARGEST:
            path.write_bytes(data)
            return print(f"{path}: {len(data)} bytes")
    raise SystemExit(f"{path} would have more than {LARGEST} bytes: show less.")


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, chromium() as browser:
        file = demonstration(Path(temporary) / "demo")
        token = make_token(file, "ada", "admin")
        server = Server(file, access="token")
        try:
            for theme in ("light", "dark"):
                page = browser.new_page(viewport=SIZE, color_scheme=theme, reduced_motion="reduce", device_scale_factor=1.5)
                page.goto(server.url("/sign-in"))
                page.fill("#token", token)
                page.press("#token", "Enter")
                page.wait_for_url(server.url("/"))
                page.get_by_role("heading", name="Flags", exact=True).wait_for()
                take(page, folder / f"dashboard-{theme}.webp")
        finally:
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
