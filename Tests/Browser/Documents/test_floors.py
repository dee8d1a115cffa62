"""The folders of Sources: which use which, by the names of the types that they define."""

import collections
import re

import pytest

from harness import ROOT

DECLARATION = re.compile(
    r"^( *)(?:@\w+(?:\([^)]*\))?\s+)*"
    r"((?:(?:public|package|internal|fileprivate|private|final|indirect|nonisolated)\s+)*)"
    r"(?:struct|class|enum|actor|protocol|typealias)\s+([A-Z]\w*)", re.MULTILINE)

# What is not code: comments, and texts up to an interpolation, whose code counts.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|(?!""").)*"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
INTERPOLATION = re.compile(r"\\\(([^\n\"]*)")

TARGETS = sorted(path for floor in (ROOT / "Sources").iterdir() if floor.name != "C" for path in floor.iterdir() if path.is_dir())


def code(path):
    return NO_CODE.sub(lambda match: " ".join(INTERPOLATION.findall(match[0])) if match[0][0] == '"' else " ", path.read_text())


def arrows(target):
    """For each folder of a target, the folders that it uses, with the file and the type by which it does."""
    sources = {path: code(path) for path in sorted(target.rglob("*.swift"))}
    defined, within = collections.defaultdict(set), collections.defaultdict(set)
    for path, text in sources.items():
        for indentation, modifiers, name in DECLARATION.findall(text):
            (within if indentation or "private" in modifiers else defined)[name].add(path)
    found = collections.defaultdict(dict)
    for path, text in sources.items():
        for name in set(re.findall(r"(?<![.\w])[A-Z]\w*", text)):
            homes = defined.get(name, set())
            if len(homes) != 1 or path in homes or path in within.get(name, ()):
                continue
            (home,) = homes
            if home.parent != path.parent:
                found[path.parent].setdefault(home.parent, f"{path.name} uses {name}")
    return found


def circle(uses):
    """The folders of a circle, in their order; empty where there is none."""
    done, way = set(), []

    def walk(folder):
        if folder in way:
            return way[way.index(folder):] + [folder]
        if folder in done:
            return []
        way.append(folder)
        for other in sorted(uses.get(folder, ())):
            if found := walk(other):
                return found
        way.pop()
        done.add(folder)
        return []

    return next((found for folder in sorted(uses) if (found := walk(folder))), [])


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_no_folders_of_a_target_use_one_another_in_a_circle(target):
    uses = arrows(target)
    found = circle(uses)
    steps = [f"{one.relative_to(target)} -> {two.relative_to(target)}: {uses[one][two]}" for one, two in zip(found, found[1:])]
    assert not steps, "\n".join(steps)


def test_a_circle_is_found():
    assert circle({"a": {"b": ""}, "b": {"c": ""}, "c": {"b": ""}}) == ["b", "c", "b"]
    assert circle({"a": {"b": "", "c": ""}, "b": {"c": ""}}) == []


@pytest.fixture(scope="module")
def sources():
    return {path: path.read_text() for target in TARGETS for path in sorted(target.rglob("*.swift"))}


def lines_of_code(text):
    return sum(1 for line in NO_CODE.sub(lambda match: '""' if match[0][0] == '"' else " ", text).splitlines() if line.strip())


def words_of_comment(text):
    return sum(len(re.findall(r"[A-Za-z']+", match[0])) for match in NO_CODE.finditer(text) if match[0][0] == "/")


def test_a_file_is_short_enough_to_be_read_at_once(sources):
    assert not [f"{path.name}: {size}" for path, text in sources.items() if (size := len(text.splitlines())) > 700]


def test_a_failure_is_a_case_of_an_error_type_that_is_there(sources):
    types = {name for path in sources for name in re.findall(r"\b(?:struct|enum|class)\s+(\w*Error)\b", code(path))}
    assert len(types) <= 25, "\n".join(sorted(types))


def test_comments_are_about_as_long_as_the_code_that_they_explain(sources):
    words, lines = (sum(map(count, sources.values())) for count in (words_of_comment, lines_of_code))
    assert 0.8 < words / lines < 1.3


def test_words_and_lines_are_counted_where_they_are():
    text = '/// Two words.\nlet a = "// no comment"\n\n/* and\nthree more */\n'
    assert (words_of_comment(text), lines_of_code(text)) == (5, 1)


def test_every_source_file_that_a_document_names_is_there():
    sources = {str(path.relative_to(ROOT / "Sources")) for path in (ROOT / "Sources").rglob("*.swift")}
    for document in [*(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md"]:
        # The recipes make an example of the owners of flags.
        names = set(re.findall(r"`([A-Za-z+]+/[A-Za-z+/]+\.swift)`", document.read_text()))
        for name in (name for name in names if "wners" not in name):
            assert any(f"/{source}".endswith(f"/{name}") for source in sources), f"{document.name}: {name}"
