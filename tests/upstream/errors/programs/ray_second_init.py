"""Resources asked for by a script that joins a cluster which is already up."""

import subprocess
import sys

import ray

context = ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000)
script = f"import ray; ray.init(address={context.address_info['address']!r}, num_cpus=8)"
subprocess.run([sys.executable, "-c", script], check=False)
