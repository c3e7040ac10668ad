"""A way on which every byte takes as long as between two homes: `python bench/slow_way.py`.

Scope: passes connections on to another address and says, at each line that it reads, how many bytes
it has carried. Its arguments: where it listens, where that leads to, and the seconds of the way.
"""

import sys
from dataclasses import dataclass
from functools import partial

import trio

CHUNK = 65_536


@dataclass
class SlowWay:
    host: str
    port: int
    seconds: float
    carried: int = 0

    async def carry(self, here: trio.SocketStream) -> None:
        there = await trio.open_tcp_stream(self.host, self.port)
        async with here, there, trio.open_nursery() as nursery:
            nursery.start_soon(self._pass_on, here, there, nursery.cancel_scope)
            nursery.start_soon(self._pass_on, there, here, nursery.cancel_scope)

    async def _pass_on(
        self, source: trio.SocketStream, target: trio.SocketStream, end: trio.CancelScope
    ) -> None:
        put, due = trio.open_memory_channel[tuple[float, bytes]](1000)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._deliver, due, target, end)
            try:
                async for data in source:
                    self.carried += len(data)
                    await put.send((trio.current_time() + self.seconds, bytes(data)))
            except trio.BrokenResourceError:
                pass
            await put.aclose()

    async def _deliver(
        self,
        due: trio.MemoryReceiveChannel[tuple[float, bytes]],
        target: trio.SocketStream,
        end: trio.CancelScope,
    ) -> None:
        try:
            async for at, data in due:
                await trio.sleep_until(at)
                await target.send_all(data)
        except trio.BrokenResourceError:
            pass
        end.cancel()

    async def answer(self) -> None:
        """Say what it has carried whenever it is asked, until nobody asks any more."""
        while await trio.to_thread.run_sync(sys.stdin.readline):
            print(self.carried, flush=True)


async def main(listen: str, listen_port: int, way: SlowWay) -> None:
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, way.carry, listen_port, host=listen)
        nursery.start_soon(serve)
        await way.answer()
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    listen, listen_port, host, port, seconds = sys.argv[1:]
    trio.run(main, listen, int(listen_port), SlowWay(host, int(port), float(seconds)))
