"""Weights whose vocabulary was padded to another size than the model's; the modules are named as Megatron and HF name them."""

import traceback
from collections import OrderedDict

from torch import nn


class VocabParallelEmbedding(nn.Embedding):
    pass


class EmbeddingPipe(nn.Module):
    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.word_embeddings = VocabParallelEmbedding(vocabulary, 8)


class GPTModel(nn.Module):
    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.embedding = EmbeddingPipe(vocabulary)
        self.output_layer = nn.Linear(8, vocabulary, bias=False)


class Qwen3ForCausalLM(nn.Module):
    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.model = nn.ModuleDict(OrderedDict(embed_tokens=nn.Embedding(vocabulary, 8)))
        self.lm_head = nn.Linear(8, vocabulary, bias=False)


for build in (lambda size: VocabParallelEmbedding(size, 8), EmbeddingPipe, GPTModel, Qwen3ForCausalLM):
    try:
        build(152064).load_state_dict(build(151936).state_dict())
    except RuntimeError:
        traceback.print_exc()
