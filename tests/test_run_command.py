"""`fieldguide run -- COMMAND`: the command runs as if we were not there; when it fails, the answer follows."""

import fcntl
import os
import pty
import resource
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

from fieldguide.commands import passing
from fieldguide.commands.passing import Kept
from tests.conftest import ROOT
from tests.pace import slower

RUN = [sys.executable, "-m", "fieldguide", "run", "--lang", "en", "--"]
KNOWN = "INFO slime\nRolloutManager\nAssertionError: batch_size 32 < chunks 64\n"
ANSWERED = b"roll-batch-size-chunks"


def run(*command: str, text: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([*RUN, *command], cwd=ROOT, input=text, capture_output=True, check=False)


def python(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", code


def start(*command: str) -> "subprocess.Popen[bytes]":
    """A command that says `ready` when its handlers are set."""
    running = subprocess.Popen([*RUN, *command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout and running.stdout.readline() == b"ready\n"
    return running


def test_output_is_unchanged_and_the_streams_stay_apart() -> None:
    out, err = bytes(range(256)) * 3 + b"no line end", b"\x1b[31mred\x1b[0m\r 50%|#####     |\r100%|##########|\n"
    done = run(*python(f"import os; os.write(1, {out!r}); os.write(2, {err!r})"))
    assert (done.returncode, done.stdout, done.stderr) == (0, out, err)


def test_nothing_of_ours_is_printed_when_it_succeeds() -> None:
    done = run("echo", "AssertionError: batch_size 32 < chunks 64")
    assert done.stdout == b"AssertionError: batch_size 32 < chunks 64\n" and not done.stderr


def test_a_failure_is_explained_on_standard_error_and_keeps_its_code() -> None:
    done = run(*python(f"import sys; print({KNOWN!r}, end=''); sys.exit(7)"))
    assert done.returncode == 7 and done.stdout == KNOWN.encode()
    assert b"ended with exit code 7." in done.stderr and ANSWERED in done.stderr and b"\x1b[" not in done.stderr


def test_standard_input_reaches_the_command() -> None:
    assert run("cat", text=b"a\0b").stdout == b"a\0b"


def test_the_command_has_options_and_dashes_of_its_own() -> None:
    done = run(*python("import sys; print(sys.argv[1:])"), "--lang", "fr", "--", "-h")
    assert done.stdout == b"['--lang', 'fr', '--', '-h']\n"


@pytest.mark.parametrize(
    ("command", "code", "said"), [("no-such-command", 127, b"no such command"), (str(ROOT), 126, b"start")]
)
def test_what_cannot_be_started_is_named(command: str, code: int, said: bytes) -> None:
    done = run(command)
    assert done.returncode == code and said in done.stderr and b"Traceback" not in done.stderr


def test_no_command_is_wrong_use() -> None:
    assert run().returncode == 2


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT, signal.SIGSEGV, signal.SIGUSR1])
def test_who_waits_sees_the_signal_that_ended_the_command(number: signal.Signals) -> None:
    done = run(*python(f"import os; print({KNOWN!r}, flush=True); os.kill(os.getpid(), {number})"))
    assert done.returncode == -number
    assert f"was ended by {number.name}.".encode() in done.stderr and ANSWERED in done.stderr


# A signal that comes just before a pause begins is handled only after it: many short ones end.
HANDLED = """
import signal, sys, time
def told(number, frame):
    print(signal.Signals(number).name, flush=True)
    sys.exit(5)
for name in {names!r}: signal.signal(getattr(signal, name), told)
print("ready", flush=True)
while True: time.sleep(0.01)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGINT", "SIGWINCH"])
def test_signals_that_we_are_sent_reach_the_command(name: str) -> None:
    running = start(*python(HANDLED.format(names=[name])))
    running.send_signal(getattr(signal, name))
    out, _ = running.communicate(timeout=60)
    assert out == name.encode() + b"\n" and running.returncode == 5


def test_a_signal_that_the_command_does_not_handle_ends_both() -> None:
    running = start(*python("import signal; print('ready', flush=True); signal.pause()"))
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=60)
    assert running.returncode == -signal.SIGTERM


def test_what_runs_on_in_the_background_keeps_nobody_waiting() -> None:
    began = time.monotonic()
    done = run("sh", "-c", "sleep 100 & echo $!")
    os.kill(int(done.stdout), signal.SIGKILL)
    assert done.returncode == 0 and time.monotonic() - began < 50


def test_a_reader_that_leaves_ends_the_command_as_in_a_pipe() -> None:
    done = subprocess.run(
        ["bash", "-c", '"$@" | head -n 1; exit "${PIPESTATUS[0]}"', "bash", *RUN, "yes"],
        cwd=ROOT, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.stdout == b"y\n" and done.returncode == 128 + signal.SIGPIPE


def test_long_output_is_kept_at_both_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing, "HEAD", 10)
    monkeypatch.setattr(passing, "TAIL", 20)
    kept = Kept()
    for number in range(100):
        kept.add(b"%02d\n" % number)
        assert len(kept.head) <= 10 and len(kept.tail) <= 2 * 20 + 3
    assert kept.text() == b"00\n01\n02\n0" + b"\n" + b"93\n94\n95\n96\n97\n98\n99\n"[-20:]
    assert kept.left_out == 300 - 10 - 20


def test_output_within_the_limits_is_kept_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing, "HEAD", 10)
    kept = Kept()
    kept.add(b"0123456789abc")
    assert kept.text() == b"0123456789abc" and not kept.left_out


def test_the_error_at_the_end_of_long_output_is_found() -> None:
    done = run(*python(f"import sys; [print('y' * 999) for _ in range(15000)]; print({KNOWN!r}); sys.exit(1)"))
    assert ANSWERED in done.stderr and b"the first 4 MB and the last 8 MB" in done.stderr


class Terminal:
    """A terminal in which a command runs, in a session of its own."""

    def __init__(self, *command: str) -> None:
        self.written = b""
        self.pid, self.end = pty.fork()
        if not self.pid:
            os.chdir(ROOT)
            os.execv(command[0], command)

    def until(self, wanted: bytes) -> None:
        """Read until something was written."""
        deadline = time.monotonic() + 60
        while wanted not in self.written:
            assert time.monotonic() < deadline, self.written
            if select.select([self.end], [], [], 1)[0]:
                self.written += os.read(self.end, 65536)

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def finish(self) -> int:
        """Read to the end; the exit code, or the negative number of a signal."""
        try:
            while piece := os.read(self.end, 65536):
                self.written += piece
        except OSError:
            pass  # how Linux says that the other end is closed
        os.close(self.end)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


TTY = "import os, sys; print([os.isatty(one) for one in (0, 1, 2)]); print('a\\rb', end='\\n', flush=True)"


def test_in_a_terminal_the_command_sees_one() -> None:
    plain, ours = Terminal(*python(TTY)), Terminal(*RUN, *python(TTY))
    assert plain.finish() == ours.finish() == 0
    assert ours.written == plain.written == b"[True, True, True]\r\na\rb\r\n"


# A signal that comes just before a read begins waits for its end: what was typed is looked for again and again.
SIZES = """
import os, select, signal
def told(*_): print("size", *os.get_terminal_size(), flush=True)
signal.signal(signal.SIGWINCH, told)
told()
print("ready", flush=True)
while not select.select([0], [], [], 0.05)[0]: pass
"""


def test_the_size_of_the_terminal_is_the_commands_also_when_it_changes() -> None:
    terminal = Terminal(*RUN, *python(SIZES))
    terminal.until(b"ready")
    terminal.resize(33, 77)
    terminal.until(b"size 77 33")
    os.write(terminal.end, b"\n")
    assert terminal.finish() == 0


INTERRUPTED = """
import signal, time
times = 0
def told(*_):
    global times
    times += 1
signal.signal(signal.SIGINT, told)
print("ready", flush=True)
while not times: time.sleep(0.01)
time.sleep(0.3)  # a second one would come now
print("times", times, flush=True)
raise SystemExit(130)
"""


def test_ctrl_c_reaches_the_command_once_and_is_not_explained() -> None:
    terminal = Terminal(*RUN, *python(INTERRUPTED))
    terminal.until(b"ready")
    os.write(terminal.end, b"\x03")
    assert terminal.finish() == 130
    assert b"times 1" in terminal.written and b"fieldguide" not in terminal.written


def test_colours_of_the_answer_only_in_a_terminal() -> None:
    terminal = Terminal(*RUN, *python(f"import sys; print({KNOWN!r}); sys.exit(1)"))
    assert terminal.finish() == 1
    assert b"\x1b[1m1. " in terminal.written


JOB = """
import time
line, out = b"x" * 999 + b"\\n", open(1, "wb", buffering=0)
began = time.perf_counter()
for number in range(1, {seconds} * 100 + 1):
    for _ in range(10): out.write(line * 10)
    time.sleep(max(0, began + number / 100 - time.perf_counter()))
"""
SECONDS = 5
CAT = 0.045  # seconds of processor time that `cat` takes for the output of the job on the machine that the limit is for


def processor_seconds(*command: str) -> float:
    """Processor time of a command and all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def least(*command: str) -> float:
    """The same, of three times the least: what else the machine does only adds."""
    return min(processor_seconds(*command) for _ in range(3))


@pytest.mark.whole
def test_passing_10_mb_a_second_takes_at_most_3_percent_of_the_time() -> None:
    """Processor time, ours and what the command needs more for writing: what a job loses that uses every core. A machine with
    other work says nothing by the clock, and one that moves bytes slowly is known by what `cat` costs in our place."""
    job = python(JOB.format(seconds=SECONDS))
    alone, start_up = least(*job), least(*RUN, "true") - least("true")
    copied = least("bash", "-c", f"{shlex.join(job)} | cat") - alone
    cost = least(*RUN, *job) - alone - start_up
    pace = max(slower(time.process_time), copied / CAT)
    assert cost <= 0.03 * SECONDS * pace, f"{cost:.3f} s of {SECONDS} s on a machine {pace:.1f} times slower"
