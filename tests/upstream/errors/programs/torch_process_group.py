"""A collective call before torch.distributed was set up."""

import torch.distributed

torch.distributed.barrier()
