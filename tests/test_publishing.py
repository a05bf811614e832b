"""What a release rests on and `make release-check` does not check: the workflow that publishes, wheels, refusals."""

import os
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml

import release_check

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PYTHONS = [name.rpartition(" ")[2] for name in PYPROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", name)]

ON = True
"""What YAML reads the key ``on`` as."""


def read(workflow):
    return yaml.safe_load((ROOT / f".github/workflows/{workflow}.yml").read_text("utf-8"))


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job.get("steps", [])]


# The workflows


def test_a_tag_is_published_after_everything_is_checked_and_built_without_a_password_and_with_statements():
    workflow, wheels = read("release"), read("wheels")
    assert workflow[ON] == {"push": {"tags": ["v*"]}}
    publish = workflow["jobs"].pop("publish")
    assert {*publish["needs"]} == {*workflow["jobs"]}
    assert workflow["jobs"]["wheels"]["uses"] == "./.github/workflows/wheels.yml"
    assert 'make release-check TAG="$GITHUB_REF_NAME"' in [step.get("run") for step in steps_of(workflow)]
    fetched, published = (step["with"] for step in publish["steps"])
    assert "password" not in published
    assert published["attestations"]
    kept = [step["with"] for step in steps_of(workflow) + steps_of(wheels) if "upload-artifact" in step.get("uses", "")]
    assert sorted(one["path"] for one in kept) == ["dist/*.tar.gz", "dist/*.whl", "dist/*.whl"]
    assert [one["name"] for one in kept if not fnmatch(one["name"], fetched["pattern"])] == []
    assert all(one["if-no-files-found"] == "error" for one in kept)


def test_every_supported_python_has_a_job_and_wheels():
    workflow = read("ci")
    tried = {step.get("with", {}).get("python-version") for step in steps_of(workflow)}
    for job in workflow["jobs"].values():
        tried |= {*job.get("strategy", {}).get("matrix", {}).get("python", [])}
    assert PYTHONS[0] == PYPROJECT["project"]["requires-python"].removeprefix(">=")
    assert {*PYTHONS} <= tried
    assert {f"cp{version.replace('.', '')}-*" for version in PYTHONS} <= {*PYPROJECT["tool"]["cibuildwheel"]["build"]}


# Wheels


def test_a_wheel_without_the_kernel_is_refused():
    command = PYPROJECT["tool"]["cibuildwheel"]["test-command"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    outcomes = {
        engine: subprocess.run(command, shell=True, capture_output=True, text=True,
                               env={**os.environ, "PATH": path, "BLEUPRINT_ENGINE": engine}).returncode
        for engine in ("native", "python")
    }  # fmt: skip
    assert outcomes == {"native": 0, "python": 1}


def test_the_first_python_of_the_stable_abi_has_two_wheels():
    assert release_check.wheels_of(["cp311-linux", "cp312-linux", "cp314t-linux"]) == [
        "cp311-linux", "cp312-linux", "cp314t-linux", "cp312-abi3-linux",
    ]  # fmt: skip
    builds = release_check.stable_builds()
    assert builds[0].startswith(f"{release_check.STABLE}-")
    assert not {"cp311-*", "cp314t-*"} & {*builds}


# The README of a package index


def test_every_substitution_still_finds_what_it_replaces():
    text = (ROOT / "README.md").read_text("utf-8")
    for rule in PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text, found = re.subn(rule["pattern"], rule["replacement"], text)
        assert found, rule["pattern"]


def test_a_readme_with_a_link_into_nowhere_is_refused(monkeypatch, tmp_path):
    wheel = tmp_path / "bleuprint-1.2.3-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        archive.writestr("bleuprint-1.2.3.dist-info/METADATA", "Name: bleuprint\n\n# Title\n\nText\n")
    given = []

    def render(*command):
        given.append(command[-1].read_text("utf-8"))
        return shown

    monkeypatch.setattr(release_check, "run", render)
    shown = '<h1 id="title">Title</h1><a href="#title">here</a> <a href="https://example.org/docs/a.md">there</a>'
    release_check.check_readme(wheel)
    assert given == ["# Title\n\nText\n"]
    shown += '<a href="docs/a.md">a</a><img src="docs/page.png">'
    with pytest.raises(SystemExit, match=r"docs/a\.md, docs/page\.png"):
        release_check.check_readme(wheel)


# What is refused


def test_a_tag_that_is_not_the_version_is_no_release(tmp_path):
    (tmp_path / "src/bleuprint").mkdir(parents=True)
    (tmp_path / "src/bleuprint/__init__.py").write_text('__version__ = "1.2.3"\n', "utf-8")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2026-12-01)\n\n## 1.2.2\n", "utf-8")
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 1.2.3\n", "utf-8")
    assert release_check.check_version(tmp_path, None) == release_check.check_version(tmp_path, "v1.2.3") == "1.2.3"
    with pytest.raises(SystemExit, match=r"v1\.2\.4"):
        release_check.check_version(tmp_path, "v1.2.4")
    for newest in ("## Unreleased\n\n## 1.2.3\n", "## 1.2.2\n", ""):
        (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{newest}", "utf-8")
        with pytest.raises(SystemExit, match=r"CHANGELOG\.md"):
            release_check.check_version(tmp_path, "v1.2.3")
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 1.2.2\n", "utf-8")
    with pytest.raises(SystemExit, match=r"CITATION\.cff"):
        release_check.check_version(tmp_path, None)


def test_what_only_an_owner_can_fill_in_is_listed():
    def write(project: dict[str, object], replacement: str) -> dict[str, object]:
        readme = {"substitutions": [{"replacement": "first"}, {"replacement": replacement}]}
        return {"project": project, "tool": {"hatch": {"metadata": {"hooks": {"fancy-pypi-readme": readme}}}}}

    nobody = write({"authors": [{"name": "The authors"}]}, r"\1")
    assert len(release_check.missing_from_owner(nobody)) == len(release_check.URLS) + 2
    somebody = write(
        {
            "authors": [{"name": "A", "email": "a@example.org"}],
            "urls": dict.fromkeys(release_check.URLS, "https://example.org"),
        },
        r"[\1](https://example.org/\2)",
    )
    assert release_check.missing_from_owner(somebody) == []


def test_a_command_that_fails_ends_the_check_with_its_output(tmp_path):
    with pytest.raises(SystemExit, match="this is why"):
        release_check.run("sh", "-c", "echo this is why; exit 3", folder=tmp_path)
