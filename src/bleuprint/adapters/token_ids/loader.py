"""The kernel on a device: compiled by NVRTC when it is first needed, kept for the life of the process, and launched.

NVRTC and the driver are reached through ``cuda.bindings``, which torch's builds for CUDA bring from 2.10 on.
"""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import torch

from bleuprint.adapters.token_ids.plan import STATIC_BYTES, Device
from bleuprint.errors import BleuprintError

SOURCE = "matches.cu"
ID_TYPES = {
    torch.int8: "signed char", torch.uint8: "unsigned char", torch.int16: "short", torch.int32: "int",
    torch.int64: "long long",
}  # fmt: skip
"""The types of ids that the kernel is compiled for."""
OLDEST_CAPABILITY = (7, 0)
FIRST_WITH_CLUSTERS = 9


class Variant(NamedTuple):
    """What a kernel is compiled for."""

    order: int
    ids: str
    way: int
    several: int
    parts: int
    threads: int
    resident: int

    @property
    def options(self) -> list[bytes]:
        """What NVRTC is told, beside the device."""
        named = zip(("ORDER", "ID", "WAY", "SEVERAL", "PARTS", "THREADS", "RESIDENT"), self, strict=True)
        # Multiplications and additions stay apart, as they are on the CPU.
        return [b"--std=c++17", b"--fmad=false", *(f"-DBLEUPRINT_{name}={value}".encode() for name, value in named)]


class Kernel(NamedTuple):
    """What was compiled and loaded for a device; the module is kept as its functions live in it."""

    count_and_score: Any
    score_statistics: Any
    module: Any


@cache
def why_no_kernel(index: int) -> str:
    """Say why nothing can be compiled for a CUDA device; nothing if it can."""
    if torch.version.hip:
        return "ROCm, and the kernel for token ids is written for CUDA"
    if not torch.cuda.is_available():
        return "torch finds no device with CUDA"
    if index >= torch.cuda.device_count():
        return f"torch finds no device cuda:{index}"
    capability = torch.cuda.get_device_capability(index)
    if capability < OLDEST_CAPABILITY:
        return "a device of compute capability {}.{}, and the kernel for token ids needs 7.0".format(*capability)
    try:
        from cuda.bindings import nvrtc
    except ImportError:
        return "no cuda.bindings, which torch's builds for CUDA bring from 2.10 on"
    try:
        nvrtc.nvrtcVersion()
    except RuntimeError as error:  # how the bindings say that the library is not there
        return f"no NVRTC: {error}"
    return ""


@cache
def describe_device(index: int) -> Device:
    """Ask the device for what plans depend on."""
    found = torch.cuda.get_device_properties(index)
    return Device(
        processors=found.multi_processor_count,
        block_bytes=found.shared_memory_per_block_optin,
        processor_bytes=found.shared_memory_per_multiprocessor,
        clusters=found.major >= FIRST_WITH_CLUSTERS,
    )


def read_source() -> bytes:
    """Read the kernel."""
    return files("bleuprint.adapters.token_ids").joinpath(SOURCE).read_bytes()


@cache
def compile_variant(variant: Variant, architecture: str) -> bytes:
    """Compile the kernel for an architecture, such as ``sm_90``; needs no device."""
    from cuda.bindings import nvrtc

    program = _checked(nvrtc.nvrtcCreateProgram(read_source(), SOURCE.encode(), 0, [], []))
    options = [f"--gpu-architecture={architecture}".encode(), *variant.options]
    (failed,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    if failed:
        said = bytes(_checked(nvrtc.nvrtcGetProgramLogSize(program)))
        nvrtc.nvrtcGetProgramLog(program, said)
        raise _error(f"NVRTC cannot compile the kernel: {failed.name}: {said.decode(errors='replace')}")
    binary = bytes(_checked(nvrtc.nvrtcGetCUBINSize(program)))
    nvrtc.nvrtcGetCUBIN(program, binary)
    nvrtc.nvrtcDestroyProgram(program)
    return binary


@cache
def load_kernel(variant: Variant, index: int) -> Kernel:
    """Compile the kernel for a device, and load it there."""
    driver = _find_driver()
    major, minor = torch.cuda.get_device_capability(index)
    binary = compile_variant(variant, f"sm_{major}{minor}")
    with torch.cuda.device(index):
        torch.cuda.current_stream().synchronize()  # torch makes the device's context when it first works there
        module = _checked(driver.cuModuleLoadData(binary))
        counts = _checked(driver.cuModuleGetFunction(module, b"count_and_score"))
        most = describe_device(index).block_bytes - STATIC_BYTES
        attribute = driver.CUfunction_attribute
        for name, value in (
            (attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most),
            (attribute.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100),
        ):
            _checked(driver.cuFuncSetAttribute(counts, name, value))
        return Kernel(counts, _checked(driver.cuModuleGetFunction(module, b"score_statistics")), module)


def launch(
    function: Any, index: int, task: ctypes.Array[ctypes.c_char], *, blocks: int, threads: int, shared_bytes: int = 0
) -> None:
    """Launch a kernel on torch's current stream of the device, without waiting for it."""
    if index == torch.cuda.current_device():
        _launch(function, index, task, blocks, threads, shared_bytes)
    else:
        with torch.cuda.device(index):
            _launch(function, index, task, blocks, threads, shared_bytes)


def _launch(
    function: Any, index: int, task: ctypes.Array[ctypes.c_char], blocks: int, threads: int, shared_bytes: int
) -> None:
    arguments = _Arguments(ctypes.addressof(task))
    _checked(
        _find_driver().cuLaunchKernel(
            function, blocks, 1, 1, threads, 1, 1, shared_bytes, _current_stream(index), ctypes.addressof(arguments), 0
        )
    )


_Arguments = ctypes.c_void_p * 1


@cache
def _find_driver() -> Any:
    from cuda.bindings import driver

    return driver


def _current_stream(index: int) -> int:
    """Give the address of torch's current stream; torch's own compiler asks in the shorter of the two ways."""
    ask = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    stream: int = ask(index) if ask else torch.cuda.current_stream(index).cuda_stream
    return stream


def _checked(answer: tuple[Any, ...]) -> Any:
    """Give what a call of CUDA gave beside its status, which must be a success."""
    status, *given = answer
    if status:
        raise _error(f"CUDA reports {status.name}.")
    return given[0] if given else None


def _error(message: str) -> BleuprintError:
    return BleuprintError(message, "Move the ids to the CPU: the numbers are the same there.")
