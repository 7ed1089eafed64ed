"""Jobs handed to a Ray cluster: one that waits for its environment, one that runs, and what their client says meanwhile."""

import os
import subprocess
import sys

import ray

context = ray.init(num_cpus=1, include_dashboard=True, object_store_memory=80_000_000)
os.environ["RAY_ADDRESS"] = f"http://{context.dashboard_url}"
JOB = [sys.executable, "-m", "ray.scripts.scripts", "job"]
WAITS = ["submit", "--submission-id=waits", "--no-wait", '--runtime-env-json={"pip": ["./no-such-package"]}']
subprocess.run([*JOB, *WAITS, "--", "sleep", "1"], check=False)
subprocess.run([*JOB, "status", "waits"], check=False)
try:
    subprocess.run([*JOB, "submit", "--submission-id=runs", "--", "sleep", "60"], check=False, timeout=20)
except subprocess.TimeoutExpired:
    subprocess.run([*JOB, "status", "runs"], check=False)
