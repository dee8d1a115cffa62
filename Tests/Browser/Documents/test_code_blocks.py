"""The code of the documentation, and of the page of an empty file, compiles against the libraries that were built."""

import html
import plistlib
import re
import sys

import pytest
from code_blocks import (
    CONFIGURATION, OTHERS, REMOTE, SURROUNDINGS, as_program, blocks_of, blocks_of_comments, pages, sources, stood_in, type_check,
    types_without_example)
from harness import ROOT


def test_every_block_of_the_documentation_compiles(tmp_path):
    programs = [[block for block in blocks_of(page) if block.is_compiled] for page in pages()
        if page not in CONFIGURATION]
    programs += [[block] for source in sources() for block in blocks_of_comments(source) if block.is_compiled]
    assert sum(map(len, programs)) > 100
    files = []
    for number, blocks in enumerate(blocks for blocks in programs if blocks):
        files.append(tmp_path / f"blocks{number}.swift")
        files[-1].write_text(as_program(blocks, number))
    assert type_check([*files, SURROUNDINGS, REMOTE], tmp_path) == []


def test_the_code_of_the_pages_of_swift_configuration_compiles(tmp_path):
    comments = [
        block for source in sorted((ROOT / "Sources/Library/FeatureFlagsConfiguration").glob("*.swift"))
        for block in blocks_of_comments(source)]
    programs = [[block for block in blocks_of(page) if block.is_compiled] for page in CONFIGURATION]
    assert [*map(len, programs), len(comments)] == [3, 2, 3]
    programs += [[block] for block in comments]
    files = []
    for number, blocks in enumerate(programs):
        files.append(tmp_path / f"blocks{number}.swift")
        files[-1].write_text("import Configuration\nimport FeatureFlagsConfiguration\n" + as_program(blocks, number))
    assert type_check([*files, SURROUNDINGS], tmp_path) == []


def test_each_library_has_a_catalogue_of_its_documentation_that_the_script_builds():
    libraries = [folder.name for folder in (ROOT / "Sources/Library").iterdir() if folder.is_dir()]
    script = (ROOT / "script/docs").read_text()
    for library in libraries:
        assert (ROOT / f"Sources/Library/{library}/{library}.docc/{library}.md").exists(), library
        assert re.search(rf"^(others=\(|for library in ).*\b{library}\b", script, re.M), library


@pytest.mark.skipif(sys.platform == "darwin", reason="Apple's frameworks are there")
def test_the_code_for_swift_ui_and_combine_compiles_against_stand_ins(tmp_path):
    programs = [[block for block in blocks_of(page) if block.is_of_apple] for page in pages()]
    programs += [[block] for source in sources() for block in blocks_of_comments(source) if block.is_of_apple]
    assert sum(map(len, programs)) >= 8
    # What the comment of `binding` speaks of besides.
    files = [tmp_path / "observed.swift"]
    files[0].write_text("import FeatureFlagsObservation\nlet observed = ObservedFlags(flags)\n")
    for number, blocks in enumerate(blocks for blocks in programs if blocks):
        files.append(tmp_path / f"blocks{number}.swift")
        files[-1].write_text(as_program(blocks, number))
    assert type_check([*files, SURROUNDINGS], tmp_path, *stood_in(tmp_path)) == []


def test_code_that_does_not_compile_is_found(tmp_path):
    file = tmp_path / "blocks.swift"
    block = blocks_of(ROOT / "README.md", "```swift\nflags.quickCheckout.toggle()\n```\n")[0]
    file.write_text(as_program([block], 0))
    assert any("README.md:" in problem for problem in type_check([file, SURROUNDINGS], tmp_path))


def test_every_public_type_shows_an_example_of_its_use():
    assert types_without_example() == []


@pytest.mark.parametrize("other", OTHERS)
def test_each_guide_shows_code_before_and_after(other):
    page = ROOT / f"Sources/Library/FeatureFlags/FeatureFlags.docc/MovingFrom{other.replace(' ', '')}.md"
    firsts = [block.text.splitlines()[0] for block in blocks_of(page)]
    before, after = firsts.count(f"// {other}"), firsts.count("// FeatureFlags")
    assert before == after >= 3


def compiles_as_it_is(code, folder):
    (folder / "main.swift").write_text(code)
    return type_check([folder / "main.swift"], folder) == []


def test_the_library_in_the_read_me_compiles_as_it_is_printed(tmp_path):
    blocks = [block for block in blocks_of(ROOT / "README.md") if block.is_compiled]
    assert len(blocks) == 1 and blocks[0].text.startswith("import ")
    assert compiles_as_it_is(blocks[0].text, tmp_path)


def test_the_code_on_the_page_of_an_empty_file_is_whole(serve, tmp_path):
    page = serve(tmp_path / "flags.xml", "--create").get("/").text
    plist, swift = [html.unescape(code) for code in re.findall(r'<pre class="value"[^>]*>\n(.*?)</pre>', page, re.S)]
    assert plistlib.loads(plist.encode()) == {"guest_checkout": True}
    assert compiles_as_it_is(swift, tmp_path)
