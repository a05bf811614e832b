"""How much memory a call takes, as Python counts it."""

import tracemalloc

MIB = 1 << 20


def peak_of(function, *arguments):
    """Return the highest number of bytes that Python holds for a call at one time."""
    tracemalloc.start()
    try:
        function(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
