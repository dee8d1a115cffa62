"""A program that was installed, in folders that hold somebody else's templates, and one without any."""

import shutil
import subprocess
import urllib.request

import pytest
from harness import BINARY, ROOT, Server, environment
from samples import demonstration

TOUR = "onboarding/welcome_tour"
MARK = "<title>"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The program in `bin`, with its templates in `share/flagboard` beside that."""
    prefix = tmp_path_factory.mktemp("prefix")
    (prefix / "bin").mkdir()
    shutil.copy2(BINARY, prefix / "bin/flagboard")
    put_resources(prefix / "share/flagboard", "Installed ")
    return prefix / "bin/flagboard"


def put_resources(folder, word):
    """Flagboard's templates and style sheets, with a word before the title of every page."""
    for name in ("Templates", "Public"):
        shutil.copytree(ROOT / name, folder / name)
    layout = folder / "Templates/Parts/layout.mustache"
    text = layout.read_text()
    assert text.count(MARK) == 1
    layout.write_text(text.replace(MARK, MARK + word))


@pytest.fixture
def hostile(tmp_path):
    """The demonstration in a folder with another person's templates, to which a link leads as well."""
    file = demonstration(tmp_path / "project")
    put_resources(file.parent, "Hostile ")
    return file


def run(program, folder, *arguments, **variables):
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, cwd=folder,
        env=environment() | variables)
    return done.returncode, done.stdout, done.stderr


def served(file, program):
    """A server that an installed program is, in the folder of the file."""
    return Server(file, prefix=["sh", "-c", f'shift; exec "{program}" "$@"', "sh"])


def page(server):
    return urllib.request.urlopen(server.url("/"), timeout=20).read().decode()


def test_an_installed_program_serves_its_own_templates_and_never_those_of_the_current_folder(program, hostile):
    server = served(hostile, program)
    try:
        text = page(server)
        assert "<title>Installed " in text and "Hostile" not in text
    finally:
        server.stop()


def test_a_program_that_a_link_leads_to_finds_its_own_templates(program, hostile, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/fb").symlink_to(program)
    server = served(hostile, tmp_path / "bin/fb")
    try:
        assert "<title>Installed " in page(server)
    finally:
        server.stop()


def test_a_program_without_templates_beside_it_takes_those_that_it_was_built_with(hostile, tmp_path):
    (tmp_path / "alone/bin").mkdir(parents=True)
    shutil.copy2(BINARY, tmp_path / "alone/bin/flagboard")
    server = served(hostile, tmp_path / "alone/bin/flagboard")
    try:
        text = page(server)
        assert "<title>" in text and "Hostile" not in text
    finally:
        server.stop()


COMMANDS = [
    ["list"], ["get", TOUR], ["explain", TOUR], ["set", TOUR, "false"], ["revert", "1"], ["reset", TOUR], ["lock", TOUR], ["unlock", TOUR],
    ["export"], ["diff"], ["history"], ["manifest"], ["define", "fresh/one", "--type", "bool"], ["undo"],
]


def test_commands_need_no_templates_at_all(program, hostile):
    # Whoever names a folder without templates has none: nor has the folder around any that could be read.
    (hostile.parent / "Templates/Parts/layout.mustache").write_text("{{broken")
    none = {"FLAGBOARD_RESOURCES": str(hostile.parent / "nowhere")}
    for name, *rest in COMMANDS:
        code, printed, error = run(program, hostile.parent, name, "flags.xml", *rest, **none)
        assert code == 0 and (printed or name == "undo"), f"{name}: {code} {error}"
    code, _, error = run(program, hostile.parent, "serve", "flags.xml", "--port", "0", "--no-browser", **none)
    assert code == 1 and "FLAGBOARD_RESOURCES" in error
    watch = subprocess.Popen(
        [program, "watch", "flags.xml", "--after", "0"], cwd=hostile.parent, env=environment() | none,
        stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    with watch:
        try:
            assert watch.stdout.readline().startswith("#1 ")
        finally:
            watch.terminate()
