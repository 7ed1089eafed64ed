"""A compiled graph of Ray actors, as vLLM uses one, whose step takes longer than the timeout."""

import os
import time

os.environ["RAY_CGRAPH_get_timeout"] = "2"

import ray
from ray.dag import InputNode


@ray.remote
class Worker:
    def execute_model(self, seconds: float) -> float:
        time.sleep(seconds)
        return seconds


ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000)
with InputNode() as step:
    graph = Worker.remote().execute_model.bind(step)
ray.get(graph.experimental_compile().execute(8))
