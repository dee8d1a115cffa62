"""The pages for people: short enough to be read, with links and pictures that are there."""

import re
import shlex
import shutil
import subprocess

import command_reference
import pytest
from harness import BINARY, ROOT, environment
from samples import demonstration

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("Examples/*/*.md"), *ROOT.glob("Tests/*.md")])
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


def test_the_reference_of_the_command_line_is_what_the_program_says():
    assert command_reference.PAGE.read_text() == command_reference.page(), "run script/reference"


@pytest.mark.parametrize("command", [name for name, _ in command_reference.commands()])
def test_every_command_is_explained_in_the_page_of_the_command_line(command):
    page = (ROOT / "docs/command-line.md").read_text()
    words = command.removeprefix("flagboard ").split()
    assert all(re.search(rf"\b{word}\b", page) for word in words)


def shown_commands(page):
    """The lines of a page that somebody can type as they are, each with the exit code that it says."""
    lines = re.findall(r"^    flagboard ((?!.*(?:FILE|\||\[)).*)$", page.read_text(), re.M)
    return [(line.split("#")[0].strip(), int((re.findall(r"# exit (\d)", line) or [0])[0])) for line in lines]


@pytest.mark.parametrize("name, count", [("command-line", 15), ("ci", 5)])
def test_every_command_that_a_page_shows_does_what_it_says(tmp_path, name, count):
    file = demonstration(tmp_path / "demo")
    shutil.copy(file, file.with_name("production.xml"))
    shown = shown_commands(ROOT / f"docs/{name}.md")
    assert len(shown) >= count
    for line, code in shown:
        done = subprocess.run(
            [BINARY, *shlex.split(line)], capture_output=True, text=True, timeout=60, cwd=file.parent, env=environment(),
            stdin=subprocess.DEVNULL)
        assert done.returncode == code, f"{line}: {done.stdout}{done.stderr}"
