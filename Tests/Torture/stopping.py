"""Stops a server that many clients keep busy, and counts what becomes of their requests.

A request is cut where its connection had been answered before and it gets no whole answer, or where its answer breaks off. A
new connection that is refused, or that the system had set up while the server no longer took any, was never accepted: such a
request is counted apart, and must not have changed anything.
"""

import http.client
import json
import sqlite3
import threading
import time
from collections import Counter
from signal import SIGTERM

JSON = {"Content-Type": "application/json", "If-Match": "*"}
KEY = "/api/v1/flags/checkout/maximum_basket_items"


class Load:
    """Clients that ask, change and listen until the server takes no connection any more."""

    def __init__(self, server, clients, listeners):
        self.server = server
        self.tally = Counter()
        self.faults = []
        self._lock = threading.Lock()
        self._value = 0
        self._is_stopping = threading.Event()
        self._answered = threading.Semaphore(0)
        self._listening = threading.Semaphore(0)
        self._threads = [threading.Thread(target=self._ask, args=(number,)) for number in range(clients)]
        self._threads += [threading.Thread(target=self._listen) for _ in range(listeners)]
        self._clients, self._listeners = clients, listeners

    def run(self, requests):
        """Lets each client be answered some times, stops the server, and waits for the end of all.

        Returns how long the server took to end, in seconds.
        """
        for thread in self._threads:
            thread.start()
        for _ in range(requests * self._clients):
            self._answered.acquire()
        for _ in range(self._listeners):
            self._listening.acquire()
        self._is_stopping.set()
        start = time.monotonic()
        self.server.process.send_signal(SIGTERM)
        code = self.server.process.wait()
        took = time.monotonic() - start
        for thread in self._threads:
            thread.join()
        if code != 0:
            self._fault(f"the server ended with {code}: {self.server.errors()}")
        with sqlite3.connect(self.server.file.with_name("flags.history.sqlite")) as history:
            stored = history.execute("SELECT count(*) FROM history WHERE kind = 'set'").fetchone()[0]
        history.close()
        if stored != self.tally["changed"]:
            self._fault(f"{stored} changes are in the history, and {self.tally['changed']} were answered")
        return took

    def _count(self, what):
        with self._lock:
            self.tally[what] += 1

    def _fault(self, what):
        with self._lock:
            self.faults.append(what)

    def _connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.server.port)

    def _request(self, number):
        with self._lock:
            self._value += 1
            value = self._value
        return [
            ("GET", "/", None, {}),
            ("POST", "/ofrep/v1/evaluate/flags", b"{}", {"Content-Type": "application/json"}),
            ("PUT", KEY, json.dumps({"value": value % 90 + 1}).encode(), JSON),
            ("GET", "/api/v1/flags", None, {}),
        ][(number + value) % 4]

    def _ask(self, number):
        connection, is_known = self._connection(), False
        while True:
            request = self._request(number)
            is_change = request[0] == "PUT"
            try:
                connection.request(*request)
                answer = connection.getresponse()
            except ConnectionRefusedError:
                break
            except OSError as error:
                # What was lost on its way there was not accepted; on a connection that was, it is.
                if is_known:
                    self._fault(f"{request[0]} {request[1]} got no answer on a connection that had answered: {error!r}")
                elif not self._is_stopping.is_set():
                    self._fault(f"{request[0]} {request[1]} got no answer before the stop: {error!r}")
                self._count("not accepted")
                connection, is_known = self._reconnected(connection), False
                continue
            try:
                body = answer.read()
            except (OSError, http.client.HTTPException) as error:
                self._fault(f"the answer to {request[0]} {request[1]} broke off: {error!r}")
                break
            if answer.status != 200:
                self._fault(f"{request[0]} {request[1]} was answered {answer.status}: {body[:200]}")
            self._count("answered")
            if is_change and json.loads(body)["outcome"] == "applied":
                self._count("changed")
            self._answered.release()
            is_known = True
            # Every third client makes a connection for each request, so that some are on their way when the server stops.
            if answer.will_close or number % 3 == 2:
                self._count("told to close" if answer.will_close else "connected anew")
                connection, is_known = self._reconnected(connection), False
        connection.close()

    def _reconnected(self, connection):
        connection.close()
        return self._connection()

    def _listen(self):
        connection = self._connection()
        try:
            connection.request("GET", "/events")
            answer = connection.getresponse()
            answer.readline()
            self._listening.release()
            answer.read()
            self._count("streams ended whole")
        except (OSError, http.client.HTTPException) as error:
            self._fault(f"a stream of events broke off: {error!r}")
            self._listening.release()
        finally:
            connection.close()
