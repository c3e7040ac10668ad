"""A relay between a process and a port of this machine, which a test can cut."""

import socket
import threading
from contextlib import suppress


class Relay:
    """Passes bytes on to a port on loopback, both ways, one thread for each direction."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Ends what runs through it now. A new connection goes through again."""
        ends, self._open = self._open, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for end in ends:
            end.close()

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _address = self._listener.accept()
                there = socket.create_connection(("127.0.0.1", self._target))
                self._open += [here, there]
                for ends in ((here, there), (there, here)):
                    thread = threading.Thread(target=_pass_on, args=ends, daemon=True)
                    thread.start()
                    self._threads.append(thread)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
