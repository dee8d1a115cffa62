"""The table of the features of other libraries names tests that are there."""

import re

from harness import ROOT

TABLE = ROOT / "Tests/FiveLibraries.md"
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)\s]+\.(?:swift|py))\)")


def rows():
    """The cells of each row: the feature, its counterpart, the verdict and the tests."""
    lines = [line for line in TABLE.read_text().splitlines() if line.startswith("| ")]
    return [re.split(r"(?<!\\) \| ", line[2:-2]) for line in lines if not line.startswith("| there |")]


def has_test(title, text):
    """Whether a file has a test of that name, be it in Swift or in Python."""
    swift = title.replace('"', '\\"')
    function = "test_" + title.replace(" ", "_")
    return f'"{swift}"' in text or f"`{title}`" in text or re.search(rf"^def {re.escape(function)}\(", text, re.M)


def test_each_row_names_tests_that_are_there():
    missing = [
        (title, path) for row in rows() for title, path in LINK.findall(row[3])
        if not has_test(title.replace("\\|", "|"), (TABLE.parent / path).read_text())]
    assert not missing


def test_each_row_has_a_verdict_and_a_test_unless_it_needs_apples_systems():
    for row in rows():
        feature, here, verdict, tests = row
        assert here and verdict in ("same", "better", "Apple alone"), feature
        assert LINK.search(tests) or verdict == "Apple alone", feature


def test_a_test_that_is_not_there_is_found():
    assert not has_test("Nothing of the kind", 'struct Tests { @Test("Something else") func a() {} }')
    assert has_test('It says "no"', '@Test("It says \\"no\\"")') and has_test("it says no", "def test_it_says_no():")
