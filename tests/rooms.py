"""Which tests belong to which part of the package: ``make test ROOM=text`` runs those of one part.

python tests/rooms.py ROOM...    prints the files, and what of the package has examples to be run with them
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "src" / "bleuprint"
ROOMS = {
    "recipes": "recipe sacrebleu_signature",
    "text": "caption_tokenizer linear optional_tokenizers segments spans tokenizers",
    "counting": "ngrams resampling stats",
    "metrics": "chrf formula golden_vectors laws laws_chrf_ter nltk_stops reference_length scores smoothing ter",
    "engines": "added_up arrow_strings browser_engine engines engines_chrf engines_ter flooding interrupts kernel_cpp "
    "native_build reentrance short_ngrams subinterpreters token_ids",
    "scoring": "accumulator copies corpus defaults pairs prepared wmt22",
    "findings": "comparison comparison_metrics explanation explanation_schema given_scores identification "
    "identification_metrics notes reconciliation significance",
    "lessons": "exercises",
    "render": "latex render render_chrf render_ter report shown_tokens",
    "compat": "acceleration acceleration_chrf_ter acceleration_nltk acceleration_torchmetrics "
    "acceleration_torchmetrics_chrf_ter compat_nltk "
    "chrf_nltk compat_sacrebleu compat_sacrebleu_chrf_ter "
    "conformance_bleuscore conformance_captions_code conformance_chrf conformance_fairseq conformance_nltk "
    "conformance_sacrebleu conformance_significance "
    "conformance_ter conformance_torchmetrics conformance_wmt17 peer_suite_nltk peer_suite_sacrebleu releases",
    "adapters": "adapter_arrow adapter_evaluate adapter_rewards adapter_spark adapter_torch adapter_torchmetrics "
    "token_ids_cuda token_ids_kernel",
    "files": "arrow_files formats io",
    "testsets": "testset_archives testset_downloads testset_manifests testsets",
    "web": "api_schema bridge learn_mode page/ server site",
    "cli": "cli cli_compare cli_testsets completion gates option_table options score_parts startup",
    "house": "docs errors front_door layers publishing rooms types values ways words",
}
"""The names of test files, without ``test_``; a folder ends with a slash."""


def files_of(room: str) -> list[Path]:
    """Give the test files of a room, and its folders."""
    return [HERE / (name if name.endswith("/") else f"test_{name}.py") for name in ROOMS[room].split()]


def source_of(room: str) -> list[Path]:
    """Give what of the package belongs to a room: its folder, and to the house what lies in none."""
    return sorted(PACKAGE.glob("*.py")) if room == "house" else [PACKAGE / room]


def check_room(room: str) -> None:
    """Refuse a room that is none."""
    if room in ROOMS:
        return
    from bleuprint.errors import nearest

    meant = nearest(room, ROOMS)
    suggestion = f" Did you mean {meant!r}?" if meant else ""
    raise SystemExit(f"ROOM: expected one of {', '.join(ROOMS)}, got {room}.{suggestion}")


if __name__ == "__main__":
    for room in sys.argv[1:]:
        check_room(room)
        print(*files_of(room), *source_of(room), end=" ")
