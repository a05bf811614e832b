"""The sources of the peers, for their own test suites: brought by pip into a temporary folder, never kept."""

import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path


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
