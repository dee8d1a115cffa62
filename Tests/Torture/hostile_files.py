"""Gives the server files that are made to harm who reads them, and watches what it opens.

    hostile_files.py [--every N]

Tests/Vectors/hostile-files.json holds the files. Each is given as values and as a manifest, at the start and while the server
runs. It must be refused with its place and its cause, and left as it is; no file may be opened that a server does not open on
an ordinary file, nothing connected to, and not 64 MiB more memory used than for an ordinary file. Times are told, not judged.
"""

import argparse
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Browser"))

from harness import BINARY, ROOT, Server, environment
from samples import write

MOST_MEMORY = 64 * 1024
"""How many KiB more than for an ordinary file the server may use."""
DEADLINE = 300
"""How many seconds to ask again before giving up: a machine may be busy, and the server built for debugging."""


@dataclass
class HostileFile:
    name: str
    kind: str
    says: str
    line: int | None
    column: int | None
    parts: list

    @property
    def content(self):
        return b"".join(map(_bytes, self.parts))

    @property
    def place(self):
        return "" if self.line is None else rf"line {self.line}, column {self.column}\b"


def _bytes(part):
    match part:
        case str():
            return part.encode()
        case {"hex": digits}:
            return bytes.fromhex(digits)
        case {"repeat": text, "times": times}:
            return "".join(text.replace("%d", str(number)) for number in range(times)).encode()


def hostile_files():
    return [HostileFile(**each) for each in json.loads((ROOT / "Tests/Vectors/hostile-files.json").read_text())]


class Trace:
    """What a process and its threads open, look at, and connect to, as strace tells it."""

    def __init__(self, log):
        self._log = log
        self._read = 0
        self.prefix = (
            # -D: the server is the child, and strace stands aside; its end closes the output that it shares.
            shutil.which("strace") or "strace", "-D", "-f", "-qq", "-s", "4096", "-e", "signal=none", "-e",
            "trace=%file,%network", "-o", log,
        )

    def take(self):
        """The calls since the last time: what each names, without numbers, which differ from run to run."""
        with open(self._log, errors="replace") as log:
            log.seek(self._read)
            text = log.read()
            self._read = log.tell()
        named = set()
        for line in text.splitlines():
            call = re.match(r"\d+ +(?:<\.\.\. )?(\w+)", line)
            if not call:
                continue
            strings = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
            if call[1] in ("connect", "socket"):
                family = re.findall(r"AF_\w+", line)[:1]
                named.add(re.sub(r"\d+", "#", " ".join([call[1], *family, *strings])))
            elif call[1] not in NETWORK:
                named.update(re.sub(r"\d+", "#", string) for string in strings)
        return named


NETWORK = {
    "accept4", "accept", "bind", "listen", "recvmsg", "sendmsg", "recvfrom", "sendto", "getsockname", "getpeername",
    "setsockopt", "getsockopt", "shutdown", "socketpair", "execve",
}
"""Calls whose texts are no names of files: what is sent and received, and the command line."""


LIMIT = ("--max-file-size", "16M")
"""The limit that some of the files are just over."""


def ordinary(folder):
    file = write(folder, {"a": True}, [{"key": "a", "type": "bool"}])
    (folder / "secret.txt").write_text("a file that an attack names")
    return file


def serve_in_vain(file, trace):
    """Runs a server that does not start; returns what it said, the seconds it took, and its peak of memory in KiB."""
    start = time.monotonic()
    process = subprocess.Popen(
        [*trace.prefix, BINARY, "serve", file, "--access", "open", "--port", "0", "--no-browser", *LIMIT],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=file.parent, env=environment(),
        text=True,
    )
    with process.stdout:
        text = process.stdout.read()
    seconds = time.monotonic() - start
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 1, f"it ended with {process.returncode}: {text}"
    return text, seconds, usage.ru_maxrss


