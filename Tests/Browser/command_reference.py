"""Writes docs/commands.md, the reference of the command line, from what the program's own help says.

    FLAGBOARD_BINARY=.build/debug/flagboard .build-python/bin/python Tests/Browser/command_reference.py
"""

import json
import subprocess

from harness import BINARY, ROOT, environment

PAGE = ROOT / "docs/commands.md"
START = """# Every command

This page is generated from the command help (`script/reference`). [The command line](command-line.md) explains how the commands
work together.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | failure or findings |
| 3 | flag not found |
| 4 | not signed in |
| 5 | refused (lock, constraint or role) |
| 6 | changed by someone else in the meantime |
| 64 | wrong usage |

`history verify` has its own exit codes. Every command accepts `--help`. For shell completion, load the output of `flagboard
--generate-completion-script bash` (or `zsh`, `fish`).
"""


def commands():
    """Every command that does something, as the argument parser tells of it, with its name in full."""
    said = subprocess.run(
        [BINARY, "--experimental-dump-help"], capture_output=True, text=True, check=True, timeout=30, env=environment())
    return list(leaves(json.loads(said.stdout)["command"], []))


def leaves(command, above):
    names = [*above, command["commandName"]]
    below = [item for item in command.get("subcommands", []) if item["commandName"] != "help" and item.get("shouldDisplay", True)]
    if not below:
        yield " ".join(names), command
    for item in below:
        yield from leaves(item, names)


def options(command):
    """The options of a command that not every command has."""
    return [item for item in command.get("arguments", []) if not {"help", "version"} & {name["name"] for name in item.get("names", [])}]


def spelling(item):
    """An argument as it is typed."""
    if item["kind"] == "positional":
        return item["valueName"].upper()
    names = [("-" if name["kind"] == "short" else "--") + name["name"] for name in item["names"]]
    return ", ".join(names) + ("" if item["kind"] == "flag" else f" {item['valueName'].upper() if item['valueName'].islower() else item['valueName']}")


def meaning(item):
    text = " ".join(item.get("abstract", "").split())
    values = item.get("allValues") or []
    if values and item["kind"] != "flag":
        text += f" ({', '.join(values)})"
    if "defaultValue" in item and item["kind"] != "flag":
        text += f" Without it: {item['defaultValue']}."
    return text.replace("|", "\\|")


def section(name, command):
    items = options(command)
    usage = [spelling(item) if not item["isOptional"] else f"[{spelling(item)}]" for item in items if item["kind"] == "positional"]
    lines = [f"## {name.removeprefix('flagboard ')}", "", f"    {' '.join([name, *usage, '[options]'])}", "", command["abstract"]]
    if command.get("discussion"):
        lines += ["", command["discussion"].strip()]
    lines += ["", "| argument | meaning |", "|---|---|"]
    lines += [f"| `{spelling(item)}` | {meaning(item)} |" for item in items]
    return "\n".join(lines) + "\n"


def page():
    return "\n".join([START, *(section(name, command) for name, command in commands())])


if __name__ == "__main__":
    PAGE.write_text(page())
