"""What a change costs that a person waits for, beside the plain write of the same bytes; with one writer, and with sixteen.

A person waits for the page that follows, too: what a change leaves to be worked out is worked out for that.
"""

import itertools
import multiprocessing
import statistics
import time

from connection import Connection
from files import key
from floors import replace_file
from line import Goal, Line
from measuring import cost

GOALS = {1_000: 2, 10_000: 4, 100_000: 15}
WRITERS, ROUNDS = 16, 3
PATIENCE = 120


def lines(server, size, about):
    """The lines of a server's file of so many flags."""
    content = server.file.read_bytes()
    connection = Connection(server.port)
    flag, goal = key(0), Goal(GOALS[size], "ms") if size in GOALS else None
    ways = {
        "set through the form, and the flag's page": (connection.change, _requests(connection, 0)),
        "set in the list, and the list": (connection.change, _requests(connection, 0, back="/")),
        "PUT by REST": (connection.ask, [
            connection.putting(f"/api/v1/flags/{flag}", {"value": value}) for value in (False, True)]),
        "set through the form, and no look": (lambda form: connection.ask(form, 303), _requests(connection, 0)),
    }
    for what, (act, requests) in ways.items():
        turns = itertools.cycle(requests)
        # Memory that the machine hands out for the first time costs many times the copy into it.
        for _ in range(60):
            act(next(turns))
        floor = [replace_file(server.file.parent, content) for _ in range(20)]
        found = cost(server, lambda act=act, turns=turns: act(next(turns)), 100)
        floor += [replace_file(server.file.parent, content) for _ in range(20)]
        yield Line(
            "Changes", what + about, size, found.clock, "ms", "write, fsync, rename, fsync of the folder",
            statistics.median(floor), goal, f"{found.processors:.2f} ms of the processors")
    connection.close()
    if about or size not in GOALS:
        return
    one, many = [], []
    for _ in range(ROUNDS):
        one.append(_rate(server, 1, 48 if size <= 10_000 else 24))
        many.append(_rate(server, WRITERS, 24 if size <= 10_000 else 12))
    yield Line(
        "Changes", f"{WRITERS} writers at once{about}", size, statistics.median(many), "/s", "one writer",
        statistics.median(one), Goal(6, "times", is_least=True))


def _requests(connection, number, **fields):
    """The two forms that turn a Boolean off and on again."""
    return [
        connection.posting(f"/flags/{key(4 * number)}", {"action": action, "reason": ""} | fields)
        for action in ("off", "on")]


def _rate(server, writers, count):
    """How many changes a second so many programs make that each change a flag of their own."""
    # Programs rather than threads, since the threads of one Python take turns; they open their connections themselves.
    programs = multiprocessing.get_context("fork")
    ready, spans = programs.Barrier(writers), programs.Queue()
    started = [
        programs.Process(target=_write, args=(server.port, number, count, ready, spans), daemon=True)
        for number in range(writers)]
    for program in started:
        program.start()
    found = [spans.get(timeout=PATIENCE) for _ in started]
    for program in started:
        program.join()
    return writers * count / (max(end for _, end in found) - min(start for start, _ in found))


def _write(port, number, count, ready, spans):
    connection = Connection(port)
    turns = itertools.cycle(_requests(connection, number))
    for _ in range(2):
        connection.ask(next(turns), 303)
    ready.wait(PATIENCE)
    start = time.perf_counter()
    for _ in range(count):
        connection.ask(next(turns), 303)
    spans.put((start, time.perf_counter()))
    connection.close()
