"""Sends what the description of the API allows, and what it doesn't, and holds each answer against it (schemathesis)."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import Server
from samples import demonstration
from table import Row
from tokens import make_token

FULL, QUICK = 4000, 300

STREAMS = ["listen", "listenToEvaluations"]
"""What has no end."""

RELATED = ["compare", "export", "listDefinitions", "listFlags", "listChanges", "putDefinition", "setFlag"]
"""Where a valid item may not go with another one, or with the flags, which no schema can say."""

CONFIGURATION = f"""
[checks]
# A change without If-Match is 428, which says more than 400.
missing_required_header.expected-statuses = [400, 401, 403, 406, 415, 422, 428]
# What a schema allows, flags and their rules may not.
positive_data_acceptance.expected-statuses = ["2xx", 304, 401, 403, 404, 409, 412, 422, 423, 428, 429]

[[operations]]
include-operation-id = {json.dumps(RELATED)}
checks.positive_data_acceptance.enabled = false
"""

GENERATED = re.compile(r"(\d+) generated")
OPERATIONS = 21
"""How many operations share the cases, about."""


def run(count, jobs):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        server = Server(demonstration(folder / "demo"), access="token")
        try:
            return [_run(server, folder, *described, count // 2) for described in _documents(server)]
        finally:
            server.stop()


def _documents(server):
    """The description as it is, and with key paths of flags that there are, since made-up ones name hardly any: each with its
    name, and whether also what it doesn't allow is sent."""
    token = make_token(server.file, "fuzz", "admin")
    server.token = token
    answer = server.get("/api/v1/openapi.json", {"Authorization": f"Bearer {token}"})
    assert answer.status == 200, answer.text
    document = json.loads(answer.text)
    yield "described API", "all", document
    flags = json.loads(server.get("/api/v1/flags", {"Authorization": f"Bearer {token}"}).text)["flags"]
    for methods in document["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path" and parameter["name"] == "key":
                    parameter["schema"] = {"type": "string", "enum": [flag["key"] for flag in flags]}
    yield "described API, known flags", "positive", document


def _run(server, folder, name, mode, document, count):
    (folder / "openapi.json").write_text(json.dumps(document))
    (folder / "schemathesis.toml").write_text(CONFIGURATION)
    command = [
        sys.executable, "-B", "-m", "schemathesis.cli", "--config-file", "schemathesis.toml", "run", "openapi.json",
        "--url", server.url(""), "-H", f"Authorization: Bearer {server.token}", "--mode", mode,
        "--phases", "coverage,fuzzing",
        # Coverage takes some cases for each operation, whatever the count.
        "-n", str(max(1, count // OPERATIONS - 20)), "--no-shrink", "--continue-on-failure", "--seed", "1",
        "--suppress-health-check", "all", "--request-timeout", "60", "--output-truncate", "true",
        # Wrong tokens are counted, and refused with 429 from the tenth on.
        "--exclude-checks", "ignored_auth", "--warnings", "off",
        *(word for stream in STREAMS for word in ("--exclude-operation-id", stream)),
    ]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    found = GENERATED.search(result.stdout)
    tried = int(found[1]) if found else 0
    if result.returncode == 0 and tried > 0:
        return Row(name, tried, 0, "schemathesis, seed 1")
    return Row(name, tried, 1, "schemathesis", (result.stdout[-20_000:] + result.stderr[-2000:],))
