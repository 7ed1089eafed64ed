"""An override with the old place of a key, as verl's critic had it up to v0.7.1."""

import sys
from pathlib import Path

import hydra
from omegaconf import DictConfig

Path("trainer.yaml").write_text("critic: {fsdp: {param_offload: false}, model: {path: null}}\n")
sys.argv.append("critic.model.fsdp_config.param_offload=True")


@hydra.main(version_base=None, config_path=".", config_name="trainer")
def main(config: DictConfig) -> None:
    """Does not come so far."""


main()
