"""An override for a key that the configuration does not have."""

import sys
from pathlib import Path

import hydra
from omegaconf import DictConfig

Path("trainer.yaml").write_text("trainer: {nnodes: 1}\n")
sys.argv.append("trainer.nnode=2")


@hydra.main(version_base=None, config_path=".", config_name="trainer")
def main(config: DictConfig) -> None:
    """Does not come so far."""


main()
