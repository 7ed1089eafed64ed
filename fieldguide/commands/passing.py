"""A command whose output passes through us unchanged and at once, while its beginning and its end are kept.

The command stays in our session and process group and reads our standard input: what is typed (Ctrl-C, Ctrl-Z) reaches it as if
we were not there. Where our output is a terminal, the command writes to a pseudo-terminal of the same size.
"""

import fcntl
import os
import select
import signal
import subprocess
import termios
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

HEAD, TAIL = 4_000_000, 8_000_000  # bytes of output that are kept
_SIZE = 1 << 16
_PIPE = 1 << 20  # bytes that wait in a pipe: the command is held up less often
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH")
FORWARDED = frozenset(getattr(signal, name) for name in _NAMES)
_TYPED = frozenset({signal.SIGINT, signal.SIGQUIT, signal.SIGWINCH})


@dataclass
class Kept:
    """The first and the last bytes of all that was written; memory stays below HEAD + TAIL. No buffer moves once it is full:
    new memory cost as much as passing what is in it.

    Attributes:
        tail: a ring, the oldest byte of which is the next to be written over.
        left_out: bytes between the two.
    """

    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    left_out: int = 0
    _oldest: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, data: bytes) -> None:
        """Note what was written."""
        with self._lock:
            data = _filled(self.head, HEAD, data)
            over = _filled(self.tail, TAIL, data)
            self.left_out += len(over)
            while over:
                piece = over[: TAIL - self._oldest]
                self.tail[self._oldest : self._oldest + len(piece)] = piece
                self._oldest = (self._oldest + len(piece)) % TAIL
                over = over[len(piece) :]

    def text(self) -> bytes:
        """Both, with a line end between them where something is left out."""
        tail = bytes(self.tail[self._oldest :] + self.tail[: self._oldest])
        return bytes(self.head) + (b"\n" if self.left_out else b"") + tail


def _filled(buffer: bytearray, most: int, data: bytes) -> bytes:
    """Fill a buffer; what does not fit any more."""
    room = most - len(buffer)
    if room > 0:
        buffer += data[:room]
        return data[room:]
    return data


@dataclass(frozen=True)
class _Channel:
    """One way out of the command: it writes to `inner`, we read `outer` and write to `target`."""

    inner: int
    outer: int
    target: int
    terminal: bool


def pass_through(command: Sequence[str], kept: Kept) -> int:
    """Run a command to its end.

    Returns:
        its exit code; the negative number of the signal that ended it.

    Raises:
        OSError: it cannot be started.
    """
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)
    try:
        out = _channel(1)
        both = _same_file(1, 2)
        channels = (out,) if both else (out, _channel(2))
        try:
            child = subprocess.Popen(
                command,
                stdout=out.inner,
                stderr=channels[-1].inner,
                preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, mask),
            )
        finally:
            for one in channels:
                os.close(one.inner)
        threading.Thread(target=_forward, args=(child, channels), daemon=True).start()
        return _until_end(child, channels, kept)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def end_by(number: int) -> None:
    """End this process by a signal, so that its caller sees what it would have seen of the command."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))  # the dump is the command's
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _same_file(one: int, other: int) -> bool:
    first, second = os.fstat(one), os.fstat(other)
    return (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)


def _channel(target: int) -> _Channel:
    if os.isatty(target):
        outer, inner = os.openpty()
        attributes = termios.tcgetattr(target)
        attributes[1] &= ~termios.OPOST  # our own terminal turns line ends into what it needs
        termios.tcsetattr(inner, termios.TCSANOW, attributes)
        _copy_size(target, outer)
        return _Channel(inner, outer, target, True)
    outer, inner = os.pipe()
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):  # more than this user may have
            fcntl.fcntl(outer, fcntl.F_SETPIPE_SZ, _PIPE)
    return _Channel(inner, outer, target, False)


def _copy_size(source: int, target: int) -> None:
    with suppress(OSError):  # a terminal without a size
        fcntl.ioctl(target, termios.TIOCSWINSZ, fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8)))


def _until_end(child: "subprocess.Popen[bytes]", channels: Sequence[_Channel], kept: Kept) -> int:
    """Wait for the command alone: what it leaves running in the background may hold its output open for ever."""
    ended, end = os.pipe()
    threads = [threading.Thread(target=_pass, args=(one, ended, kept), daemon=True) for one in channels]
    for thread in threads:
        thread.start()
    code = child.wait()
    os.close(end)
    for thread in threads:
        thread.join()
    os.close(ended)
    return code


def _pass(channel: _Channel, ended: int, kept: Kept) -> None:
    """Hand on what the command writes until it has ended and nothing is left."""
    ready = select.poll()
    for source in (channel.outer, ended):
        ready.register(source, select.POLLIN)
    while any(source == channel.outer for source, _ in ready.poll()):
        try:
            data = os.read(channel.outer, _SIZE)
        except OSError:  # how Linux says that nobody has the pseudo-terminal open
            break
        if not data:
            break
        kept.add(data)
        if not _written(channel.target, data):
            break
    os.close(channel.outer)  # who writes more gets what it would get from our reader


def _written(target: int, data: bytes) -> bool:
    """Write all of it; False where nobody reads any more."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(target, view) :]
        except BlockingIOError:
            select.select([], [target], [])
        except OSError:
            return False
    return True


def _forward(child: "subprocess.Popen[bytes]", channels: Sequence[_Channel]) -> None:
    """Hand on every signal that only we were sent."""
    while True:
        number, typed = _next_signal()
        terminals = [one for one in channels if one.terminal]
        if number == signal.SIGWINCH:
            for one in terminals:
                _copy_size(one.target, one.outer)
        if not typed or (number == signal.SIGWINCH and terminals):
            child.send_signal(number)


def _next_signal() -> tuple[int, bool]:
    """The next signal, and whether the terminal sent it, to the whole process group."""
    if hasattr(signal, "sigwaitinfo"):
        told = signal.sigwaitinfo(FORWARDED)
        return told.si_signo, told.si_code > 0
    number = signal.sigwait(FORWARDED)
    return number, number in _TYPED
