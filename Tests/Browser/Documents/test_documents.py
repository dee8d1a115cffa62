"""The pages for people: short enough to be read, with links and pictures that are there."""

import re
import subprocess

import pytest
from harness import BINARY, ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("Examples/*/*.md")])
LARGEST_PICTURE = 60_000


def anchors(page):
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_within_the_repository_leads_somewhere(page):
    text = page.read_text()
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset)="([^"]+)"', text)
    for link in links:
        if link.startswith("http"):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_read_me_leads_to_every_page_of_the_documentation():
    text = (ROOT / "README.md").read_text()
    for page in ROOT.glob("docs/*.md"):
        assert f"(docs/{page.name})" in text


def test_the_read_me_is_short():
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 120 and len(text.split()) <= 700


def test_a_picture_is_small():
    pictures = list(ROOT.glob("docs/pictures/*"))
    assert pictures and all(picture.stat().st_size <= LARGEST_PICTURE for picture in pictures)


COMMANDS = [
    "serve", "history verify", "history accept", "history prune", "history export", "token add", "token list", "token revoke"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_in_the_page_of_the_command_line(command):
    said = subprocess.run([BINARY, "help", *command.split()], capture_output=True, text=True, check=True, timeout=20).stdout
    options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", said, re.M)) - {"--help", "--version"}
    page = (ROOT / "docs/command-line.md").read_text()
    assert options and [option for option in sorted(options) if option not in page] == []
