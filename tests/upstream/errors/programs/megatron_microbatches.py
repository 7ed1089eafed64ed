"""A global batch that the micro batch times the data-parallel size does not divide."""

from megatron.core.num_microbatches_calculator import init_num_microbatches_calculator

init_num_microbatches_calculator(rank=0, rampup_batch_size=None, global_batch_size=36, micro_batch_size=4, data_parallel_size=8)
