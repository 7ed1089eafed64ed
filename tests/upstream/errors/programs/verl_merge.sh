# Merging an FSDP checkpoint that has no fsdp_config.json, and one that has no weights of its ranks.
mkdir -p actor/huggingface
echo '{"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2"}' > actor/huggingface/config.json
python -m verl.model_merger merge --backend fsdp --local_dir actor --target_dir merged
echo '{"world_size": 2}' > actor/fsdp_config.json
python -m verl.model_merger merge --backend fsdp --local_dir actor --target_dir merged
