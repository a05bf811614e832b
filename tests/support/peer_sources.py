"""What pip brings of the peers: sources and packages, once into the environment of the tests or into a folder."""

import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from worker_sharing import locked


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


def bring_source_once(name: str) -> Path:
    """Do so once for this environment: pip takes seconds to read an archive. No test may change what is there."""
    return _bring_once(f"{name}-{version(name)}", lambda place: bring_source(name, place))


def bring_packages(requirements: list[str], folder: Path) -> Path:
    """Install these packages into a folder of their own, and nothing that they ask for."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*command, "--target", str(folder), *requirements], check=True, timeout=600)
    return folder


def bring_packages_once(requirements: list[str]) -> Path:
    """Do so once for this environment. No test may change what is there."""
    return _bring_once("-with-".join(requirements), lambda place: bring_packages(requirements, place / "packages"))


def _bring_once(name: str, bring: Callable[[Path], Path]) -> Path:
    sources = Path(sys.prefix, "sources")
    sources.mkdir(exist_ok=True)
    folder = sources / name
    with locked(sources / f"{name}.lock"):
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=sources) as place:
                bring(Path(place)).rename(folder)
    return folder
