"""OpenRLHF's flags under the names they have had since v0.10.2, so that the history of a setting does not begin there."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from fieldguide.upkeep.extract.arguments import flags
from fieldguide.upkeep.extract.declared import Declared, Extraction
from fieldguide.upkeep.extract.git import Tree

# What a group took over with its name unchanged; the other names follow below.
_KEPT: Mapping[str, str] = {
    "ckpt": "best_metric_key save_steps",
    "data": (
        "disable_fast_tokenizer dataloader_num_workers max_len max_samples prompt_split input_key label_key input_template "
        "apply_chat_template image_key max_images_per_prompt"
    ),
    "ds": (
        "zero_stage deepcompile param_dtype zpg adam_offload attn_implementation experts_implementation use_liger_kernel "
        "grad_accum_dtype overlap_comm packing_samples load_in_4bit ring_attn_size value_head_prefix"
    ),
    "actor": "eps_clip eps_clip_low_high dual_clip policy_loss_type aux_loss_coef freeze_visual_encoder",
    "critic": "value_clip save_value_network",
    "reward": "overlong_buffer_len overlong_penalty_factor stop_properly_penalty_coef",
    "logger": "logging_steps",
    "rollout": "n_samples_per_prompt vllm_generate_batch_size max_new_tokens top_p temperature",
    "train": "colocate_actor_ref colocate_critic_reward enable_ema ema_beta num_episodes max_epochs seed agent_func_path",
    "vllm": "enable_prefix_caching enforce_eager",
}
# A prefix that became the group: `actor_num_nodes` → `actor.num_nodes`.
_PREFIXED: Mapping[str, str] = {
    "actor": "num_nodes num_gpus_per_node",
    "critic": "num_nodes num_gpus_per_node",
    "ref": "num_nodes num_gpus_per_node",
    "reward": "num_nodes num_gpus_per_node clip_range",
    "vllm": "num_engines tensor_parallel_size sync_backend sync_with_ray enable_sleep gpu_memory_utilization",
    "eval": "steps dataset split temperature n_samples_per_prompt",
    "train": "batch_size max_tokens_per_gpu",
    "rollout": "batch_size max_tokens_per_gpu",
    "ds": "tensor_parallel_size",
}
_CHANGED: Mapping[str, str] = {
    "actor_learning_rate": "actor.adam.lr",
    "advantage_estimator": "algo.advantage.estimator",
    "async_queue_size": "train.async_queue_size",
    "async_train": "train.async_enable",
    "ckpt_path": "ckpt.path",
    "colocate_all_models": "train.colocate_all",
    "critic_learning_rate": "critic.adam.lr",
    "critic_pretrain": "critic.model_name_or_path",
    "deepspeed_enable_sleep": "ds.enable_sleep",
    "disable_ds_ckpt": "ckpt.disable_ds",
    "dynamic_filtering": "algo.dynamic_filtering_enable",
    "dynamic_filtering_reward_range": "algo.dynamic_filtering_range",
    "enable_vllm_is_correction": "algo.advantage.is_correction_enable",
    "entropy_loss_coef": "actor.entropy_coef",
    "freezing_actor_steps": "critic.freezing_steps",
    "full_determinism": "train.full_determinism_enable",
    "gamma": "algo.advantage.gamma",
    "gradient_checkpointing": "actor.gradient_checkpointing_enable",
    "gradient_checkpointing_use_reentrant": "actor.gradient_checkpointing_reentrant",
    "init_kl_coef": "algo.kl.init_coef",
    "kl_estimator": "algo.kl.estimator",
    "kl_horizon": "algo.kl.horizon",
    "kl_target": "algo.kl.target",
    "lambd": "algo.advantage.lambd",
    "load_checkpoint": "ckpt.load_enable",
    "lora_alpha": "ds.lora.alpha",
    "lora_dropout": "ds.lora.dropout",
    "lora_rank": "ds.lora.rank",
    "max_ckpt_mem": "ckpt.max_mem",
    "max_ckpt_num": "ckpt.max_num",
    "micro_rollout_batch_size": "rollout.micro_batch_size",
    "micro_train_batch_size": "train.micro_batch_size",
    "no_advantage_std_norm": "algo.advantage.no_std_norm",
    "normalize_reward": "reward.normalize_enable",
    "partial_rollout": "train.partial_rollout_enable",
    "pretrain": "actor.model_name_or_path",
    "prompt_data": "data.prompt_dataset",
    "prompt_data_probs": "data.prompt_probs",
    "remote_rm_url": "reward.remote_url",
    "reward_pretrain": "reward.model_name_or_path",
    "ring_head_stride": "ds.ring_attn_head_stride",
    "save_hf_ckpt": "ckpt.save_hf",
    "save_path": "ckpt.output_dir",
    "target_modules": "ds.lora.target_modules",
    "use_ds_universal_ckpt": "ds.use_universal_ckpt",
    "use_dynamic_batch": "train.dynamic_batch_enable",
    "use_kl_loss": "algo.kl.use_loss",
    "use_tensorboard": "logger.tensorboard_dir",
    "use_wandb": "logger.wandb.key",
    "vllm_is_correction_type": "algo.advantage.is_correction_type",
    "vllm_is_truncated_threshold": "algo.advantage.is_correction_threshold",
    "wandb_group": "logger.wandb.group",
    "wandb_org": "logger.wandb.org",
    "wandb_project": "logger.wandb.project",
    "wandb_run_name": "logger.wandb.run_name",
}


def _pairs() -> Iterator[tuple[str, str]]:
    for group, names in _KEPT.items():
        yield from ((name, f"{group}.{name}") for name in names.split())
    for group, names in _PREFIXED.items():
        yield from ((f"{group}_{name}", f"{group}.{name}") for name in names.split())
    yield from _CHANGED.items()


RENAMED: Mapping[str, str] = dict(_pairs())
_EARLIER = {now: before for before, now in RENAMED.items()}


def grouped(tree: Tree, files: list[str]) -> Extraction:
    """The flags of a revision; those that had a name without group before v0.10.2 are told under the later one."""
    found = flags(tree, files)
    return replace(found, declared=tuple(map(_now, found.declared)))


def _now(one: Declared) -> Declared:
    name = RENAMED.get(one.name, one.name)
    before = _EARLIER.get(name)
    spellings = (f"--{before}",) if before else one.spellings
    # No function declares them: they stand at the end of the module.
    return replace(one, name=name, declared="train_ppo_ray", spellings=spellings)
