"""A program by itself, in a folder of its own, beside folders that hold somebody else's templates."""

import re
import shutil
import subprocess

import pytest
from harness import BINARY, ROOT, Server, environment
from samples import demonstration

TOUR = "onboarding/welcome_tour"
MARK = "<title>"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The program alone in a folder."""
    folder = tmp_path_factory.mktemp("alone")
    return shutil.copy2(BINARY, folder / "flagboard")


def put_resources(folder, word):
    """Flagboard's templates and style sheets, with a word before the title of every page."""
    for name in ("Templates", "Public"):
        shutil.copytree(ROOT / name, folder / name)
    layout = folder / "Templates/Parts/layout.mustache"
    text = layout.read_text()
    assert text.count(MARK) == 1
    layout.write_text(text.replace(MARK, MARK + word))
    return layout


@pytest.fixture
def hostile(tmp_path):
    """The demonstration in a folder with another person's templates."""
    file = demonstration(tmp_path / "project")
    put_resources(file.parent, "Hostile ")
    return file


def run(program, folder, *arguments):
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, cwd=folder, env=environment())
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def served(program):
    """Starts a server that the program alone is, in the folder of a file."""
    servers = []

    def start(file, *options):
        servers.append(Server(file, *options, prefix=["sh", "-c", f'shift; exec "{program}" "$@"', "sh"]))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


PAGES = [
    "/", f"/flags/{TOUR}", "/history", "/compare", "/environments", "/import", "/export", "/history/at", "/help", "/settings", "/searches",
    "/webhooks", "/access", "/definitions/new", "/help/api",
]


def test_the_program_alone_serves_every_page_with_all_that_it_names_and_never_those_of_the_current_folder(served, hostile):
    server = served(hostile)
    named = set()
    for path in PAGES:
        answer = server.get(path)
        assert answer.status == 200 and MARK in answer.text and "Hostile" not in answer.text, path
        named |= set(re.findall(r'(?:href|src)="(/assets/[^"#]+)', answer.text))
    assert len(named) > 20
    for address in named:
        answer = server.get(address)
        assert answer.status == 200 and answer.text, address


def test_whoever_works_on_the_pages_sees_an_edit_on_the_next_one(served, tmp_path):
    layout = put_resources(tmp_path / "work", "First ")
    server = served(demonstration(tmp_path / "project"), "--resources", str(tmp_path / "work"))
    assert f"{MARK}First " in server.get("/").text
    layout.write_text(layout.read_text().replace("First ", "Second "))
    assert f"{MARK}Second " in server.get("/").text
    # What is wrong is logged, and the pages stay.
    layout.write_text("{{broken")
    assert f"{MARK}Second " in server.get("/").text
    said = server.errors()
    assert said.count("Serving pages from ") == 1 and "The template layout" in said


@pytest.mark.parametrize("given", [[], ["Templates"], ["Templates", "Public"]])
def test_a_folder_without_the_pages_is_refused_with_what_is_missing(program, hostile, tmp_path, given):
    for name in given:
        (tmp_path / "empty" / name).mkdir(parents=True)
    code, _, error = run(
        program, hostile.parent, "serve", "flags.xml", "--port", "0", "--no-browser", "--resources", str(tmp_path / "empty"))
    assert code == 1 and "\nflagboard: " in error
    assert ("No templates found" if len(given) == 2 else str(tmp_path / "empty")) in error


COMMANDS = [
    ["list"], ["get", TOUR], ["explain", TOUR], ["set", TOUR, "false"], ["revert", "1"], ["reset", TOUR], ["lock", TOUR], ["unlock", TOUR],
    ["export"], ["diff"], ["history"], ["manifest"], ["define", "fresh/one", "--type", "bool"], ["undo"],
]


def test_commands_read_no_templates_at_all(program, hostile):
    (hostile.parent / "Templates/Parts/layout.mustache").write_text("{{broken")
    for name, *rest in COMMANDS:
        code, printed, error = run(program, hostile.parent, name, "flags.xml", *rest)
        assert code == 0 and (printed or name == "undo"), f"{name}: {code} {error}"
    watch = subprocess.Popen(
        [program, "watch", "flags.xml", "--after", "0"], cwd=hostile.parent, env=environment(), stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL, text=True)
    with watch:
        try:
            assert watch.stdout.readline().startswith("#1 ")
        finally:
            watch.terminate()
