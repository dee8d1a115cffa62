"""What a program is told that watches over a server."""

import json
import sqlite3
from contextlib import closing

from harness import Server
from samples import demonstration

SOUND = {"status": "ready", "readOnly": False, "openChange": False, "takesChanges": True, "unreadableFiles": 0}


def health(server):
    answer = server.get("/healthz")
    assert answer.headers["cache-control"] == "no-store"
    return answer.status, json.loads(answer.body)


def test_a_sound_server_is_ready_and_tells_so_without_a_token(guarded):
    assert health(guarded) == (200, SOUND)


def test_a_read_only_one_says_so(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), "--read-only")
    assert health(server) == (200, SOUND | {"readOnly": True, "takesChanges": False})


def test_one_whose_file_cannot_be_read_is_degraded_until_it_can(demo):
    text = demo.file.read_text()
    demo.file.write_text(text[: len(text) // 2])
    unwell = {"status": "degraded", "unreadableFiles": 1, "takesChanges": False}
    assert health(demo) == (200, SOUND | unwell)
    demo.file.write_text(text)
    assert health(demo) == (200, SOUND)


def test_one_whose_history_is_gone_takes_no_changes(tmp_path):
    server = Server(demonstration(tmp_path / "demo"))
    try:
        server.file.with_name("flags.history.sqlite").unlink()
        status, found = health(server)
        assert (status, found["status"], found["takesChanges"]) == (200, "degraded", False)
    finally:
        server.stop()


def test_no_change_is_taken_without_the_manifest_and_one_is_while_another_file_can_be_read(serve, tmp_path):
    file = demonstration(tmp_path / "demo")
    team = file.with_name("team.xml")
    team.write_bytes(file.read_bytes())
    server = serve(file, "--provider", f"Team={team}")
    sound = team.read_bytes()
    team.write_bytes(sound[:200])
    assert health(server) == (200, SOUND | {"status": "degraded", "unreadableFiles": 1})
    team.write_bytes(sound)
    manifest = file.with_name("flags.manifest.xml")
    manifest.write_bytes(manifest.read_bytes()[:400])
    assert health(server)[1]["takesChanges"] is False
    heads = {"Content-Type": "application/json", "If-Match": "*"}
    path = "/api/v1/flags/checkout/guest_checkout"
    assert server.request("PUT", path, b'{"value": true}', heads).status == 503


def test_the_file_of_another_environment_that_cannot_be_read_counts_too(serve, tmp_path):
    file = demonstration(tmp_path / "demo")
    production = file.with_name("production.xml")
    production.write_bytes(file.read_bytes())
    server = serve(file, "--provider", f"Production={production}:env")
    assert health(server) == (200, SOUND)
    production.write_text("no property list")
    assert health(server) == (200, SOUND | {"status": "degraded", "unreadableFiles": 1})


def test_a_server_whose_history_is_damaged_is_not_ready_and_yet_alive(demo):
    with closing(sqlite3.connect(demo.file.with_name("flags.history.sqlite"), isolation_level=None)) as other:
        other.execute("DROP TABLE history")
    assert demo.get("/history").status == 503
    shown = demo.get("/")
    assert shown.status == 200 and "The last changes can’t be read." in shown.text
    status, found = health(demo)
    assert (status, found["status"], found["takesChanges"]) == (503, "failed", False)
    alive = demo.get("/healthz?probe=live")
    assert alive.status == 200 and json.loads(alive.body) == found
    assert demo.get("/healthz?probe=other").status == 503


def test_a_platform_checks_health_at_an_address_and_nothing_else(demo):
    for host in ("10.1.2.3:8080", "10.1.2.3", "[fd00::1]:8080"):
        assert demo.get("/healthz", {"Host": host}).status == demo.get("/metrics", {"Host": host}).status == 200
        assert demo.get("/", {"Host": host}).status == demo.get("/api/v1/flags", {"Host": host}).status == 421
    for host in ("evil.example", "1.2.3.4.evil.example"):
        assert demo.get("/healthz", {"Host": host}).status == 421
