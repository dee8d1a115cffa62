"""Lists that no compiler holds against each other."""

import re

from harness import ROOT


def source(path):
    return (ROOT / path).read_text()


def test_the_list_of_the_command_has_an_option_for_each_filter_of_the_page():
    criteria = re.findall(r'^        name: "(\w+)"', source("Sources/Dashboard/Flagboard/View/FlagCriterion.swift"), re.MULTILINE)
    command = source("Sources/Tools/FlagboardCommand/Flags/FlagList.swift")
    assert len(criteria) > 5
    for name in criteria:
        assert re.search(rf"^    var {name}: ", command, re.MULTILINE) and f'("{name}", {name}' in command, name
