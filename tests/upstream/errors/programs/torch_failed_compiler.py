"""A compiler that fails in a Ray worker: its exception cannot be read back in the driver."""

import ray
import torch


def backend(graph, inputs):
    raise RuntimeError("the compiler fails")


@ray.remote
def train_step():
    return torch.compile(lambda x: x + 1, backend=backend)(torch.ones(1))


ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80_000_000)
ray.get(train_step.remote())
