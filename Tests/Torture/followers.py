"""A writer that publishes to etcd, a replica of it, and readers of all three, which are killed and stopped in turn."""

import json
import plistlib
import random
import time
from collections import Counter
from contextlib import contextmanager
from signal import SIGCONT, SIGSTOP

from etcd import Etcd, free_ports
from harness import Server
from readers import PATIENCE, Readers
from samples import write
from setter import Setter
from subject import rows_of, verify

KEY, FIRST = "counter", 0
NOTHING = {"id": 0, "hash": "0" * 64}
"""The last row of an empty history."""
SETTLED = 0.3
"""How probable it is after each act that all is healed and looked at."""


class Scene:
    """The processes, what is done to them, and the look at what came of it.

    Which acts come after each other, and how many changes are made meanwhile, follows from the seed alone.
    """

    def __init__(self, folder, seed):
        self.generator = random.Random(seed)
        self.kills, self.pauses = Counter(), Counter()
        self.healed = self.checked = self.changes = self.unknown = 0
        self._folder = folder
        self._replica_folder = folder / "replica"
        self._replica_folder.mkdir()
        self._file = write(folder / "writer", {KEY: FIRST}, [{"key": KEY, "type": "integer"}])
        self._ports = dict(zip(("writer", "replica"), free_ports(2)))
        self._starting = []
        self._is_writer_up = False
        self._past_readers = []
        self._readers = []
        self.etcd = self.setter = self.writer = self.replica = None

    def start(self):
        self.etcd = Etcd(self._folder / "etcd", members=3)
        self.setter = Setter(KEY, self._ports["writer"])
        self._start_writer()
        self._start_replica("--create")
        self._readers = [
            Readers("etcd", 4, KEY, self.etcd.address()),
            Readers("the writer", 2, KEY, self.writer.url("/")),
            Readers("the replica", 2, KEY, self.replica.url("/")),
        ]

    def end(self):
        """Ends every process, however far the scene came."""
        for server in (self.writer, self.replica):
            if server and server.process.poll() is None:
                server.kill()
        if self.setter:
            self.setter.close()
        for readers in self._readers:
            if readers.process.poll() is None:
                readers.kill()
        if self.etcd:
            self.etcd.kill()

    def play(self, count):
        """Kills so many processes at least, and looks at everything now and then."""
        self.start()
        while self.kills.total() < count:
            self._act(self._kill_publisher, self._kill_writer, self._kill_member, self._kill_quorum,
                      self._kill_beside_stale_member, self._kill_replica, self._kill_readers, self._pause_member,
                      self._pause_writer, self._pause_replica)
            if self.generator.random() < SETTLED:
                self._settle()
        self._settle()
        # Once only, since readers take some seconds to leave a member that says nothing.
        self._silence_member()
        self._settle()
        for readers in self._readers:
            readers.stop()
        self._check_reads(self._history())
        verify(self._file)

    def _act(self, *acts):
        self.generator.choice(acts)()

    def _meanwhile(self, *acts):
        """Now and then, does something else too."""
        if self.generator.random() < 0.4:
            self._act(*acts)

    def _moment(self, longest):
        """Lets a random time pass, so that a process is ended wherever it is: nothing is waited for."""
        time.sleep(self.generator.uniform(0, longest))

    def _change(self):
        """Has some changes made; waits for them where the writer can make any."""
        self.setter.grant(self.generator.randint(1, 8))
        if self._is_writer_up:
            self.setter.wait()

    def _start_writer(self):
        self.writer = Server(
            self._file, "--publish", self.etcd.address(), "--port", str(self._ports["writer"]))
        self._note_writer(True)

    def _note_writer(self, is_up):
        self._is_writer_up = is_up
        self.setter.note_up(is_up)

    @contextmanager
    def _without_writer(self, what):
        self.kills[what] += 1
        self._note_writer(False)
        self.writer.kill()
        yield
        self._start_writer()

    def _kill_publisher(self):
        """Kills the writer while it publishes what it has acknowledged."""
        self._change()
        self._moment(0.02)
        with self._without_writer("publisher"):
            self._meanwhile(self._kill_member, self._kill_quorum, self._kill_replica, self._pause_replica)

    def _kill_writer(self):
        """Kills the writer in the middle of a change."""
        count = self.generator.randint(1, 8)
        first = self.setter.grant(count)
        self.setter.wait_for(first + self.generator.randrange(count))
        self._moment(0.012)
        with self._without_writer("writer"):
            self._meanwhile(self._kill_member, self._kill_quorum, self._kill_replica, self._kill_readers)
        self.setter.wait()

    def _pause_writer(self):
        self.setter.grant(self.generator.randint(1, 8))
        self._moment(0.02)
        with self._paused("writer", self.writer.process):
            self._is_writer_up = False
            self._meanwhile(self._kill_member, self._kill_quorum, self._kill_readers, self._pause_replica)
            self._moment(0.2)
        self._is_writer_up = True
        self.setter.wait()

    def _members(self, count):
        """Some of the members, after all of them answer."""
        self._wait_for_members()
        return self.generator.sample(self.etcd.members, count)

    def _wait_for_members(self):
        for member in self._starting:
            member.wait()
        self._starting = []

    def _kill_members(self, what, members):
        for member in members:
            member.kill()
        self.kills[what] += len(members)
        self._change()
        self._moment(0.2)
        for member in members:
            self._launch(member)

    def _launch(self, member):
        member.launch()
        self._starting.append(member)

    def _kill_member(self):
        self._kill_members("member", self._members(1))

    def _kill_quorum(self):
        """Kills two members, so that for a moment nothing can be published or read."""
        self._kill_members("two members", self._members(2))

    def _pause_member(self):
        [member] = self._members(1)
        with self._paused("member", member.process):
            self._change()
            self._meanwhile(self._kill_replica, self._kill_readers)
            self._moment(0.3)

    def _kill_beside_stale_member(self):
        """Kills a member while another one lacks the last changes, which goes on before the killed one does."""
        stale, killed = self._members(2)
        with self._paused("member that goes stale", stale.process):
            self._change()
            self._moment(0.3)
            killed.kill()
            self.kills["member beside a stale one"] += 1
            self._moment(0.5)
        self._moment(0.3)
        self._launch(killed)

    def _silence_member(self):
        """Stops a member until all readers have got what is changed meanwhile."""
        [member] = self._members(1)
        with self._paused("member, until all is read", member.process):
            self._change()
            self._wait_for_readers(self._last(self._history()))

    def _start_replica(self, *options):
        self.replica = Server(
            self._replica_folder / "own.xml", "--provider", f"main={self.writer.url('/')}", "--port",
            str(self._ports["replica"]), *options)

    def _kill_replica(self):
        self.kills["replica"] += 1
        self.replica.kill()
        self._change()
        self._start_replica()

    def _pause_replica(self):
        with self._paused("replica", self.replica.process):
            self._change()
            self._moment(0.2)

    def _kill_readers(self):
        self.kills["readers"] += 1
        place = self.generator.randrange(len(self._readers))
        readers = self._readers[place]
        readers.kill()
        self._past_readers.append(readers)
        self._readers[place] = readers.next()

    @contextmanager
    def _paused(self, what, process):
        self.pauses[what] += 1
        process.send_signal(SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(SIGCONT)

    def _settle(self):
        """Has all be well, without another change, and looks whether everything comes to the same."""
        self.setter.wait()
        self._wait_for_members()
        history = self._history()
        last = self._last(history)
        self._wait_for_readers(last)
        self._wait_for_row(history)
        self._check_reads(history)
        self._check_etcd(history, last)
        self._check_replica(history)
        self.healed += 1

    def _history(self):
        """The rows of the history: every acknowledged change, and what became of the others."""
        rows = rows_of(self.writer)
        assert [row["id"] for row in rows] == list(range(1, len(rows) + 1)), "rows are missing from the history"
        acknowledged = self.setter.acknowledged
        set_values = {}
        for row in rows:
            asked = row["key"] == KEY and int(row["after"]["integer"])
            is_cut = row["kind"] == "aborted" and asked not in acknowledged
            assert asked and (row["kind"] == "set" or is_cut), f"the history has a row of what was not asked for: {row}"
            if row["kind"] == "set":
                set_values[row["id"]] = asked
        lost = {value: row for value, row in acknowledged.items() if set_values.get(row) != value}
        assert not lost, f"acknowledged changes (by value: row) are not in the history: {lost}"
        values = list(set_values.values())
        assert values == sorted(set(values)), "the history has values in another order than they were set"
        assert set(values) <= set(range(1, self.setter.sent + 1)), "the history has values that were never sent"
        self.changes, self.unknown = len(acknowledged), self.setter.sent - len(acknowledged)
        return rows

    @staticmethod
    def _values(rows):
        """What the flag holds after each row."""
        values = {0: FIRST}
        for row in rows:
            values[row["id"]] = int(row["after"]["integer"]) if row["kind"] == "set" else values[row["id"] - 1]
        return values

    def _last(self, rows):
        return self._values(rows)[len(rows)]

    def _wait_for_readers(self, value):
        for readers in self._readers:
            readers.wait(value)

    def _wait_for_row(self, rows):
        """Waits until the last row is with etcd and the replica: one that changes no value wakes no reader."""
        head = rows[-1]["id"] if rows else 0
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            # The replica asks each second: an answer of its own paces the look.
            self.replica.get("/healthz")
            published = json.loads(self.etcd.content()["/flags/row"])
            if not published["filling"] and published["row"] == head == self._record()["row"]:
                return

    def _record(self):
        """What the replica says that it got last."""
        return json.loads((self._replica_folder / "own.main.replica.json").read_text())

    def _check_reads(self, rows):
        values = self._values(rows)
        everything = self._past_readers + self._readers
        for readers in everything:
            readers.check(values)
        self.checked = sum(readers.count() for readers in everything)

    def _check_etcd(self, rows, last):
        content = self.etcd.content()
        published = json.loads(content["/flags/row"])
        head = rows[-1] if rows else NOTHING
        assert (published["row"], published["hash"], published["filling"]) == (head["id"], head["hash"], False), (
            f"etcd holds {published}, and the last row is {head['id']} with the hash {head['hash']}")
        assert content[f"/flags/values/Local/{KEY}"] == str(last), f"etcd holds {content}, and {last} was set last"

    def _check_replica(self, rows):
        own, its = (json.loads(server.get("/api/v1/snapshot").body) for server in (self.writer, self.replica))
        head = rows[-1] if rows else NOTHING
        assert (own["row"], own["hash"]) == (head["id"], head["hash"]), f"the writer's snapshot is {own}"
        held, served = (plistlib.loads(snapshot["values"].encode()) for snapshot in (own, its))
        assert held == served, f"the replica serves {served}, and the writer {held}"
        # The row of its own snapshot is that of its own history.
        record = self._record()
        assert (record["row"], record["hash"]) == (head["id"], head["hash"]), (
            f"the replica has {record}, and the last row is {head['id']}")
