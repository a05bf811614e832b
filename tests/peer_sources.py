"""Sources and packages of the peers that are not installed: brought by pip into a temporary folder, never kept."""

import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

import pytest

from worker_sharing import locked, shared_folder


def bring_source(name: str, folder: Path) -> Path:
    """Download the source distribution of an installed package, in its installed version, and unpack it."""
    requirement = f"{name}=={version(name)}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*command, "--no-deps", "--no-binary", ":all:", "--dest", str(folder), requirement],
        check=True,
        timeout=600,
    )
    [archive] = folder.glob(f"{name}-*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def bring_source_once(name: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Do so once for all workers and files of a run, none of which may change what is there."""
    folder = shared_folder(tmp_path_factory) / f"{name}-source"
    folder.mkdir(exist_ok=True)
    brought = folder / "brought"
    with locked(folder / "lock"):
        if not brought.exists():
            brought.write_text(str(bring_source(name, folder)), encoding="utf-8")
    return Path(brought.read_text(encoding="utf-8"))


def bring_packages(requirements: list[str], folder: Path) -> Path:
    """Install these packages into a folder of their own, and nothing that they ask for."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*command, "--target", str(folder), *requirements], check=True, timeout=600)
    return folder
