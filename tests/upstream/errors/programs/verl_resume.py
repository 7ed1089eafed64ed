"""The newest checkpoint of a folder that has none."""

from verl.utils.checkpoint.checkpoint_manager import find_latest_ckpt_path

find_latest_ckpt_path("checkpoints")