class Watch:
    """What a server opens and uses on ordinary files and on a slip of the pen, to hold the hostile ones against."""

    def __init__(self, folder):
        self.folder = folder
        self.file = ordinary(folder / "project")
        self.manifest = self.file.with_name("flags.manifest.xml")
        self.memory = 0
        trace = self.trace()
        server = Server(self.file, *LIMIT, prefix=trace.prefix)
        try:
            trace.take()
            server.change("a", "set", "false")
            for file in (self.file, self.manifest):
                before = file.read_bytes()
                fields = server.editor("a") | {"action": "set", "value": "true"}
                replace(file, before.replace(b"</plist>", b""))
                ask_until(server, lambda text: ", column " in text)
                assert server.post("/flags/a", fields).status != 303
                replace(file, before)
                ask_until(server, lambda text: ", column " not in text)
        finally:
            server.stop()
        self.while_running, self.at_start = trace.take(), set()
        for file in (self.file, self.manifest):
            before = file.read_bytes()
            file.write_bytes(b"a slip of the pen")
            forget(self.file)
            trace = self.trace()
            _, _, memory = serve_in_vain(self.file, trace)
            self.memory = max(self.memory, memory)
            self.at_start |= trace.take()
            file.write_bytes(before)
        # Otherwise an attack that has the server open one of these would not be seen.
        assert not {"/etc/shadow", "/bin/sh", "/dev/random", "secret.txt"} & (self.while_running | self.at_start)
        own = re.escape(re.sub(r"\d+", "#", str(self.file.parent)))
        # The server's own files beside these: locks, the history, a new file that is about to take a file's place. And what
        # libdispatch looks at on a busy machine, to see which threads run, and malloc, before it gives memory back.
        self._own = re.compile(
            rf"({own}/)?\.?flags\.[\w.#-]+|/proc/#/stat|/proc/sys/vm/overcommit_memory")

    def trace(self):
        log = self.folder / "trace"
        log.write_text("")
        return Trace(log)

    def check(self, trace, usual, table):
        foreign = {name for name in trace.take() - usual if not self._own.fullmatch(name)}
        table["foreign files opened, or connections made"] += len(foreign)
        assert not foreign, f"it opened or asked for {sorted(foreign)}"


def replace(file, content):
    """Puts a file in the place of another in one step, as an editor does."""
    new = file.parent.parent / "new"
    new.write_bytes(content)
    new.rename(file)


def patiently(ask):
    """Asks again where a busy machine took longer to answer than a browser would wait."""
    end = time.monotonic() + DEADLINE
    while True:
        try:
            return ask()
        except TimeoutError:
            assert time.monotonic() < end, "there was no answer"


def ask_until(server, holds):
    """Asks for the first page until it says what it should; returns it and the seconds that the last answer took."""
    end = time.monotonic() + DEADLINE
    while True:
        start = time.monotonic()
        answer = patiently(lambda: server.get("/"))
        seconds = time.monotonic() - start
        text = html.unescape(answer.text)
        if answer.status == 200 and holds(text):
            return text, seconds
        assert time.monotonic() < end, f"{answer.status}: {text}"


def forget(file):
    """Removes the history of a file: of one that was served before, a server has the last good values, and starts."""
    for kept in file.parent.glob("flags.history*"):
        kept.unlink()


