"""More GPUs than the cluster has: the job waits, and only the autoscaler and `ray status` say for what."""

import subprocess
import sys

JOB = """
import subprocess
import sys
import time

import ray
from ray.util.placement_group import placement_group


@ray.remote(num_cpus=1, num_gpus=8)
def train():
    pass


ray.init(num_cpus=4, num_gpus=1, include_dashboard=False, object_store_memory=80_000_000, _system_config=%r)
groups = [placement_group([{"CPU": 1, "GPU": 1}] * size) for size in range(2, 8)]
task = train.remote()
time.sleep(30)
address = ray.get_runtime_context().gcs_address
subprocess.run([sys.executable, "-m", "ray.scripts.scripts", "status", "--address", address])
"""

for system_config in ({}, {"enable_autoscaler_v2": True}):
    subprocess.run([sys.executable, "-c", JOB % system_config], check=False)
