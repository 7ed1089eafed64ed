"""Logs of runs that nobody recorded: what programs say, from several ranks and nodes, mixed, marked, cut and broken."""

import random
from collections.abc import Iterator, Sequence

NAMES = (
    "rank0.log", "rank1.log", "node-1/rank2.log", "node-2/3.log", "slurm-4711_2.out", "slurm-4711.out", "train.log",
    "notes.txt", "raylet.out", "gcs_server.out", "worker-0a1b-01000000-4321.err", "python-core-worker-0a1b_4322.log",
    "monitor.log", "none_a/attempt_0/3/stderr.log", "dmesg-node3.txt", "vllm-0.log", "节点/x.log", "Ａ😀.log", "\ue000.log",
    "rank10.log",
)  # fmt: skip
TIMES = (
    "2026-11-22 10:{m}:{s},{ms} ", "[2026-11-22 10:{m}:{s},{ms} E {pid} 7] ", "2026-11-22T18:{m}:{s}+08:00 ",
    "E1122 10:{m}:{s}.{ms} 7 x.cc:1] ", "ERROR 11-22 10:{m}:{s} ", "Nov 22 10:{m}:{s} node3 kernel: ",
    "[Sun Nov 22 10:{m}:{s} 2026] ", "17638076{s}.{ms} ", "[ 1{s}.{ms}] ", "E0229 10:{m}:{s}.1 ", "0000-00-00 10:{m}:{s} ",
    "9999-12-31 23:{m}:{s}-14:00 ", "",
)  # fmt: skip
SPEAKERS = (
    "[rank{rank}]: ", "{rank}: ", "[default{rank}]:", "(WorkerDict pid={pid}, ip=10.0.0.{rank}) ", "(W(x) pid={pid}) ",
    "[2026-11-22 10:{m}:{s} DP0 TP{rank}] ", "(raylet) ", "\x1b[36m(Ａctor pid={pid})\x1b[0m ", "[Rank {rank}] ", "", "", "",
    "",
)  # fmt: skip
WORK = (
    "step {n}: rollout", "global_step={n} update", "rank={rank} world_size=4", "waiting for clients. 3/4 clients joined",
    "x" * 70, "last enqueued work: {n}, last completed work: {n}", "显存 😀 {n}", "  exitcode  : -9 (pid: {pid})", "Error", " ",
    "", "rank      : {rank} (local_rank: {rank})\n  exitcode  : 1 (pid: {pid})", "\u2028\x1c\x85 \ufeff", "vllm==0.11.0",
    "exitcode  : 0 (pid: {pid})", "pid=99999999999999999999) step 1", "verl", "sglang server_args=ServerArgs(", "torchrun",
)  # fmt: skip
FRAME = '  File "/opt/site-packages/vllm/core.py", line {n}, in run\n    self.x()\n'
RAISED = (
    "ValueError: no {n}", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {n} GiB", "KeyboardInterrupt",
    "KeyError: 'é😀'", "RuntimeError: Connection closed by peer [10.0.0.1]:1", "TimeoutError: wait timeout after {n}",
    "x.y.Died(z): gone", "no error at all",
    "ray.exceptions.RayTaskError(ValueError): ray::W.step() (pid={pid}, ip=10.0.0.{rank})\nValueError: inner",
    "A" * 400 + "Error: long",
)  # fmt: skip


class _Draw(random.Random):
    """Draws words of a log."""

    def filled(self, form: str) -> str:
        """A form with ranks, processes and times."""
        said = {
            "rank": self.randint(0, 3),
            "pid": 4320 + self.randint(0, 4),
            "n": self.randint(0, 99),
            "ms": f"{self.randint(0, 999):03}",
        }
        said |= {"m": f"{self.randint(0, 59):02}", "s": f"{self.randint(0, 60):02}"}
        for name, value in said.items():
            form = form.replace(f"{{{name}}}", str(value))
        return form

    def head(self) -> str:
        return self.choice(SPEAKERS) + self.choice(TIMES) if self.random() < 0.5 else self.choice(TIMES) + self.choice(SPEAKERS)

    def traceback(self) -> Iterator[str]:
        """One that breaks off at times, is chained to another, is marked line by line, or has another's lines in it."""
        mark = self.filled(self.choice(SPEAKERS))
        for chained in range(self.randint(1, 2)):
            if chained:
                yield f"\n{mark}During handling of the above exception, another exception occurred:\n"
            lines = [
                "Traceback (most recent call last):",
                *(FRAME.rstrip() * self.randint(1, 3)).split("\n"),
                self.choice(RAISED),
            ]
            for line in lines[: self.randint(2, len(lines)) if self.random() < 0.1 else len(lines)]:
                yield f"{mark}{self.filled(line)}"
                if self.random() < 0.1:
                    yield self.filled(self.head() + self.choice(WORK))


def lines(draw: _Draw, errors: Sequence[str]) -> Iterator[str]:
    """Lines of one log; `errors` are what programs print when they fail."""
    for _ in range(draw.choice((0, 1, 5, 20, 60))):
        kind = draw.random()
        if kind < 0.15:
            yield from draw.traceback()
        elif kind < 0.35:
            yield draw.filled(draw.head()) + draw.choice(errors)
        elif kind < 0.37:
            yield draw.filled(draw.head()) + draw.choice(("y", "é", "😀")) * draw.randint(3000, 40_000) + " step 7: train"
        elif kind < 0.38:
            yield from [draw.filled("(W pid={pid}) step {n}: save")] * draw.randint(100, 300)
        else:
            yield draw.filled(draw.head() + draw.choice(WORK))


def log(draw: _Draw, errors: Sequence[str]) -> bytes:
    """One log, with ends of lines, marks and bytes as they come."""
    text = draw.choice(("\n", "\n", "\n", "\r\n", "\n\n")).join(lines(draw, errors)) + draw.choice(("\n", "\n", ""))
    data = text.encode("utf-8")
    if draw.random() < 0.2:
        for _ in range(5):
            at = draw.randint(0, len(data))
            data = data[:at] + draw.choice((b"\xff", b"\xe4\xb8", b"\xf0\x9f", b"\x80")) + data[at:]
    if draw.random() < 0.1:
        data = text.encode(draw.choice(("utf-16", "utf-16-le")))
    return data


def runs(seed: int, count: int, errors: Sequence[str]) -> Iterator[dict[str, bytes]]:
    """Runs of `count` logs in all, the same for the same seed: the path of each log → what stands in it."""
    draw = _Draw(seed)
    while count > 0:
        names = draw.sample(NAMES, min(count, draw.randint(1, 6)))
        count -= len(names)
        known = errors if draw.random() < 0.6 else WORK  # a failure that is not known is answered otherwise
        yield {name: log(draw, known) for name in names}
