"""Follows a server's stream of events, to wait for what another process does."""

import http.client
import json


class Events:
    """The events of a server from now on."""

    def __init__(self, server, path="/events", headers=None):
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self._connection.request("GET", path, headers=headers or {})
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200, self._answer.read()
        assert self._answer.readline().startswith(b"retry:")

    def wait(self, condition):
        """Waits until a condition is met, which is looked at now and after each event or heartbeat."""
        if condition():
            return
        while line := self._answer.readline():
            if line.startswith(b"data:") and condition():
                return
        raise AssertionError("the stream of events ended before it was so")

    def next(self, name):
        """The data of the next event of a name."""
        found = False
        while line := self._answer.readline():
            if line.startswith(b"event:"):
                found = line[6:].strip().decode() == name
            if line.startswith(b"data:") and found:
                return json.loads(line[5:])
        raise AssertionError("the stream of events ended before that")

    def close(self):
        self._connection.close()
