"""Texts that people read are plain English: none has the words of a translation."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = ["Templates", "Public", *(f"Sources/{name}" for name in ("Dashboard", "Fleet", "Library", "Store", "Tools"))]

WORST = {
    r"\bholds?\b|\bheld\b": "a file has or contains a value",
    r"\b(is|are|was|were|be) told\b|\btells?\b": "say what happens: sent, shown, returned",
    r"\blook(s|ed|ing)? at\b": "checked, reviewed, read",
    r"\b([Uu]n)?[Tt]ick(s|ed)?\b": "select, selected",
    r"\bsays? so\b": "name the fact",
    r"\bpassed (over|on)\b": "ignored, skipped, published",
    r"\bin force\b": "in use",
    r"\bThere are no\b|\b[Tt]here is no\b": "X not found; No tokens yet",
    r"\b(is|are) no (key path|flag|value|object|array|number|JSON|file|folder|token|name|dictionary|such)\b": "is not a …",
    r"[,;] wanted\b": "expected",
    r"\banew\b|\b[Nn]obody\b|\btaken back\b|\blet in\b|\bwas got\b": "again, no one, undone, given access, read",
    r"\bmay be given several times\b": "can be repeated",
    r"\bwhat (is|was|were) (sent|asked|answered|typed|told)\b": "the request, the response",
}

DOCUMENTS = [*ROOT.glob("docs/*.md"), *ROOT.glob("Sources/**/*.docc/**/*.md"), *ROOT.glob("Examples/*/*.md"),
             *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY"))]
CODE_BLOCK = re.compile(r"^( *)```.*?^\1```|`[^`\n]*`", re.DOTALL | re.MULTILINE)

FORMAT = ["ours, which the file holds"]
"""Parts of the form of files, which stay as they are."""

LITERAL = re.compile(r'"""(?P<block>.*?)"""|"(?P<line>(?:\\\((?:[^()"]|"[^"]*"|\([^()]*\))*\)|\\.|[^"\\\n])*)"', re.DOTALL)
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
INTERPOLATION = re.compile(r"\\\((?:[^()]|\([^()]*\))*\)")
DATABASE = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|RAISE|WHERE|FROM)\b")
SCRIPT_TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`')
SCRIPT_COMMENT = re.compile(r"^[ \t]*//[^\n]*$|/\*.*?\*/", re.MULTILINE | re.DOTALL)
TAG = re.compile(r"\{\{.*?\}\}|<[^>]*>", re.DOTALL)


def texts(path):
    """The texts of a file that a person may read, each with its line."""
    source = path.read_text()
    if path.suffix == ".md":
        source = CODE_BLOCK.sub(lambda code: "\n" * code[0].count("\n") or "…", source)
        return [(number, line) for number, line in enumerate(source.splitlines(), 1) if not line.startswith("    ")]
    if path.suffix == ".mustache":
        return [(number, line) for number, line in enumerate(TAG.sub(" ", source).splitlines(), 1) if line.strip()]
    if path.suffix == ".js":
        source = SCRIPT_COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), source)
        literals = [(literal.start(), re.sub(r"\$\{[^}]*\}", "…", literal[0])) for literal in SCRIPT_TEXT.finditer(source)]
        return [(source.count("\n", 0, start) + 1, text) for start, text in literals if " " in text]
    source = COMMENT.sub("", source)
    found = []
    for literal in LITERAL.finditer(source):
        text = INTERPOLATION.sub("…", literal["block"] or literal["line"] or "")
        if " " in text and text.strip() not in FORMAT and not DATABASE.search(text):
            found.append((source.count("\n", 0, literal.start()) + 1, re.sub(r"\\\n\s*", "", text)))
    return found


def worst(text):
    return [f"{found[0]!r} (write: {advice})" for word, advice in WORST.items() if (found := re.search(word, text))]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_text_has_the_words_of_a_translation(folder):
    paths = [path for path in (ROOT / folder).rglob("*") if path.suffix in (".swift", ".mustache", ".js")]
    assert paths
    faults = [
        f"{path.relative_to(ROOT)}:{line}: {fault}: {text.strip()}"
        for path in sorted(paths) for line, text in texts(path) for fault in worst(text)]
    assert faults == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_document_has_the_words_of_a_translation(path):
    assert [f"{path.name}:{line}: {fault}: {text.strip()}" for line, text in texts(path) for fault in worst(text)] == []


@pytest.mark.parametrize("text", [
    "flags.xml holds no value.", "Programs that are told of each change", "The file is looked at again.", "Untick the row.",
    "There is no webhook.", "It can't be sent: there is no webhook.", "a is no key path", "found 3, wanted text", "This may be given several times."])
def test_the_words_are_found(text):
    assert worst(text)


def test_texts_are_found_in_sources_and_templates(tmp_path):
    (tmp_path / "A.swift").write_text('// "no text here"\nlet a = "one \\(b.map { "\\($0) x" } ?? "") holds"\nlet q = """\n    two \\\n    lines\n    """\n')
    (tmp_path / "b.mustache").write_text('<p class="not this">\n{{#x}}It holds {{y}}.{{/x}}</p>\n')
    (tmp_path / "c.js").write_text('// "it holds this"\nsay(`It holds ${value}.`, "one word");\n')
    assert [line for line, text in texts(tmp_path / "c.js") if "It holds" in text] == [2]
    assert [text for _, text in texts(tmp_path / "A.swift") if "holds" in text]
    (tmp_path / "d.md").write_text("A `x holds` y.\n\n```\nit holds\n```\n\nIt holds this.\n")
    assert [line for line, text in texts(tmp_path / "d.md") if "holds" in text] == [7]
    assert any("two lines" in text for _, text in texts(tmp_path / "A.swift"))
    assert [line for line, text in texts(tmp_path / "b.mustache") if "It holds" in text] == [2]
