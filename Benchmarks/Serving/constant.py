"""A server that answers each request with the same bytes: what HTTP itself costs in Python. Prints its port."""

import asyncio
import sys

BODY = sys.argv[1].encode()
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


class Constant(asyncio.Protocol):
    """A connection whose requests come whole, one at a time, as wrk sends them."""

    def connection_made(self, transport):
        self._transport = transport

    def data_received(self, _):
        self._transport.write(ANSWER)


async def main():
    server = await asyncio.get_running_loop().create_server(Constant, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
