"""What a program is told that watches over a server."""

import json

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
    assert health(demo) == (200, SOUND | {"status": "degraded", "unreadableFiles": 1})
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
