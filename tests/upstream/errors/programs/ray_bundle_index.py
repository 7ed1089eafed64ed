"""An actor for a bundle that its placement group does not have."""

import ray
from ray.util.placement_group import placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy


@ray.remote
class Engine:
    pass


ray.init(num_cpus=2, include_dashboard=False, object_store_memory=80_000_000)
group = placement_group([{"CPU": 1}] * 2)
Engine.options(
    scheduling_strategy=PlacementGroupSchedulingStrategy(placement_group=group, placement_group_bundle_index=2)
).remote()
