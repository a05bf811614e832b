"""What sacreBLEU has and the drop-in has not: names that say so when they are imported."""

from __future__ import annotations

from collections.abc import Callable

from bleuprint.errors import BleuprintError

TEST_SETS = (
    "DATASETS",
    "SACREBLEU_DIR",
    "download_file",
    "download_test_set",
    "filter_subset",
    "get_available_origlangs",
    "get_available_subsets",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_files",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "print_test_set",
)


class AbsentError(BleuprintError, ImportError):
    """A name of sacreBLEU that the drop-in does not have."""


def refuse_absent(module: str) -> Callable[[str], object]:
    """Make the ``__getattr__`` of a module that lacks the names of sacreBLEU's test sets."""

    def find(name: str) -> object:
        if name not in TEST_SETS:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        # an AttributeError would be turned into an ImportError without our words
        raise AbsentError(
            f"{module}.{name} belongs to sacreBLEU's test sets, which this drop-in does not have.",
            "Import it from sacreBLEU itself: both can be used side by side.",
        )

    return find
