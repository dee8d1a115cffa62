"""Files of flags that tests make, in the layout that RealFlags writes."""

import plistlib
import shutil

from harness import DEMO

INTERNAL_FLAGS = {"checkout/payment/fraud_threshold": "0.8731", "networking/trace_token": "trace-5f27c1d0b9"}
"""The demonstration's internal flags and what the file holds for them."""


def demonstration(folder):
    """Copies the demonstration into a new folder and returns the path of the values file."""
    folder.mkdir(parents=True)
    shutil.copy(DEMO / "flags.xml", folder)
    shutil.copy(DEMO / "flags.manifest.xml", folder)
    return folder / "flags.xml"


def without_internal_flags(values):
    """The bytes of the demonstration's values file less the lines of the internal flags."""
    text = values.decode()
    for key, value in INTERNAL_FLAGS.items():
        leaf = key.rpartition("/")[2]
        lines = text.splitlines(keepends=True)
        place = next(number for number, line in enumerate(lines) if f"<key>{leaf}</key>" in line)
        assert value in lines[place + 1]
        text = "".join(lines[:place] + lines[place + 2 :])
    return text.encode()


def write(folder, values, flags=None, collections=()):
    """Writes a values file, and a manifest where `flags` are given; returns the path of the values file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "flags.xml"
    file.write_bytes(plistlib.dumps(values, sort_keys=True))
    if flags is not None:
        manifest = {"version": 1, "flags": flags, "collections": list(collections)}
        (folder / "flags.manifest.xml").write_bytes(plistlib.dumps(manifest, sort_keys=False))
    return file


def three_hundred_flags(folder):
    """A file of 300 flags in ten groups, none of them internal, each with a value and a definition."""
    kinds = [("bool", True), ("integer", 7), ("double", 0.25), ("string", "blue & green")]
    values, flags = {}, []
    for group in range(10):
        entries = values.setdefault(f"group_{group}", {})
        for number in range(30):
            kind, value = kinds[number % len(kinds)]
            entries[f"flag_{number:02}"] = value
            flags.append(
                {
                    "key": f"group_{group}/flag_{number:02}",
                    "type": kind,
                    "default": value,
                    "description": f"Number {number} of group {group}.",
                }
            )
    return write(folder, values, flags)


def five_thousand_flags(folder):
    """A file of 5,000 flags in 200 groups of two levels, with names, descriptions and tags as people write them."""
    kinds = [("bool", True), ("bool", False), ("integer", 7), ("double", 0.25), ("string", "blue & green")]
    values, flags = {}, []
    for number in range(5000):
        kind, value = kinds[number % len(kinds)]
        outer, inner, leaf = f"area_{number // 250:02}", f"part_{number // 25 % 10}", f"flag_{number:04}"
        if number % 3 == 0:
            values.setdefault(outer, {}).setdefault(inner, {})[leaf] = not value if kind == "bool" else value
        flags.append(
            {
                "key": f"{outer}/{inner}/{leaf}",
                "type": kind,
                "default": value,
                "name": f"Flag number {number}",
                "description": f"What number {number} is for, in a sentence as long as such sentences tend to be.",
                "tags": [f"team {number % 17}"],
            }
        )
    return write(folder, values, flags)


def flags_of_many_scripts(folder):
    """Forty flags whose keys, names and tags are long, written from right to left, or emoji."""
    long, arabic = "a_very_long_component_" * 8, "\u0645\u0631\u062d\u0628\u0627"
    emoji = "\U0001f680\U0001f469\u200d\U0001f4bb"
    groups, leaves = (long, arabic, emoji, "plain"), (long, arabic, emoji)
    keys = [f"{group}/{leaf}_{number}" for group in groups for leaf in leaves for number in range(3)]
    keys += [f"top_{number}" for number in range(4)]
    tags = [arabic, emoji, "very-long-" * 10]
    flags = [{"key": key, "type": "bool", "default": False, "tags": tags, "name": f"{arabic} {emoji}"} for key in keys]
    return write(folder, {"plain": {f"{arabic}_0": True}}, flags)
