"""What any way in takes, the app reads: `FlagReader`, which declares a flag of each kind of type, reads it as an equal value."""

import base64
import json
import plistlib
import subprocess

import pytest
from harness import BINARY, Server, environment, flag_path, forms_in

LAYOUT = {"columns": 2, "price": 12.5, "note": "n", "cells": [{"title": "b", "span": 200}]}
VALUES = {
    # At least two values that the app reads, and values that it doesn't.
    "bool": ([True, False], ["maybe", [True], {"k": True}]),
    "byte": ([0, 255], [256, -7, 1.5, True, "a"]),
    "unsigned": ([0, 9223372036854775807], [-7, 0.5, True, [1]]),
    "whole": ([-7, 0, 2**53 + 1], [0.5, 1e300, True, "a"]),
    "single": ([-0.25, 3, 2.0**100], [1e300, -1e300, True, "a"]),
    "perhaps": ([-3, 4], [0.5, True, "a", [4]]),
    "texts": ([["b", ""], [], ["blue & green"]], [[1, True], ["b", 1], {"k": "b"}, [["b"]]]),
    "counts": ([{"k": -2, "m": 3}, {}], [{"k": "x"}, {"k": 0.5}, {"k": True}, [1]]),
    "theme": (["dark", "light"], ["blue", 1, True, ["dark"]]),
    "link": (["https://a.example/b?c=d", "file:///a"], ["", 1, True, ["https://a.example"]]),
    "start": (["2026-01-02T03:04:05Z", "1999-12-31T23:59:59Z"], ["soon", 1, True]),
    "layout": ([LAYOUT, LAYOUT | {"cells": []}, {"columns": -128, "price": 1, "cells": []}], [
        {"size": 1}, LAYOUT | {"columns": 300}, LAYOUT | {"cells": [{"title": "b", "span": 256}]},
        LAYOUT | {"cells": [{"title": 1, "span": 2}]}, LAYOUT | {"price": "a"}, [LAYOUT], "a", 3]),
}
GOOD = [(key, value) for key, (good, _) in VALUES.items() for value in good]
BAD = [(key, value) for key, (_, bad) in VALUES.items() for value in bad]
EMPTY = plistlib.dumps({})


def text_of(value):
    return value if isinstance(value, str) else json.dumps(value)


def stored(key, value):
    """A value as the app's own provider stores it: a Codable value is JSON in data."""
    return json.dumps(value).encode() if key == "layout" else value


def another(key, value):
    """A value of the flag that differs."""
    return next(each for each in VALUES[key][0] if each != value)


class World:
    """A server on the app's files: its values, those of another environment, and its UserDefaults."""

    def __init__(self, folder):
        folder.mkdir()
        self.file, self.other, self.defaults = folder / "shop.xml", folder / "other.xml", folder / ".config/shop.plist"
        self.defaults.parent.mkdir()
        self.files = [self.file, self.other, self.defaults]
        for file in self.files:
            file.write_bytes(EMPTY)
        self.read()
        self.server = Server(
            self.file, "--provider", f"Other={self.other}:env", "--provider", f"Saved={self.defaults}:defaults=flags/")

    def read(self):
        """What the app reads, by flag."""
        done = subprocess.run(
            [BINARY.with_name("FlagReader"), "declared", self.file], capture_output=True, text=True, timeout=60,
            env=environment() | {"HOME": str(self.file.parent)})
        assert done.returncode == 0, done.stderr
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert {line["key"] for line in lines} == set(VALUES)
        return {line["key"]: line for line in lines}

    def bytes(self):
        return [file.read_bytes() for file in [*self.files, self.file.with_name("shop.manifest.xml")]]

    def send(self, method, path, document, **more):
        head = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in more.items()}
        return self.server.request(method, path, json.dumps(document).encode(), head)

    def put(self, key, value, provider="Local"):
        return self.send("PUT", f"/api/v1/flags/{key}", {"value": value, "provider": provider}, If_Match="*")


# Each way is asked to set a flag, after what it needs was made; the answer is true if the value is taken.

