"""Files whose place is out of the ordinary: behind links that move, mounted by themselves, on a full disk, with labels."""

import fcntl
import gzip
import json
import os
import re
import shutil
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from harness import BINARY, environment
from playwright.sync_api import expect
from samples import demonstration, write
from tokens import make_token

VALUES = '<plist version="1.0"><dict><key>limit</key><integer>{}</integer></dict></plist>\n'
LIMIT = "/api/v1/flags/limit"


@pytest.fixture
def file(tmp_path):
    (tmp_path / "shop").mkdir()
    file = tmp_path / "shop/flags.xml"
    file.write_text(VALUES.format(5))
    return file


def run(*arguments, prefix=(), variables=None):
    return subprocess.run(
        [*prefix, BINARY, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        env=environment() | (variables or {}))


def health(server):
    return json.loads(server.get("/healthz").body)


def put(server, value):
    body = json.dumps({"value": value}).encode()
    return server.request("PUT", LIMIT, body, {"If-Match": "*", "Content-Type": "application/json"})


def value(server):
    return json.loads(server.get(LIMIT).body)["value"]


def until(condition, wait):
    """Asks again as often as something else has answered, until a condition holds."""
    while not condition():
        wait()


def mounting(*commands):
    """What to put before a command so that it sees mounts that nothing else does."""
    prefix = ("unshare", "--mount", "--propagation", "private")
    if os.geteuid() != 0 or shutil.which("unshare") is None or subprocess.run([*prefix, "true"]).returncode != 0:
        pytest.skip("only root can mount")
    return (*prefix, "sh", "-c", " && ".join([*commands, 'exec "$0" "$@"']))


@contextmanager
def link_to(folder, link):
    """A link, and what points it elsewhere at one stroke."""
    def point(folder):
        new = link.with_name("new")
        new.symlink_to(folder.name)
        new.rename(link)

    point(folder)
    yield point


def test_a_link_that_is_pointed_elsewhere_is_followed(serve, tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    for number, folder in enumerate(folders):
        folder.mkdir()
        (folder / "flags.xml").write_text(VALUES.format(number))
    with link_to(folders[0], tmp_path / "current") as point:
        server = serve(tmp_path / "current/flags.xml", "--history", tmp_path / "kept.sqlite")
        before = (folders[0] / "flags.xml").read_bytes()
        point(folders[1])
        assert put(server, 9).status == 200
        assert (folders[0] / "flags.xml").read_bytes() == before
        assert "<integer>9<" in (folders[1] / "flags.xml").read_text()
        shutil.rmtree(folders[0])
        assert value(server) == 9
        assert health(server)["status"] == "ready"
        # A command finds the server by the path that leads there now.
        assert run("set", tmp_path / "current/flags.xml", "limit", "4").returncode == 0
        assert value(server) == 4
        rows = [json.loads(line) for line in server.get("/export/history.jsonl").text.splitlines()]
        assert [row["origin"] for row in rows] == ["external", "api", "cli"]
        result = run("history", "verify", tmp_path / "current/flags.xml", "--history", tmp_path / "kept.sqlite")
        assert result.returncode == 0, result.stdout


def test_a_file_that_is_named_from_within_a_folder_that_is_pointed_elsewhere_is_followed(serve, tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    for number, folder in enumerate(folders):
        folder.mkdir()
        (folder / "flags.xml").write_text(VALUES.format(number))
    (tmp_path / "flags.xml").touch()
    with link_to(folders[0], tmp_path / "current") as point:
        # As a shell does that was led there by the link.
        inside = ("bash", "-c", 'cd current && program=$0 && shift 2 && exec "$program" serve flags.xml "$@"')
        server = serve(tmp_path / "flags.xml", "--history", tmp_path / "kept.sqlite", prefix=inside)
        point(folders[1])
        before = (folders[0] / "flags.xml").read_bytes()
        assert put(server, 9).status == 200
        assert (folders[0] / "flags.xml").read_bytes() == before
        assert "<integer>9<" in (folders[1] / "flags.xml").read_text()


def test_a_command_meets_the_server_of_a_link_whose_history_stays_behind_and_is_refused_like_the_api(serve, tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    for number, folder in enumerate(folders):
        folder.mkdir()
        (folder / "flags.xml").write_text(VALUES.format(number))
    file = tmp_path / "current/flags.xml"
    with link_to(folders[0], tmp_path / "current") as point:
        server = serve(file)
        point(folders[1])
        assert put(server, 9).status == 503
        refused = run("set", file, "limit", "9")
        assert refused.returncode == 1 and "a link has changed" in refused.stderr
        assert (folders[1] / "flags.xml").read_text() == VALUES.format(1)
        assert os.listdir(folders[1]) == ["flags.xml"]
        assert run("get", file, "limit").stdout.split()[-1] == "1"
        point(folders[0])
        until(lambda: health(server)["takesChanges"], lambda: server.get("/"))
        assert run("set", file, "limit", "4").returncode == 0
        assert value(server) == 4


def test_commands_find_the_history_manifest_and_tokens_that_a_running_server_uses(serve, file, tmp_path):
    manifest, tokens = tmp_path / "definitions.xml", tmp_path / "people.json"
    manifest.write_text('<plist version="1.0"><dict><key>version</key><integer>1</integer></dict></plist>')
    server = serve(file, "--history", tmp_path / "kept.sqlite", "--manifest", manifest, "--tokens", tokens)
    assert put(server, 6).status == 200
    # Commands about tokens find those of the server too.
    assert run("token", "add", file, "--name", "ada", "--role", "admin").returncode == 0 and tokens.exists()
    verified = run("history", "verify", file)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert len(run("history", "export", file).stdout.splitlines()) == 1
    saved = run("history", "backup", file, tmp_path / "copy")
    assert saved.returncode == 0, saved.stderr
    assert {"kept.sqlite", "definitions.xml", "people.json"} <= set(os.listdir(tmp_path / "copy"))
    # What needs the history for itself names the server.
    refused = run("history", "prune", file, "--keep-rows", "1")
    assert refused.returncode == 1 and f"is already served by {server.address}" in refused.stderr
    server.stop()
    unknown = run("history", "verify", file)
    assert not file.with_name("flags.tokens.json").exists()
    assert unknown.returncode == 1 and "specify the history with --history" in unknown.stderr


def test_a_file_that_is_a_mount_point_is_served_read_only_with_the_reason(page, serve, file, tmp_path):
    outside = tmp_path / "outside.xml"
    outside.write_text(VALUES.format(7))
    server = serve(file, prefix=mounting(f"mount --bind '{outside}' '{file}'"))
    assert server.errors().count(f"can't replace {file}: it is a mount point") == 1
    assert value(server) == 7
    assert health(server)["takesChanges"] is False
    assert health(server)["status"] == "degraded"
    answer = put(server, 8)
    assert answer.status == 503
    assert "mount point" in answer.text and "mount its folder" in answer.text
    assert outside.read_text() == VALUES.format(7)
    page.goto(server.url("/flags/limit"))
    text = page.inner_text("main")
    assert "Can’t write flags.xml." in text and "mount its folder" in text
    assert page.locator("[name=value]").count() == 0
    assert not [name for name in os.listdir(file.parent) if name.endswith(".tmp")]


def test_a_manifest_that_is_a_mount_point_is_named_and_values_are_changed_nevertheless(page, serve, tmp_path):
    file = write(tmp_path / "shop", {"limit": 5}, [{"key": "limit", "type": "integer"}])
    manifest, outside = file.with_name("flags.manifest.xml"), tmp_path / "outside.xml"
    shutil.copy(manifest, outside)
    server = serve(file, prefix=mounting(f"mount --bind '{outside}' '{manifest}'"))
    assert server.errors().count(f"can't replace {manifest}: it is a mount point") == 1
    assert health(server)["takesChanges"] is True
    page.goto(server.url("/"))
    notice = page.locator(".banner[data-notice]", has_text="Can’t write flags.manifest.xml.")
    expect(notice).to_contain_text("it is a mount point; mount its folder instead")
    answer = server.post("/flags/limit", {"action": "lock", "reason": ""})
    assert answer.status == 503 and "mount its folder" in answer.text
    # What can't be done with the definitions can be done with the values.
    assert health(server)["takesChanges"] is True
    assert health(server)["status"] == "ready"
    page.goto(server.url("/"))
    expect(notice).to_have_count(1)
    expect(page.locator(".banner[data-notice]", has_text="Last change not saved.")).to_have_count(0)
    assert put(server, 6).status == 200
    assert outside.read_bytes() == manifest.read_bytes()


def read_only(folder):
    return mounting(f"mount --bind '{folder}' '{folder}'", f"mount -o remount,ro,bind '{folder}'")


def test_a_history_on_a_volume_that_is_mounted_read_only_is_refused_with_what_to_do(file):
    refused = run("serve", file, "--port", "0", "--no-browser", prefix=read_only(file.parent))
    assert refused.returncode == 1 and "mounted read-only" in refused.stderr
    assert "a writable folder: --history /" in refused.stderr and "Allow writing" not in refused.stderr
    assert not list(file.parent.glob("*history*"))


def test_a_backup_is_read_on_a_volume_that_is_mounted_read_only(file, tmp_path):
    assert run("set", file, "limit", "7").returncode == 0
    backup = tmp_path / "a backup #1?"
    assert run("history", "backup", file, backup).returncode == 0
    files = sorted(path.name for path in backup.iterdir())

    def said(command):
        result = run(*command.split(), backup / "flags.xml", prefix=read_only(backup))
        assert result.returncode == 0, result.stderr
        return result.stdout

    assert "The history is intact: 1 row" in said("history verify")
    assert "limit" in said("history list") and "7" in said("list")
    assert sorted(path.name for path in backup.iterdir()) == files


def test_a_volume_that_is_mounted_read_only_is_served_so_from_the_start(serve, file, tmp_path):
    locked = read_only(file.parent)
    server = serve(file, "--history", tmp_path / "kept.sqlite", prefix=locked)
    assert "mounted read-only, so every change is refused" in server.errors()
    assert health(server) == {
        "status": "ready", "readOnly": True, "openChange": False, "takesChanges": False, "unreadableFiles": 0}
    refusal = put(server, 8)
    assert value(server) == 5 and refusal.status == 403
    for text in (refusal.text, server.get("/flags/limit").text):
        assert "The volume of flags.xml is mounted read-only." in text
        assert "Mount it writable, then restart Flagboard to make changes." in text and "--read-only" not in text
    webhooks = server.get("/webhooks").text
    assert "Mount it writable, then restart Flagboard" in webhooks and "--read-only" not in webhooks
    # What others write there is shown.
    file.write_text(VALUES.format(6))
    until(lambda: value(server) == 6, lambda: server.get("/"))
    # Commands find the server, although it can't lock the file.
    listed = run("history", "list", file, "--json", prefix=locked)
    assert "external" in [change["origin"] for change in json.loads(listed.stdout)["changes"]]
    assert run("set", file, "limit", "8", prefix=locked).returncode == 5
    refused = run("serve", file, "--port", "0", "--no-browser", prefix=locked)
    assert refused.returncode == 1 and "--history" in refused.stderr


def configuration(volume, number):
    """The next version of a mounted ConfigMap, which the system swaps in as a whole."""
    folder = volume / f"..version_{number}"
    folder.mkdir()
    (folder / "flags.xml").write_text(
        '<plist version="1.0"><dict>' + "".join(f"<key>{key}</key><integer>0</integer>" for key in ("a", "b"))
        + f"<key>version</key><integer>{number}</integer></dict></plist>\n")
    return folder


@contextmanager
def config_map(volume):
    """The file of a ConfigMap as Kubernetes mounts it, and what swaps in another version."""
    volume.mkdir()
    with link_to(configuration(volume, 0), volume / "..data") as point:
        (volume / "flags.xml").symlink_to("..data/flags.xml")
        yield volume / "flags.xml", point


def test_folders_that_are_swapped_under_load_lose_no_change_that_was_acknowledged(serve, tmp_path):
    volume = tmp_path / "volume"
    with config_map(volume) as (file, point):
        server = serve(file, "--history", tmp_path / "kept.sqlite")
        taken, stop, failed = [], threading.Event(), []

        def write(key):
            number = 0
            while not stop.is_set():
                number += 1
                answer = server.request(
                    "PUT", f"/api/v1/flags/{key}", json.dumps({"value": number, "reason": f"{key}{number}"}).encode(),
                    {"If-Match": "*", "Content-Type": "application/json"})
                if answer.status == 200:
                    taken.append(f"{key}{number}")
                elif answer.status not in (409, 503):
                    failed.append(answer.text)

        writers = [threading.Thread(target=write, args=(key,)) for key in ("a", "b")]
        for writer in writers:
            writer.start()
        for number in range(1, 7):
            count = len(taken)
            point(configuration(volume, number))
            until(
                lambda wanted=number: json.loads(server.get("/api/v1/flags/version").body).get("value") == wanted,
                lambda: server.get("/healthz"))
            until(lambda least=count + 5: len(taken) >= least or failed, lambda: server.get("/healthz"))
        stop.set()
        for writer in writers:
            writer.join()
        assert failed == []
        assert json.loads(server.get("/healthz").body)["status"] == "ready"
        rows = [json.loads(line) for line in server.get("/export/history.jsonl").text.splitlines()]
        assert set(taken) <= {row["reason"] for row in rows if row["kind"] == "set"}
        # What is saved now goes into the file that is read.
        answer = server.request(
            "PUT", "/api/v1/flags/a", b'{"value": 4711}', {"If-Match": "*", "Content-Type": "application/json"})
        assert answer.status == 200 and "<integer>4711<" in file.read_text()
        verified = run("history", "verify", file, "--history", tmp_path / "kept.sqlite")
        assert verified.returncode == 0, verified.stdout


def test_a_config_map_that_is_mounted_read_only_is_followed_and_never_changed(serve, tmp_path):
    volume = tmp_path / "volume"
    with config_map(volume) as (file, point):
        locked = mounting(f"mount --bind '{volume}' '{volume}'", f"mount -o remount,ro,bind '{volume}'")
        server = serve(file, "--history", tmp_path / "kept.sqlite", prefix=locked)
        assert "mounted read-only, so every change is refused" in server.errors()
        for number in range(1, 4):
            point(configuration(volume, number))
            shutil.rmtree(volume / f"..version_{number - 1}")
            until(
                lambda wanted=number: json.loads(server.get("/api/v1/flags/version").body).get("value") == wanted,
                lambda: server.get("/healthz"))
            refusal = server.request(
                "PUT", "/api/v1/flags/a", b'{"value": 9}', {"If-Match": "*", "Content-Type": "application/json"})
            assert refusal.status == 403 and "mounted read-only" in refusal.text
            assert health(server)["status"] == "ready"
        rows = [json.loads(line) for line in server.get("/export/history.jsonl").text.splitlines()]
        # What was refused is in the history, too.
        assert [(row["origin"], row["key"]) for row in rows] == [("external", "version"), ("api", "a")] * 3
        verified = run("history", "verify", file, "--history", tmp_path / "kept.sqlite", prefix=locked)
        assert verified.returncode == 0, verified.stdout


@pytest.mark.parametrize("named_by_option", [True, False], ids=["by option", "beside the values"])
def test_tokens_of_a_secret_are_followed_where_they_are_swapped(serve, file, tmp_path, named_by_option):
    volume = tmp_path / "secret"
    volume.mkdir()

    def version(number, name):
        folder = volume / f"..version_{number}"
        folder.mkdir()
        token = make_token(file, name, "viewer", "--tokens", folder / "tokens.json")
        return folder, token

    (first, ada), (second, ben) = version(0, "ada"), version(1, "ben")
    with link_to(first, volume / "..data") as point:
        (volume / "tokens.json").symlink_to("..data/tokens.json")
        if not named_by_option:
            file.with_name("flags.tokens.json").symlink_to(volume / "tokens.json")
        named = ("--tokens", volume / "tokens.json") if named_by_option else ()
        server = serve(file, *named)

        def status(token):
            return server.get(LIMIT, {"Authorization": f"Bearer {token}"}).status

        assert (status(ada), status(ben)) == (200, 401)
        point(second)
        shutil.rmtree(first)
        assert (status(ada), status(ben)) == (401, 200)
        # A command writes where the link leads now.
        assert run("token", "revoke", file, "ben", *named).returncode == 0
        assert status(ben) == 401 and json.loads((second / "tokens.json").read_text())["tokens"] == []


def test_a_file_that_is_mounted_by_itself_and_read_only_is_served_so_from_the_start(serve, file, tmp_path):
    outside = tmp_path / "outside.xml"
    outside.write_text(VALUES.format(7))
    mounts = mounting(f"mount --bind '{outside}' '{file}'", f"mount -o remount,ro,bind '{file}'")
    server = serve(file, "--history", tmp_path / "kept.sqlite", prefix=mounts)
    assert "mounted read-only, so every change is refused" in server.errors()
    assert value(server) == 7 and put(server, 8).status == 403
    assert health(server)["takesChanges"] is False


def test_a_file_on_an_overlay_is_changed_as_elsewhere(serve, tmp_path):
    for name in ("lower", "upper", "work", "merged"):
        (tmp_path / name).mkdir()
    (tmp_path / "lower/flags.xml").write_text(VALUES.format(5))
    layers = ",".join(f"{option}={tmp_path}/{name}" for option, name in (
        ("lowerdir", "lower"), ("upperdir", "upper"), ("workdir", "work")))
    prefix = mounting(f"mount -t overlay overlay -o '{layers}' '{tmp_path}/merged'")
    if subprocess.run([*prefix, "true"]).returncode != 0:
        pytest.skip("no overlay can be mounted here")
    server = serve(tmp_path / "merged/flags.xml", prefix=prefix)
    for number in range(6, 10):
        assert put(server, number).status == 200
    assert value(server) == 9 and health(server)["takesChanges"] is True
    assert "can't swap two files" not in server.errors()
    server.stop()
    assert (tmp_path / "upper/flags.xml").read_text() == VALUES.format(9)
    assert (tmp_path / "lower/flags.xml").read_text() == VALUES.format(5)
    verified = run("history", "verify", tmp_path / "merged/flags.xml", prefix=prefix)
    assert verified.returncode == 0, verified.stdout


def test_a_full_disk_shows_in_the_health_and_on_an_open_page_until_there_is_room(open_page, serve, tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    outside = tmp_path / "flags.xml"
    outside.write_text(VALUES.format(5))
    prefix = mounting(
        f"mount -t tmpfs -o size=2m,mode=700 small '{folder}'", f"cp '{outside}' '{folder}/flags.xml'")
    server = serve_in(folder, prefix, serve)
    inside = Path(f"/proc/{server.process.pid}/root{folder}")
    assert health(server)["takesChanges"] is True
    page = open_page(java_script_enabled=True)
    page.goto(server.url("/"))
    notice = page.locator(".banner[data-notice]", has_text="Last change not saved.")
    expect(notice).to_have_count(0)
    with open(inside / "filler", "wb", buffering=0) as filler:
        with pytest.raises(OSError):
            while True:
                filler.write(bytes(4096))
    until(lambda: put(server, 6).status == 507, lambda: None)
    assert health(server)["takesChanges"] is False
    assert health(server)["status"] == "degraded"
    expect(notice).to_contain_text("the disk is full; free disk space")
    (inside / "filler").unlink()
    # By itself, without a change that is asked for.
    until(lambda: health(server)["takesChanges"], lambda: None)
    expect(notice).to_have_count(0)
    assert put(server, 9).status == 200


def serve_in(folder, prefix, serve):
    # The server's own folder is what the test sees, where nothing is mounted.
    (folder / "flags.xml").touch()
    return serve(folder / "flags.xml", prefix=prefix)


def test_a_folder_that_may_not_be_written_shows_in_the_health(serve, file):
    prefix = ordinary(file)
    server = serve(file, prefix=prefix)
    assert put(server, 6).status == 200
    file.parent.chmod(0o555)
    try:
        assert put(server, 7).status == 503
        assert health(server)["takesChanges"] is False
    finally:
        file.parent.chmod(0o755)
    until(lambda: health(server)["takesChanges"], lambda: None)
    assert put(server, 8).status == 200


@pytest.fixture
def theirs():
    """A values file in a folder that another user reaches, and what to put before a command to be that user."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can be another user")
    root = Path("/tmp") / f"flagboard-test-{os.getpid()}-theirs"
    root.mkdir()
    (root / "flags.xml").write_text(VALUES.format(5))
    yield root / "flags.xml", ("setpriv", "--reuid", "1000", "--regid", "1000", "--clear-groups")
    shutil.rmtree(root, ignore_errors=True)


def test_a_file_of_another_user_that_no_change_can_replace_shows_from_the_start(theirs, serve):
    file, prefix = theirs
    file.parent.chmod(0o777)
    file.chmod(0o666)
    server = serve(file, prefix=prefix)
    assert health(server)["takesChanges"] is False
    assert "run as the file&#39;s owner" in server.get("/").text
    assert put(server, 6).status == 503
    os.chown(file, 1000, 1000)
    assert put(server, 6).status == 200 and health(server)["takesChanges"] is True


def test_a_file_whose_folder_gives_new_files_its_group_is_changed_though_the_process_is_not_in_it(theirs, serve):
    file, prefix = theirs
    for path in (file.parent, file):
        os.chown(path, 1000, 2000)
    file.parent.chmod(0o2775)
    server = serve(file, prefix=prefix)
    assert health(server)["takesChanges"] is True
    assert put(server, 6).status == 200 and file.stat().st_gid == 2000


def ordinary(file):
    """What to put before a command so that permissions hold, which they don't for root."""
    if os.geteuid() != 0:
        return ()
    prefix = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    if shutil.which("setpriv") is None or subprocess.run([*prefix, "true"]).returncode != 0:
        pytest.skip("root writes everywhere here")
    file.parent.chmod(0o555)
    try:
        if subprocess.run([*prefix, "touch", file.parent / "new"], capture_output=True).returncode == 0:
            pytest.skip("root writes everywhere here")
    finally:
        file.parent.chmod(0o755)
    return prefix


def test_the_labels_of_a_file_stay_with_a_change(file):
    names = {"user.note": b"mine", "security.selinux": b"system_u:object_r:etc_t:s0\0"}
    for name in list(names):
        try:
            os.setxattr(file, name, names[name])
        except OSError:
            del names[name]
    if not names:
        pytest.skip("this file system keeps no attributes")
    assert run("set", file, "limit", "6").returncode == 0
    assert {name: os.getxattr(file, name) for name in os.listxattr(file)} == names


def test_a_label_that_cannot_be_kept_is_said_at_the_start(serve, file):
    try:
        os.setxattr(file, "trusted.origin", b"here")
    except OSError:
        pytest.skip("only root can set such an attribute")
    prefix = ("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin")
    if subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        pytest.skip("root can't do without that right here")
    shown = subprocess.run(
        [*prefix, "python3", "-c", "import os,sys; print(os.listxattr(sys.argv[1]))", file], capture_output=True, text=True)
    server = serve(file, prefix=prefix)
    if "trusted.origin" in shown.stdout:
        assert "trusted.origin" in server.errors()
    assert put(server, 6).status == 200


@pytest.mark.parametrize("way", ["alone", "beside a server"])
def test_a_user_without_a_name_is_named_by_the_number(serve, tmp_path, way):
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can be another user")
    number = 1_234_567
    prefix = ("setpriv", "--reuid", str(number), "--regid", "0", "--clear-groups")
    root = Path("/tmp") / f"flagboard-test-{os.getpid()}-{way.split()[0]}"
    root.mkdir(mode=0o777)
    try:
        root.chmod(0o777)
        file = root / "flags.xml"
        file.write_text(VALUES.format(5))
        os.chown(file, number, 0)
        if way == "beside a server":
            serve(file, prefix=prefix)
        result = run("set", file, "limit", "6", prefix=prefix, variables={"USER": "root", "LOGNAME": "root"})
        assert result.returncode == 0, result.stderr
        rows = json.loads(run("history", file, "--json", prefix=prefix).stdout)
        assert f"uid {number}" in json.dumps(rows)
        assert f"uid {number}" in run("history", file, prefix=prefix).stdout
    finally:
        shutil.rmtree(root, ignore_errors=True)


def test_a_lock_that_another_program_has_is_not_put_down_to_a_server_that_is_gone(serve, file):
    server = serve(file)
    server.kill()
    with open(file.with_name(".flags.xml.lock"), "r+b") as lock:
        assert server.address.encode() in lock.read()
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in (["serve", file, "--access", "open", "--port", "0", "--no-browser"],
                        ["lock", file, "limit", "--timeout", "0.1"]):
            result = run(*command)
            assert result.returncode == 1, result.stderr
            assert "an unidentified program" in result.stderr and "has ended" in result.stderr


NUMBER = "0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D"


def test_what_an_ended_server_left_half_written_is_removed_at_the_start(serve, file):
    names = ["tokens.json", "webhooks.json", "webhooks-state.json", "searches.json"]
    left = [file.with_name(f".flags.{name}.{NUMBER}.tmp") for name in names]
    strange = [file.with_name(f".flags.xml.{NUMBER}.tmp"), file.with_name(".flags.tokens.json.mine.tmp")]
    for path in left + strange:
        path.write_text("half")
    serve(file)
    assert [path for path in left if path.exists()] == []
    # An app may be writing the values at this moment, and nobody knows whose the other is.
    assert all(path.exists() for path in strange)


def test_what_an_interrupted_command_left_among_the_temporary_files_is_removed(file):
    abandoned = Path(f"/tmp/flagboard-own-{NUMBER}")
    abandoned.mkdir(mode=0o700)
    (abandoned / "socket").touch()
    try:
        assert run("get", file, "limit").returncode == 0
        assert not abandoned.exists()
    finally:
        shutil.rmtree(abandoned, ignore_errors=True)


def huge(path):
    """A file of 3 GiB that takes no room."""
    path.touch(mode=0o600)
    os.truncate(path, 3 << 30)


def limited(command):
    """A command that may have 2 GiB of memory."""
    return ["sh", "-c", 'ulimit -v 2097152; exec "$0" "$@"', *map(str, command)]


@pytest.mark.parametrize("name", ["tokens.json", "searches.json", "webhooks.json", "webhooks-state.json"])
def test_a_huge_file_beside_the_values_is_refused_by_a_backup_and_not_read(tmp_path, name):
    file = demonstration(tmp_path / "demo")
    assert run("set", file, "checkout/guest_checkout", "true").returncode == 0
    huge(file.with_name(f"flags.{name}"))
    result = subprocess.run(
        limited([BINARY, "history", "backup", file, tmp_path / "copy"]), capture_output=True, text=True, timeout=60,
        env=environment())
    assert result.returncode == 1
    assert f"flags.{name}" in result.stderr and "3221225472 bytes" in result.stderr
    assert not (tmp_path / "copy").exists()


def test_huge_checkpoints_are_told_of_and_not_read(serve, tmp_path):
    file = demonstration(tmp_path / "demo")
    assert run("set", file, "checkout/guest_checkout", "true").returncode == 0
    huge(file.with_name("flags.history.checkpoints"))
    for command in (["history", "verify", file], ["history", "backup", file, tmp_path / "copy"]):
        result = subprocess.run(
            limited([BINARY, *command]), capture_output=True, text=True, timeout=60, env=environment())
        assert result.returncode == 1
        assert "3221225472 bytes" in result.stdout + result.stderr
    server = serve(file)
    assert server.get("/").status == 200
    assert "3221225472 bytes" in server.errors()


def test_verify_recommends_what_works(tmp_path):
    file = demonstration(tmp_path / "demo")
    assert run("set", file, "checkout/guest_checkout", "true").returncode == 0
    history = file.with_name("flags.history.sqlite")
    kept = [path for path in file.parent.iterdir() if path.name.startswith("flags.history.")]
    copies = tmp_path / "copies"
    copies.mkdir()
    for path in kept:
        shutil.copy(path, copies)

    def restore():
        for path in copies.iterdir():
            shutil.copy(path, file.parent)

    def alter(statement):
        code = (
            "import sqlite3,sys; db = sqlite3.connect(sys.argv[1]); "
            "names = [n for n, in db.execute(\"SELECT name FROM sqlite_master WHERE type = 'trigger'\")]; "
            "[db.execute(f'DROP TRIGGER \"{n}\"') for n in names]; db.execute(sys.argv[2]); db.commit()")
        subprocess.run(["python3", "-c", code, history, statement], check=True)

    # A row that says something else than what was hashed, what is known of a file, and a key that is none.
    damages = [
        lambda: alter("UPDATE history SET reason = 'another' WHERE id = 1"), lambda: alter("UPDATE head SET hash = zeroblob(32)"),
        lambda: file.with_name("flags.history.key").write_text("x")]
    for damage in damages:
        damage()
        said = run("history", "verify", file)
        assert said.returncode == 1
        assert "history accept" not in said.stdout and "can't be accepted" in said.stdout
        assert run("history", "accept", file, "--reason", "try").returncode != 0
        restore()
    # Checkpoints that are lost are what can be accepted, and are said to.
    file.with_name("flags.history.checkpoints").unlink()
    said = run("history", "verify", file)
    assert said.returncode == 1 and "history accept" in said.stdout
    assert run("history", "accept", file, "--reason", "try").returncode == 0
    assert run("history", "verify", file).returncode == 0


def test_a_secret_that_every_user_can_read_is_said_at_the_start(serve, file, tmp_path):
    secret = tmp_path / "password"
    secret.write_text("secret\n")
    secret.chmod(0o644)
    options = ["--publish", "etcd://127.0.0.1:9/flags", "--publish-user", "shop", "--publish-password", secret]
    server = serve(file, *options)
    assert f"every user on this machine can read {secret}, which contains etcd's password" in server.errors()
    server.stop()
    secret.chmod(0o600)
    assert "every user" not in serve(file, *options).errors()


@contextmanager
def answering(answer):
    """A server on this machine whose answers a function writes."""
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            try:
                answer(self)
            except OSError:
                # Whoever asked has heard enough.
                self.close_connection = True

        do_POST = do_GET

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def peak(process):
    """The most memory that a process had at once, in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return 1024 * int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])


def test_a_small_answer_that_is_huge_when_decompressed_is_given_up(serve, file, tmp_path):
    bomb = gzip.compress(bytes(400 << 20), 9)
    assert len(bomb) < 1 << 20
    asked = threading.Event()

    def answer(request):
        if not request.path.startswith("/api/v1/snapshot"):
            request.send_error(404)
            return
        request.send_response(200)
        for name, value in (
            ("Content-Type", "application/json"), ("Content-Encoding", "gzip"), ("Content-Length", str(len(bomb))),
        ):
            request.send_header(name, value)
        request.end_headers()
        asked.set()
        request.wfile.write(bomb)

    with answering(answer) as port, open(tmp_path / "errors", "w+") as errors:
        process = subprocess.Popen(
            [BINARY, "serve", file, "--access", "open", "--port", "0", "--no-browser", "--provider",
             f"main=http://127.0.0.1:{port}/"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=environment())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read()
    assert asked.is_set()
    assert process.returncode == 1
    assert "sends more than the limit of 134217728 bytes" in said
    assert used.ru_maxrss * 1024 < 512 << 20


def test_an_endless_answer_of_etcd_is_given_up(serve, file):
    def answer(request):
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.end_headers()
        while True:
            request.wfile.write(b'{"kvs":"' + b"A" * 65536)

    with answering(answer) as port:
        server = serve(file, "--publish", f"etcd://127.0.0.1:{port}/flags")
        until(lambda: "is larger than 64 MiB" in server.errors(), lambda: server.get("/healthz"))
        assert peak(server.process) < 512 << 20
        assert put(server, 6).status == 200
