"""Where the time of one block goes: the kernel for token ids with a clock read after every barrier."""

from __future__ import annotations

import ctypes
from itertools import pairwise
from typing import Any

import torch

from bleuprint.adapters.token_ids import launching, loader

LINES = 1200
WATCH = "if (!threadIdx.x && !blockIdx.x) watched[{}] = clock64();"
BARRIER, START, END = (
    "BARRIER } __syncthreads();",
    "const Block block{blockDim.x};",
    "shared.matches);\n        __syncthreads();",
)


def watched_source(source: str) -> bytes:
    """Put the clock in: line by line, and at both ends."""
    for mark, name in ((BARRIER, "__LINE__"), (START, "0"), (END, "1")):
        assert source.count(mark) == 1
        source = source.replace(mark, mark + " " + WATCH.format(name))
    return f'extern "C" __device__ long long watched[{LINES}];\n#line 1\n{source}'.encode()


def show(shape: tuple[int, ...], inputs: tuple[torch.Tensor, ...], recipe: Any) -> None:
    """Print the cycles of the first block between one barrier and the next, by the line where its phase ends."""
    from cuda.bindings import driver

    plain = loader.read_source
    loader.read_source = lambda: watched_source(plain().decode())
    for kept in (loader.compile_variant, loader.load_kernel):
        kept.cache_clear()
    try:
        launching.run_rows(launching.IdTensors(*inputs), recipe, False)
        torch.cuda.synchronize()
        kernels = loader.load_kernel
        rows, columns, references = shape
        plan = launching._plan(0, rows, recipe.order, columns, columns, references)
        kernel = launching._kernel(0, recipe.order, inputs[0].dtype, references, plan)
        assert kernels.cache_info().hits
        launching.run_rows(launching.IdTensors(*inputs), recipe, False)
        torch.cuda.synchronize()
        (_, address, size) = driver.cuModuleGetGlobal(kernel.module, b"watched")
        numbers = (ctypes.c_int64 * LINES)()
        driver.cuMemcpyDtoH(ctypes.addressof(numbers), address, size)
    finally:
        loader.read_source = plain
        for kept in (loader.compile_variant, loader.load_kernel):
            kept.cache_clear()
    marks = sorted((clock, line) for line, clock in enumerate(numbers) if clock)
    steps = [f"{line}: {clock - before}" for (before, _), (clock, line) in pairwise(marks)]
    print(f"  {shape}: " + ", ".join(steps), flush=True)
