"""Browser contexts that tests take over from one another: to begin one takes a browser longer than most tests do.

Chromium begins a process for each new context and another for the first page in it that comes from a server. Here a context
stays, with one empty page of this machine's address in it, whose process the pages of the tests join. What a test leaves
behind in it is removed: its pages, its cookies, and what its pages stored.
"""

import json
import os
import shutil
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Error, TimeoutError, sync_playwright

PATIENCE = 20_000
"""For how many milliseconds a page is waited for: a machine may be busy, and only a test that fails waits so long."""

FLAGS = ["--no-sandbox", "--process-per-site"]

CHROMIUM = ("chromium-headless-shell", "chromium")
"""Debian's names of it. The first is built without windows: the same pages take it a quarter less work."""

OF_PAGES = {"color_scheme", "forced_colors", "reduced_motion"}
"""Options of a context that a page can be given just as well, so that contexts need not differ in them."""


CLOSES = 20
"""How often a page is closed before it counts as one that can't be."""


@contextmanager
def chromium(flags=FLAGS):
    """Runs Chromium, the one that `FLAGBOARD_CHROMIUM` names or Debian's."""
    chosen = os.environ.get("FLAGBOARD_CHROMIUM")
    executable = next(filter(None, map(shutil.which, [chosen] if chosen else CHROMIUM)), None)
    if executable is None:
        raise FileNotFoundError(f"{chosen or 'Chromium'} isn't installed: run script/setup --tests")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, headless=True, args=flags)
        yield browser
        browser.close()


class SharedContext:
    def __init__(self, browser, session, options):
        self._session = session
        self._context = browser.new_context(**options)
        self._context.set_default_timeout(PATIENCE)
        self._origins = set()
        self._kept = self._context.new_page()
        self._kept.route("**/*", lambda route: route.fulfill(body="<!DOCTYPE html>", content_type="text/html"))
        self._kept.goto("http://127.0.0.1:1/")
        self._context.on("page", self._follow)
        page_session = self._context.new_cdp_session(self._kept)
        self._target = page_session.send("Target.getTargetInfo")["targetInfo"]
        page_session.detach()

    def open(self, viewport, media):
        page = self._context.new_page()
        page.set_viewport_size(viewport or {"width": 1280, "height": 720})
        if media:
            page.emulate_media(**media)
        return page

    def _follow(self, page):
        page.on("framenavigated", lambda frame: self._origins.add(urlsplit(frame.url)[:2]))

    def clean(self):
        self._close_pages()
        self._context.clear_cookies()
        session = self._context.new_cdp_session(self._kept)
        for scheme, host in self._origins:
            if host:
                stored = {"origin": f"{scheme}://{host}", "storageTypes": "local_storage"}
                session.send("Storage.clearDataForOrigin", stored)
        session.detach()
        self._origins.clear()

    def _close_pages(self):
        """Closes all pages but the one that is kept.

        Chromium loses a close that meets the commit of a navigation (crbug.com/536385539), and `Page.close` waits for it for
        ever: here it is said again.
        """
        for _ in range(CLOSES):
            page = next((page for page in self._context.pages if page != self._kept), None)
            if page is None:
                return
            try:
                with page.expect_event("close", timeout=1000):
                    for target in self._targets():
                        self._session.send("Target.closeTarget", {"targetId": target})
            except TimeoutError:
                continue
        raise Error("a page can't be closed")

    def _targets(self):
        """What Chromium calls the pages of this context, without the one that is kept."""
        return [
            each["targetId"] for each in self._session.send("Target.getTargets")["targetInfos"]
            if each["type"] == "page" and each["browserContextId"] == self._target["browserContextId"]
            and each["targetId"] != self._target["targetId"]]


def keep_unaware(page):
    """Has a page be told nothing of what others do while it is open, so that it takes up no change behind a test's back."""
    page.route("**/events*", lambda route: route.fulfill(status=204))


class SharedContexts:
    """The contexts of one browser, by their options."""

    def __init__(self, browser):
        self._browser = browser
        self._session = browser.new_browser_cdp_session()
        self._free = {}

    @contextmanager
    def lending(self):
        """Yields what opens a page, each in a context of its own; those are given back in the end."""
        lent = []

        def open_page(viewport=None, **options):
            media = {name: options.pop(name) for name in OF_PAGES & options.keys()}
            key = json.dumps(options, sort_keys=True)
            free = self._free.setdefault(key, [])
            context = free.pop() if free else SharedContext(self._browser, self._session, options)
            lent.append((key, context))
            return context.open(viewport, media)

        yield open_page
        for key, context in lent:
            try:
                context.clean()
            except Error:
                continue  # the test closed it, or it is broken: nobody else gets it
            self._free[key].append(context)


def tab_to(page, selector, limit=120):
    """Presses Tab until the element has the focus, and checks that the focus can be seen."""
    for _ in range(limit):
        page.keyboard.press("Tab")
        if page.locator(f":is({selector}):focus").count():
            outline = page.locator(":focus").evaluate(
                "element => { const style = getComputedStyle(element);"
                " return style.outlineStyle !== 'none' || style.boxShadow !== 'none'; }"
            )
            assert outline, f"{selector} does not show that it has the focus"
            return
    raise AssertionError(f"Tab does not reach {selector}")
