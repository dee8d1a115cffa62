"""Lists that no compiler holds against each other."""

import re

from harness import ROOT


def source(path):
    return (ROOT / path).read_text()


def test_the_form_of_a_definition_hides_fields_for_each_type():
    cases = source("Sources/Library/FeatureFlags/Values/FlagType.swift").split("public init(")[0]
    types = re.findall(r"^    case (\w+)$", cases, re.MULTILINE)
    style = source("Public/Definition/definitions.css")
    hidden = re.findall(r'\[value="(\w+)"\]:checked\) \[data-types\]:not\(\[data-types~="(\w+)"\]\)', style)
    assert len(types) > 10 and hidden == [(name, name) for name in types]


def test_the_list_of_the_command_has_an_option_for_each_filter_of_the_page():
    criteria = re.findall(r'^        name: "(\w+)"', source("Sources/Dashboard/Flagboard/View/FlagCriterion.swift"), re.MULTILINE)
    command = source("Sources/Tools/FlagboardCommand/Flags/FlagList.swift")
    assert len(criteria) > 5
    for name in criteria:
        assert re.search(rf"^    var {name}: ", command, re.MULTILINE) and f'("{name}", {name}' in command, name
