"""Flags that a server publishes to a real etcd."""

import base64
import json
import plistlib
import queue
import subprocess
import threading
import urllib.request

import pytest
from etcd import ETCDCTL, Etcd
from harness import BINARY, environment
from samples import demonstration, write

FEE = "/flags/values/Local/checkout/delivery_fee"


@pytest.fixture
def etcd(tmp_path):
    etcd = Etcd(tmp_path / "etcd")
    yield etcd
    etcd.kill()


class Watch:
    """What etcd tells of a key from now on."""

    def __init__(self, etcd, key):
        self._process = subprocess.Popen(
            [ETCDCTL, "--endpoints", f"127.0.0.1:{etcd.members[0].client}", "watch", key, "-w", "json", "--rev", "1"],
            env=environment() | {"ETCDCTL_API": "3"}, stdout=subprocess.PIPE, text=True)
        self._lines, self.deletions = queue.Queue(), 0
        self._reader = threading.Thread(target=lambda: [self._lines.put(line) for line in self._process.stdout])
        self._reader.start()

    def value(self, wanted):
        """Waits until the key holds something."""
        while line := self._lines.get(timeout=30):
            for event in json.loads(line).get("Events") or []:
                self.deletions += event.get("type") == "DELETE"
                held = base64.b64decode(event["kv"].get("value", "")).decode()
                if held == wanted:
                    return

    def close(self):
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()


def health(server):
    return json.loads(server.get("/healthz").body)


def test_a_change_is_in_etcd_and_the_server_says_how_far_it_is(serve, tmp_path, etcd):
    server = serve(demonstration(tmp_path / "demo"), "--publish", etcd.address())
    watch = Watch(etcd, FEE)
    server.change("checkout/delivery_fee", "set", "3.75")
    watch.value("3.75")
    watch.close()
    content = etcd.content()
    assert json.loads(content["/flags/row"])["row"] == 1
    assert json.loads(content["/flags/definitions/checkout/delivery_fee"])["type"] == "double"
    assert not [key for key in content if "support" in key and "internal" in key]
    [follower] = health(server)["followers"]
    assert (follower["failing"], follower["name"]) == (False, etcd.address())
    metrics = server.get("/metrics").text
    assert f'flagboard_follower_failing{{follower="{etcd.address()}"}} 0' in metrics
    page = server.get("/history").text
    assert "Publishing to" in page and etcd.address() in page


def test_a_last_good_value_stays_in_etcd_where_another_value_takes_the_place_of_its_group(serve, tmp_path, etcd):
    flags = [{"key": "grp/kill", "type": "bool"}, {"key": "other", "type": "integer"}]
    file = write(tmp_path / "shop", {"grp": {"kill": True}, "other": 1}, flags)
    server = serve(file, "--publish", etcd.address())
    watch, told = Watch(etcd, "/flags/values/Local/other"), Watch(etcd, "/flags/values/Local/grp/kill")
    watch.value("1")
    told.value("true")
    file.write_bytes(plistlib.dumps({"grp": "oops", "other": 2}))
    watch.value("2")
    assert json.loads(server.get("/api/v1/flags/grp/kill").text)["isStale"] is True
    assert etcd.content()["/flags/values/Local/grp/kill"] == "true"
    file.write_bytes(plistlib.dumps({"grp": {"kill": False}, "other": 3}))
    told.value("false")
    assert told.deletions == 0
    watch.close()
    told.close()


def test_changes_go_on_while_etcd_is_gone_and_every_page_says_so(serve, tmp_path, etcd):
    server = serve(demonstration(tmp_path / "demo"), "--publish", etcd.address())
    watch = Watch(etcd, FEE)
    server.change("checkout/delivery_fee", "set", "3.75")
    watch.value("3.75")
    watch.close()
    # etcd has the value before the publisher has etcd's answer.
    while health(server)["followers"][0]["behind"] != 0:
        pass
    etcd.kill()
    server.change("checkout/delivery_fee", "set", "4.75")
    # The publisher tries at once; how long it takes to find out is the system's.
    while not health(server)["followers"][0]["failing"]:
        pass
    assert "Changes are saved but not published." in server.get("/").text
    assert "1 change behind" in server.get("/history").text
    etcd.start()
    watch = Watch(etcd, FEE)
    watch.value("4.75")
    watch.close()
    while health(server)["followers"][0]["failing"]:
        pass
    assert "not published" not in server.get("/").text


@pytest.mark.parametrize(
    "options, problem",
    [
        (["--publish", "127.0.0.1:2379/flags"], "is not a valid etcd address"),
        (["--publish", "etcd://127.0.0.1:2379"], "has no prefix"),
        (["--publish", "etcd://root:pw@127.0.0.1/flags"], "can't contain a user, a password or @"),
        (["--publish", "http://root:pw@127.0.0.1/flags"], "can't contain a user, a password or @"),
        (["--publish", "etcd://127.0.0.1/flags", "--publish-ca", "x.pem"], "etcds://"),
        (["--publish", "etcd://127.0.0.1/flags", "--publish-user", "root"], "--publish-user and --publish-password together"),
        (["--publish", "etcds://127.0.0.1/flags", "--publish-ca", "missing.pem"], "missing.pem"),
        (["--publish-user", "root"], "Add --publish."),
    ])
def test_what_cannot_be_published_to_is_refused(tmp_path, options, problem):
    result = subprocess.run(
        [BINARY, "serve", demonstration(tmp_path / "demo"), *options], capture_output=True, text=True, timeout=30,
        cwd=tmp_path, env=environment())
    assert result.returncode == 64
    assert problem in result.stderr and "pw" not in result.stderr
