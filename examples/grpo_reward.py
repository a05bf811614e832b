"""BLEU as the reward of GRPO, in TRL: a tiny random model learns to answer with the words of the references."""

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from bleuprint.adapters.rewards import BleuReward

WORDS = ["<pad>", "<eos>", *["say", "it", "again", "the", "cat", "is", "on", "a", "mat", "and", "purrs"]]
data = Dataset.from_dict({
    "prompt": ["say it again", "say it"] * 4,
    "references": [["the cat is on the mat", "a cat is on the mat"], ["it purrs and purrs"]] * 4,
})  # fmt: skip

words = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="<pad>"))
words.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="<eos>")
torch.manual_seed(0)
model = GPT2LMHeadModel(
    GPT2Config(vocab_size=len(WORDS), n_positions=32, n_embd=16, n_layer=1, n_head=2, bos_token_id=1, eos_token_id=1)
)

trainer = GRPOTrainer(
    model=model,
    processing_class=tokenizer,
    train_dataset=data,
    reward_funcs=BleuReward("references"),
    args=GRPOConfig(
        output_dir="build/grpo",
        use_cpu=True,
        bf16=False,
        max_steps=2,
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=8,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
    ),
)
trainer.train()
for step in trainer.state.log_history:
    if "rewards/bleu/mean" in step:
        print(f"step {step['step']}: mean BLEU {100 * step['rewards/bleu/mean']:.2f}")