def at_the_start(watch, attack, file, table):
    """A server on a hostile file does not start, says where and why, and opens nothing else."""
    before, content = file.read_bytes(), attack.content
    file.write_bytes(content)
    try:
        forget(file)
        names = sorted(path.name for path in file.parent.iterdir())
        trace = watch.trace()
        said, seconds, memory = serve_in_vain(watch.file, trace)
        assert str(file) in said and re.search(attack.place, said) and attack.says in said, said[:2000]
        assert len(said) < 2000, f"it said {len(said)} characters"
        assert file.read_bytes() == content, "the file was changed"
        assert sorted(path.name for path in file.parent.iterdir()) == names, "a file was made"
        more = memory - watch.memory
        assert more < MOST_MEMORY, f"it used {more // 1024} MiB more than for an ordinary file"
        watch.check(trace, watch.at_start, table)
    finally:
        file.write_bytes(before)
    table["hostile files refused at the start"] += 1
    table["MiB more than for an ordinary file, at most"] = max(
        table["MiB more than for an ordinary file, at most"], -(-more // 1024))
    table["ms to refuse one at the start under strace, at most"] = max(
        table["ms to refuse one at the start under strace, at most"], round(seconds * 1000))


def while_it_runs(watch, server, trace, attack, file, table):
    """A server whose file becomes a hostile one says so on its pages, changes nothing, opens nothing else, and recovers."""
    fields = patiently(lambda: server.editor("a")) | {"action": "set", "value": "true"}
    before, content = file.read_bytes(), attack.content
    replace(file, content)
    try:
        # A hostile file may have no place, and a reader of the page is not told what is in it.
        text, seconds = ask_until(server, lambda text: re.search(attack.place, text) and file.name in banners(text))
        assert attack.content == file.read_bytes()
        answer = patiently(lambda: server.post("/flags/a", fields))
        assert answer.status in (409, 503), f"a change was answered with {answer.status}"
        assert file.read_bytes() == content, "the file was changed"
        watch.check(trace, watch.while_running, table)
    finally:
        replace(file, before)
    ask_until(server, lambda text: file.name not in banners(text))
    table["hostile files refused while it runs"] += 1
    table["ms to answer beside one under strace, at most"] = max(
        table["ms to answer beside one under strace, at most"], round(seconds * 1000))


def banners(text):
    return " ".join(re.findall(r'<[^>]*class="banner banner-error".*?</p>', text, re.S))


def at_hostile_files(every, table):
    """Tries every Nth hostile file, as values and as a manifest, and counts what was seen."""
    attacks = hostile_files()[::every]
    with tempfile.TemporaryDirectory() as folder:
        watch = Watch(Path(folder))
        for file in (watch.file, watch.manifest):
            for attack in attacks:
                told(attack, file, at_the_start, watch, attack, file, table)
        trace = watch.trace()
        server = Server(watch.file, *LIMIT, prefix=trace.prefix)
        trace.take()
        try:
            for file in (watch.file, watch.manifest):
                for attack in attacks:
                    told(attack, file, while_it_runs, watch, server, trace, attack, file, table)
        finally:
            server.stop()


def answer_times(table):
    """How long answers take beside each hostile file, without strace; nothing is judged.

    Who asks first once a file is bad waits for as long as it may be half written: that is told on its own.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = ordinary(Path(folder) / "project")
        manifest = file.with_name("flags.manifest.xml")
        server = Server(file, *LIMIT)
        try:
            for target in (file, manifest):
                for attack in hostile_files():
                    before = target.read_bytes()
                    replace(target, attack.content)
                    start = time.monotonic()
                    ask_until(server, lambda text: re.search(attack.place, text) and target.name in banners(text))
                    _highest(table, "ms until the first page says so (it may be half written for 500), at most", start)
                    for _ in range(3):
                        start = time.monotonic()
                        server.get("/")
                        _highest(table, "ms for a page afterwards, at most", start)
                    replace(target, before)
                    ask_until(server, lambda text: target.name not in banners(text))
        finally:
            server.stop()
        for target in (file, manifest):
            before = target.read_bytes()
            for attack in hostile_files():
                target.write_bytes(attack.content)
                forget(file)
                start = time.monotonic()
                subprocess.run(
                    [BINARY, "serve", file, "--access", "open", "--port", "0", "--no-browser", *LIMIT], capture_output=True,
                    env=environment(), check=False)
                _highest(table, "ms to refuse one at the start, at most", start)
            target.write_bytes(before)


def _highest(table, name, start):
    table[name] = max(table[name], round((time.monotonic() - start) * 1000))


def told(attack, file, check, *arguments):
    """Runs a check, and says of its failure which file it was."""
    try:
        check(*arguments)
    except (AssertionError, OSError) as problem:
        raise AssertionError(f"{attack.name}, as {file.name}: {problem}") from problem


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="try every Nth file (default: each)")
    table = Counter()
    at_hostile_files(parser.parse_args().every, table)
    answer_times(table)
    for what, count in table.items():
        print(f"{count:8}  {what}")


if __name__ == "__main__":
    main()
