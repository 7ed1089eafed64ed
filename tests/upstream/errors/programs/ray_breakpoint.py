"""A breakpoint in a Ray task, for `ray debug` and for the debugger of VS Code; nobody attaches."""

import subprocess
import sys

TASK = """
import ray


@ray.remote
def train_step():
    breakpoint()


ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000, runtime_env={"env_vars": {"RAY_DEBUG": %r}})
ray.get(train_step.remote(), timeout=15)
"""

for debugger in ("legacy", "1"):
    subprocess.run([sys.executable, "-c", TASK % debugger], check=False)
