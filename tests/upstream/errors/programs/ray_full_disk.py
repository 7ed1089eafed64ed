"""More objects than the store holds, on a disk that is nearly full; a threshold of 1 % stands for it."""

import os

os.environ["RAY_local_fs_capacity_threshold"] = "0.01"
os.environ["RAY_local_fs_monitor_interval_ms"] = "100"

import ray

ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000)
objects = [ray.put(bytes(30_000_000)) for _ in range(5)]
