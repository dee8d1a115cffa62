"""Sets a flag to 1, 2, 3 and so on, whatever becomes of the server."""

import http.client
import json
import threading

PATIENCE = 120
"""Seconds after which a change counts as one that is never answered."""
JSON = {"Content-Type": "application/json", "If-Match": "*"}


class Setter:
    """One client that makes the changes that it is granted, one after the other.

    `acknowledged` has the row of each value that the server said it had set. A value whose request was cut may be set or not;
    it is not sent again.
    """

    def __init__(self, key, port):
        self._path, self._port = f"/api/v1/flags/{key}", port
        self.sent = 0
        self.acknowledged = {}
        self._problem = None
        self._granted = self._finished = 0
        self._is_up = self._is_ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def note_up(self, is_up):
        """Says whether the server is to be asked."""
        with self._changed:
            self._is_up = is_up
            self._changed.notify_all()

    def grant(self, count):
        """Has changes made; returns how many will have been sent with the first of them."""
        with self._changed:
            self._granted += count
            self._changed.notify_all()
            return self._granted - count + 1

    def wait_for(self, count):
        """Waits until so many are sent."""
        self._wait(lambda: self.sent >= count)

    def wait(self):
        """Waits until all that were granted are sent and answered, or cut."""
        self._wait(lambda: self._finished >= self._granted)

    def close(self):
        with self._changed:
            self._is_ended = True
            self._changed.notify_all()
        self._thread.join()

    def _wait(self, condition):
        with self._changed:
            is_met = self._changed.wait_for(lambda: self._problem or condition(), PATIENCE)
            assert not self._problem, self._problem
            assert is_met, f"{self._path} is not answered: {self.sent} changes were sent, {self._finished} answered or cut"

    def _work(self):
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(
                        lambda: self._is_ended or (self._is_up and self._finished < self._granted))
                    if self._is_ended:
                        return
                if connection.sock is None:
                    try:
                        connection.connect()
                    except OSError:
                        # The server was killed before it could be asked.
                        continue
                self._set(connection)
        except Exception as error:
            with self._changed:
                self._problem = f"setting the flag to {self.sent}: {error!r}"
                self._changed.notify_all()
        finally:
            connection.close()

    def _set(self, connection):
        with self._changed:
            self.sent += 1
            value = self.sent
            self._changed.notify_all()
        row = None
        try:
            connection.request("PUT", self._path, json.dumps({"value": value}).encode(), JSON)
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status == 200, f"answered {answer.status}: {body[:300]}"
            row = json.loads(body)["change"]["id"]
        except (OSError, http.client.HTTPException):
            connection.close()
        with self._changed:
            if row is not None:
                self.acknowledged[value] = row
            self._finished += 1
            self._changed.notify_all()
