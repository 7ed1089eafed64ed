"""A timeline of a Ray run that did not record one."""

import ray

ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000)
ray.timeline("timeline.json")