def by_form(world, key, value):
    fields = {"action": "set", "value": text_of(value), "provider": "Local"}
    return lambda: taken(world.server.post(flag_path(key), fields).status, 303, 422)


def by_api(world, key, value):
    return lambda: taken(world.put(key, value).status, 200, 422)


def by_batch(world, key, value):
    change = {"key": key, "action": "set", "value": value, "revision": "*"}
    return lambda: taken(world.send("POST", "/api/v1/batches", {"changes": [change]}).status, 200, 422)


def by_import(world, key, value):
    return lambda: taken(world.send("POST", "/api/v1/import", {key: value}).status, 200, 422)


def by_command(world, key, value):
    command = [BINARY, "set", world.file, key, "--provider", "Local", "--", text_of(value)]
    return lambda: taken(
        subprocess.run(command, capture_output=True, timeout=60, stdin=subprocess.DEVNULL, env=environment()).returncode, 0, 5)


def by_revert(world, key, value):
    """The value was there before, by an edit of the file, and a change of it is reverted."""
    world.file.write_bytes(plistlib.dumps({key: stored(key, value)}))
    made = world.put(key, another(key, value))
    assert made.status == 200, made.text
    number = json.loads(made.text)["change"]["id"]
    return lambda: taken(world.send("POST", f"/api/v1/history/{number}/revert", {}).status, 200, 422)


def by_copy(world, key, value):
    """The value is in another environment, and is copied from its cell of the matrix."""
    world.other.write_bytes(plistlib.dumps({key: stored(key, value)}))
    fields = {"copy": "chosen", "from": "Other", "to": "Local", "base": "Local", "show": "all", "key": key}

    def copy():
        answer = world.server.post("/environments", fields)
        if not taken(answer.status, 303, 422):
            return False
        forms = forms_in(world.server.get(answer.headers["location"]).text)
        form = next(form for form in forms if "changes" in form)
        return taken(world.server.post("/batch", form).status, 303, 422)

    return copy


def by_defaults(world, key, value):
    return lambda: taken(world.put(key, value, provider="Saved").status, 200, 422)


def taken(code, yes, no):
    assert code in (yes, no), code
    return code == yes


WAYS = {
    "form": by_form, "api": by_api, "batch": by_batch, "import": by_import, "command": by_command, "revert": by_revert,
    "copy": by_copy, "defaults": by_defaults}
SLOW = {"command", "revert"}


def some(values, way):
    """The values to try: in slow ways the first of each flag."""
    return list({key: (key, value) for key, value in reversed(values)}.values()) if way in SLOW else values


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("reads") / "shop")
    yield world
    world.server.stop()


@pytest.fixture(autouse=True)
def nothing_set(world):
    for file in world.files:
        file.write_bytes(EMPTY)


def check(world, key, value, source):
    line = world.read()[key]
    assert (line["problems"], line["source"]) == ([], source)
    found = json.loads(base64.b64decode(line["value"])) if key == "layout" else line["value"]
    assert (type(found) is bool, found) == (type(value) is bool, value)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_taken_the_app_reads_as_an_equal_value_without_a_problem(world, way):
    for key, value in some(GOOD, way):
        assert WAYS[way](world, key, value)(), (key, value)
        check(world, key, value, "Saved" if way == "defaults" else "Local")


@pytest.mark.parametrize("way", [way for way in WAYS if way != "revert"])
def test_what_the_app_could_not_read_is_refused_and_changes_no_byte(world, way):
    for key, value in some(BAD, way):
        # What is typed for an address is text.
        if key == "link" and way in ("form", "command") and not isinstance(value, str):
            continue
        ask = WAYS[way](world, key, value)
        before = world.bytes()
        assert not ask(), (key, value)
        assert world.bytes() == before, (key, value)


def test_a_revert_restores_what_was_there_even_if_the_app_reports_it(world):
    for key, value in some(BAD, "revert"):
        ask = by_revert(world, key, value)
        assert ask(), (key, value)
        assert plistlib.loads(world.file.read_bytes()) == {key: stored(key, value)}
        line = world.read()[key]
        assert "value" not in line and len(line["problems"]) == 1, (key, value)
