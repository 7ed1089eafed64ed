"""A working directory that is larger than what Ray uploads; a limit of 1 MB stands for 512 MiB."""

import os
from pathlib import Path

os.environ["RAY_max_grpc_message_size"] = str(10**6)

import ray

checkpoint = Path("project") / "checkpoint.bin"
checkpoint.parent.mkdir()
checkpoint.write_bytes(os.urandom(2 * 10**6))
ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000, runtime_env={"working_dir": "project"})
