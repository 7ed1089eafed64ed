"""Where each framework declares its keys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from fieldguide.upkeep.extract.arguments import flags
from fieldguide.upkeep.extract.classes import Wiring, fields
from fieldguide.upkeep.extract.declared import Extraction
from fieldguide.upkeep.extract.git import Tree
from fieldguide.upkeep.extract.hydra import composed
from fieldguide.upkeep.extract.openrlhf import grouped


@dataclass(frozen=True)
class Layout:
    """The declarations of one framework.

    Attributes:
        files: patterns of the files that declare keys, `*` also for slashes; each must match something.
        read: makes the extraction from a revision and these files.
        examples: patterns of upstream's own launch scripts and templates, where the use of keys is counted.
        earlier: patterns that hold for revisions which have none of `files` yet.
    """

    files: tuple[str, ...]
    read: Callable[[Tree, list[str]], Extraction]
    examples: tuple[str, ...]
    earlier: tuple[str, ...] = ()


def extract(framework: str, tree: Tree) -> Extraction:
    """Every key that a framework declares at a revision, and what could not be read.

    Args:
        framework: one of LAYOUTS.

    Raises:
        KeyError: no such layout.
    """
    layout = LAYOUTS[framework]
    files = layout.files if tree.matching(*layout.files) or not tree.matching(*layout.earlier) else layout.earlier
    gone = tuple(f"no file {pattern} at {tree.commit[:10]}" for pattern in files if not tree.matching(pattern))
    found = layout.read(tree, tree.matching(*files))
    return replace(found, problems=(*gone, *found.problems))


def _roll(tree: Tree, files: list[str]) -> Extraction:
    return fields(tree, files, _ROLL)


def _chatlearn(tree: Tree, files: list[str]) -> Extraction:
    return fields(tree, files, _CHATLEARN)


def _slime(tree: Tree, files: list[str]) -> Extraction:
    # This function looks ahead for sizes that SGLang's own flags set.
    return flags(tree, files, leave_out=("sglang_parse_args",))


def _verl(tree: Tree, files: list[str]) -> Extraction:
    # Before v0.5.0 two files listed every key themselves.
    single = {name: {"primary": name} for name in _VERL_SINGLE if f"{_VERL_FOLDER}/{name}" in files}
    typed = tree.matching("verl/*config*.py", "verl/utils/profiler/*.py")
    return composed(tree, _VERL_FOLDER, single or _VERL_GENERATED, typed)


_VERL_FOLDER = "verl/trainer/config"
_VERL_SINGLE = ("ppo_trainer.yaml", "ppo_megatron_trainer.yaml")
_VERL_GENERATED: Mapping[str, Mapping[str, str]] = {
    "_generated_ppo_trainer.yaml": {"primary": "ppo_trainer.yaml", "model_engine": "dp"},
    "_generated_ppo_megatron_trainer.yaml": {"primary": "ppo_trainer.yaml", "model_engine": "megatron"},
}

_ROLL = Wiring(
    roots=("RLVRConfig", "AgenticConfig", "DPOConfig", "DistillConfig", "SFTConfig"),
    # strategy_config is an open dict; megatron_strategy.py makes these arguments from it.
    mounts={"MegatronArguments": ("*.strategy_args.strategy_config",)},
    typed={},
)
_CHATLEARN = Wiring(
    roots=("GrpoConfig",),
    mounts={},
    # GrpoConfig.__post_init__ chooses by train_backend.
    typed={
        "GrpoModelConfig.policy_trainer": ("FSDPPolicyTrainerConfig", "MegatronPolicyTrainerConfig"),
        "GrpoModelConfig.ref_policy": ("FSDPRefPolicyConfig", "MegatronRefPolicyConfig"),
    },
)

LAYOUTS: Mapping[str, Layout] = {
    "roll": Layout(
        ("roll/configs/*.py", "roll/pipeline/*_config.py", "mcore_adapter/src/mcore_adapter/training_args.py"),
        _roll,
        ("examples/*.yaml", "examples/*.yml"),
    ),
    "chatlearn": Layout(
        ("chatlearn/configs/*.py", "chatlearn/algorithm/grpo.py"),
        _chatlearn,
        ("template/*.yaml", "scripts/*.sh"),
    ),
    "slime": Layout(
        (
            "slime/utils/arguments.py",
            "slime/backends/sglang_utils/arguments.py",
            "slime/backends/megatron_utils/*arguments.py",
        ),
        _slime,
        ("scripts/*.sh", "scripts/*.py", "examples/*.sh"),
    ),
    "verl": Layout(
        tuple(f"{_VERL_FOLDER}/{name}" for name in _VERL_GENERATED),
        _verl,
        ("examples/*.sh",),
        tuple(f"{_VERL_FOLDER}/{name}" for name in _VERL_SINGLE),
    ),
    "openrlhf": Layout(("openrlhf/cli/train_ppo_ray.py",), grouped, ("examples/scripts/*.sh",)),
}
