"""What a file of a run is, and whose: by its name, else by its first lines."""

import re

from fieldguide.runtime.run.events import Who, who_of
from fieldguide.runtime.run.rules import RunRules

# What first lines tell, where the name tells nothing.
_HEADS = (
    ("kernel", re.compile(r"\] (?:Linux version|Memory cgroup|oom-kill|NVRM)|kernel: ")),
    ("raylet", re.compile(r"\(raylet\) (?:main|node_manager)\.cc")),
    ("gcs", re.compile(r"\(gcs_server\) ")),
    ("engine", re.compile(r"vLLM API server version|Starting vLLM|sglang[^\n]{0,40}server_args|ServerArgs\(|\bEngineCore")),
    ("launcher", re.compile(r"torch\.distributed\.(?:run|elastic)|torchrun|^srun: |\n\[default[0-9]+\]:")),
    ("driver", re.compile(r"ray\.init|Started a local Ray instance|Connected to Ray cluster|\bpid=[0-9]+[,)]")),
)
OTHER = "other"


def kind_by_name(name: str, rules: RunRules) -> tuple[str, Who]:
    """Kind and owner of a file by its path; "other" where no rule fits."""
    node = next((said["node"] for one in rules.nodes if (said := one.read(name))), "")
    for kind, named in rules.files:
        if (said := named.read(name)) is not None:
            return kind, who_of({"node": node, **said})
    return OTHER, Who(node=node)


def kind_by_head(head: str) -> str:
    """Kind of a file by how it begins."""
    return next((kind for kind, regex in _HEADS if regex.search(head)), OTHER)
