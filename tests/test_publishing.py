"""What a release rests on: workflows that run the Makefile's chores, wheels for every Python, a README for an index."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from zipfile import ZipFile

import packaging.tags
import pytest
import yaml
from packaging.requirements import Requirement

import bleuprint
import build_wheels
import photograph_page
import release_check
from bleuprint.web.page import render_page
from bleuprint.wording import SUMMARY
from docs_site import measurements, reference

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PYTHONS = [name.rpartition(" ")[2] for name in PYPROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", name)]

ON = True
"""What YAML reads the key ``on`` as."""


def name_of(path):
    return path.name


def read(path):
    return yaml.safe_load(path.read_text("utf-8"))


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job.get("steps", [])]


def commands_of(workflow):
    """Every command of a workflow, once for each chore of its matrix."""
    for job in workflow["jobs"].values():
        chores = job.get("strategy", {}).get("matrix", {}).get("include", [])
        for step in job.get("steps", []):
            command = step.get("run", "")
            if "matrix.chore" in command:
                yield from (command.replace("${{ matrix.chore }}", row["chore"]) for row in chores)
            else:
                yield command


def make_targets():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    return set(re.findall(r"^([a-z-]+):.*##", makefile, re.MULTILINE))


@pytest.mark.parametrize("path", WORKFLOWS, ids=name_of)
def test_a_workflow_runs_chores_that_exist(path):
    named = {
        target
        for command in commands_of(read(path))
        for target in re.findall(r"^make ([a-z-]+)", command, re.MULTILINE)
    }
    assert named, "a workflow that runs no chore does what nobody can run at home"
    assert named - make_targets() == set()


def test_the_workflows_run_every_chore_that_judges_the_project():
    run = {
        command.split()[1] for path in WORKFLOWS for command in commands_of(read(path)) if command.startswith("make ")
    }
    assert run == {
        "check", "docs", "docs-site", "test", "test-all", "sanitize", "fuzz", "lowest", "wheels", "pure-wheel",
        "release-check",
    }  # fmt: skip


@pytest.mark.parametrize("path", WORKFLOWS, ids=name_of)
def test_every_action_is_pinned_to_a_commit_and_says_its_version(path):
    lines = re.findall(r"uses: (.+)", path.read_text("utf-8"))
    used = [step["uses"] for step in steps_of(read(path)) if "uses" in step]
    assert used
    for line in lines:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\./\.github/workflows/\w+\.yml( #.*)?", line), line


@pytest.mark.parametrize("path", WORKFLOWS, ids=name_of)
def test_a_workflow_may_read_and_only_publishing_may_do_more(path):
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    more = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
    assert more == ({"publish": {"id-token": "write"}} if path.name == "release.yml" else {})
    assert "secrets." not in path.read_text("utf-8")


def test_a_change_and_every_night_start_the_workflows_that_judge_them():
    started = {path.stem: {*read(path)[ON]} for path in WORKFLOWS}
    assert started["ci"] == {"push", "pull_request", "workflow_dispatch"}
    assert started["nightly"] == {"schedule", "workflow_dispatch"}


def test_a_tag_is_published_after_all_is_checked_and_built_without_a_password_and_with_statements():
    workflow, wheels = (read(ROOT / f".github/workflows/{name}.yml") for name in ("release", "wheels"))
    assert workflow[ON] == {"push": {"tags": ["v*"]}}
    publish = workflow["jobs"].pop("publish")
    assert sorted(publish["needs"]) == sorted(workflow["jobs"]) == ["check", "wheels"]
    assert workflow["jobs"]["wheels"]["uses"] == "./.github/workflows/wheels.yml"
    assert 'make release-check TAG="$GITHUB_REF_NAME"' in commands_of(workflow), "a tag that is not the version is none"
    assert publish["environment"] == "release", "which the index trusts"
    fetched, published = (step["with"] for step in publish["steps"])
    assert published == {"attestations": True, "print-hash": True}
    assert (fetched["path"], fetched["merge-multiple"]) == ("dist", True)
    kept = [step["with"] for step in steps_of(workflow) + steps_of(wheels) if "upload-artifact" in step.get("uses", "")]
    assert sorted(one["path"] for one in kept) == ["dist/*.tar.gz", "dist/*.whl", "dist/*.whl"]
    assert [one["name"] for one in kept if not fnmatch(one["name"], fetched["pattern"])] == []
    assert all(one["if-no-files-found"] == "error" for one in kept)


def test_every_python_that_is_promised_is_tested_and_gets_wheels():
    matrices = [job["strategy"]["matrix"] for job in read(ROOT / ".github/workflows/ci.yml")["jobs"].values()
                if "strategy" in job]  # fmt: skip
    assert PYTHONS[0] == PYPROJECT["project"]["requires-python"].removeprefix(">=")
    assert [matrix["python"] for matrix in matrices] == [PYTHONS] * 2
    assert [matrix.get("system") for matrix in matrices] == [None, ["macos-latest", "windows-latest"]]
    [elsewhere] = [command for command in commands_of(read(ROOT / ".github/workflows/ci.yml")) if "ROOM=" in command]
    assert re.findall(r'ROOM="(.+)"', elsewhere) == ["recipes text counting metrics scoring"]
    wheels = PYPROJECT["tool"]["cibuildwheel"]
    assert wheels["build"] == [*(f"cp{version.replace('.', '')}-*" for version in PYTHONS), "cp314t-*"]
    assert "config-settings" not in wheels, "a wheel for each of them"
    assert release_check.stable_builds() == ["cp312-*", "cp313-*", "cp314-*"]
    assert {system: wheels[system] for system in ("linux", "macos", "windows")} == {
        "linux": {"archs": ["auto64"]},
        "macos": {"archs": ["x86_64", "arm64"], "environment": {"MACOSX_DEPLOYMENT_TARGET": "11.0"}},
        "windows": {"archs": ["AMD64"]},
    }
    systems = read(ROOT / ".github/workflows/wheels.yml")["jobs"]["wheels"]["strategy"]["matrix"]["system"]
    assert systems == ["ubuntu-latest", "ubuntu-24.04-arm", "macos-latest", "windows-latest"]


def test_the_documents_name_the_wheels_that_are_built():
    newest = PYTHONS[-1].replace(".", "")
    built = [f"cp{version.replace('.', '')}" for version in (PYTHONS[0], PYTHONS[-1])]
    tags = [*(f"{python}-{python}" for python in built), f"cp{newest}-cp{newest}t", f"{release_check.STABLE}-abi3"]
    table = re.findall(r"^\| (`.+`) \| ", (ROOT / "docs/releasing.md").read_text("utf-8"), re.MULTILINE)
    assert re.findall(r"`(.+?)`", " ".join(table)) == [*tags, "py3-none-any"]
    promised = " ".join((ROOT / "docs/stability.md").read_text("utf-8").split())
    assert f"one for each Python from {PYTHONS[0]} to {PYTHONS[-1]}, one for free-threaded {PYTHONS[-1]}," in promised


def test_a_wheel_is_refused_that_leaves_the_kernel_out():
    command = PYPROJECT["tool"]["cibuildwheel"]["test-command"]
    assert "not sys._is_gil_enabled()" in command, "where a free-threaded Python tries it"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    outcomes = {
        engine: subprocess.run(command, shell=True, capture_output=True, text=True,
                               env={**os.environ, "PATH": path, "BLEUPRINT_ENGINE": engine})
        for engine in ("native", "python")
    }  # fmt: skip
    assert "0 wrong" in outcomes["native"].stdout
    assert {engine: done.returncode for engine, done in outcomes.items()} == {"native": 0, "python": 1}


def test_hooks_run_what_make_check_runs():
    checks = (ROOT / "Makefile").read_text("utf-8").partition("\ncheck:")[2].partition("\n\n")[0]
    [local] = read(ROOT / ".pre-commit-config.yaml")["repos"]
    entries = [hook["entry"].removesuffix(" --fix").replace(".venv/bin", "$(BIN)") for hook in local["hooks"]]
    assert len(entries) == 3
    assert [entry for entry in entries if f"\t{entry}" not in checks] == []


def test_every_system_has_a_compiler_of_the_kernel_for_browsers():
    """Release 0.17.0 of the compiler does not come for Windows, whose jobs build that kernel, too."""
    lines = (ROOT / "requirements-wasm.txt").read_text("utf-8").splitlines()
    compilers = [Requirement(line) for line in lines if not line.startswith("#")]
    for system, wanted in {"linux": "==0.17.0", "darwin": "==0.17.0", "win32": "==0.16.0"}.items():
        environment = {"sys_platform": system}
        found = [str(one.specifier) for one in compilers if one.marker is None or one.marker.evaluate(environment)]
        assert found == [wanted], system


def test_the_readme_of_an_index_installs_from_there_and_has_no_link_that_leads_nowhere():
    text = (ROOT / "README.md").read_text("utf-8")
    assert "](docs/" in text
    assert "clone" in text
    hooks = PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    for rule in hooks["substitutions"]:
        text = re.sub(rule["pattern"], rule["replacement"], text)
    assert re.findall(r"\]\((?!https?://)[^)]*\)", text) == []
    named = r"\(`docs/how-bleu-is-computed\.md`\)"
    linked = r"\(https://\S+/docs/how-bleu-is-computed\.md\)"  # by an owner's address
    assert re.search(rf"- \[?How BLEU is computed\]? ?(?:{named}|{linked}): the four steps", text)
    assert "![" not in text
    assert text.count("```sh\npip install bleuprint") == 2
    assert re.findall(r"clone|`make|^make|pip install '?\.|compiler", text, re.MULTILINE) == []
    assert "`bleuprint serve --open`, after `pip install 'bleuprint[serve]'`, opens the calculator" in text
    assert "the kernel comes compiled; elsewhere everything works without it, slower." in text


def test_what_the_reference_lists_is_what_stability_calls_public():
    text = (ROOT / "docs/stability.md").read_text("utf-8")
    table = text.partition("## What is public")[2].partition("Everything else")[0]
    public = {*re.findall(r"bleuprint(?:\.\w+)*", table)}
    listed = {".".join(module.split(".")[:2]) for module in reference.MODULES}
    assert listed <= public
    assert all(import_module(module) for module in public)


def test_a_release_lists_what_only_an_owner_can_give():
    def write(project: dict[str, object], replacement: str) -> dict[str, object]:
        readme = {"substitutions": [{"replacement": "first"}, {"replacement": replacement}]}
        return {"project": project, "tool": {"hatch": {"metadata": {"hooks": {"fancy-pypi-readme": readme}}}}}

    nobody = write({"authors": [{"name": "The authors"}]}, r"\1")
    urls = [f"project.urls.{name}" for name in ("Homepage", "Source", "Documentation", "Issues", "Changelog")]
    wanted = ["project.authors: an email", *urls, "the address of the README's links"]
    assert release_check.missing_from_owner(nobody) == wanted
    urls = dict.fromkeys(release_check.URLS, "https://example.org")
    somebody = write(
        {"authors": [{"name": "A", "email": "a@example.org"}], "urls": urls}, r"[\1](https://example.org/\2)"
    )
    assert release_check.missing_from_owner(somebody) == []
    assert {*release_check.missing_from_owner(PYPROJECT)} <= {*wanted}


def test_a_wheel_is_described_by_its_size_hash_tags_and_files(tmp_path):
    wheel = tmp_path / "bleuprint-1.2.3-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        archive.mkdir("bleuprint")  # which auditwheel writes, too
        for name in ("bleuprint/page.py", "bleuprint/kernel.wasm", "bleuprint-1.2.3.dist-info/WHEEL"):
            archive.writestr(name, "Wheel-Version: 1.0\nTag: py3-none-any\n")
    described = [line.strip() for line in release_check.describe(wheel).splitlines()]
    assert described == [
        f"{wheel.name}  {wheel.stat().st_size:,} bytes", f"sha256 {hashlib.sha256(wheel.read_bytes()).hexdigest()}",
        "tags py3-none-any", "3 files, among them:", "bleuprint/kernel.wasm",
    ]  # fmt: skip


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
    with pytest.raises(SystemExit, match=r"expected absolute links .*, got docs/a\.md, docs/page\.png\."):
        release_check.check_readme(wheel)


def test_a_tag_that_is_not_the_version_is_no_release(tmp_path):
    (tmp_path / "src/bleuprint").mkdir(parents=True)
    (tmp_path / "src/bleuprint/__init__.py").write_text('__version__ = "1.2.3"\n', "utf-8")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2026-12-01)\n\n## 1.2.2\n", "utf-8")
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 1.2.3\n", "utf-8")
    assert release_check.check_version(tmp_path, None) == release_check.check_version(tmp_path, "v1.2.3") == "1.2.3"
    with pytest.raises(SystemExit, match=r"expected the tag v1\.2\.3, .*, got v1\.2\.4"):
        release_check.check_version(tmp_path, "v1.2.4")
    for newest in ("## Unreleased\n\n## 1.2.3\n", "## 1.2.2\n", ""):
        (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{newest}", "utf-8")
        with pytest.raises(SystemExit, match=r"expected the changes under '## 1\.2\.3' in CHANGELOG\.md"):
            release_check.check_version(tmp_path, "v1.2.3")
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 1.2.2\n", "utf-8")
    with pytest.raises(SystemExit, match=r"expected 'version: 1\.2\.3' in CITATION\.cff"):
        release_check.check_version(tmp_path, None)


def test_a_release_names_a_wheel_for_each_python_and_one_for_those_to_come():
    builds = [f"{name.removesuffix('-*')}-win_amd64" for name in PYPROJECT["tool"]["cibuildwheel"]["build"]]
    names = ("cp311", "cp312", "cp313", "cp314", "cp314t", f"{release_check.STABLE}-abi3")
    assert release_check.wheels_of(builds) == [f"{name}-win_amd64" for name in names]


def test_wheels_are_built_for_each_python_then_for_those_to_come_in_place_of_older_ones(monkeypatch, tmp_path, capsys):
    asked = []

    def run(command, *, env, **_rest):
        asked.append((env.get("CIBW_BUILD"), env.get("CIBW_CONFIG_SETTINGS")))
        with ZipFile(command[-1] / f"bleuprint-{len(asked)}-cp312-abi3-any.whl", "w") as wheel:
            wheel.writestr("bleuprint.dist-info/WHEEL", "Tag: cp312-abi3-any\n")

    monkeypatch.setattr(build_wheels, "DIST", tmp_path)
    monkeypatch.setattr(build_wheels, "answers", lambda *_command: True)
    monkeypatch.setattr(build_wheels.subprocess, "run", run)
    (tmp_path / "bleuprint-0.0.9-cp312-cp312-any.whl").touch()
    build_wheels.main([])
    assert asked == [(None, None), ("cp312-* cp313-* cp314-*", "wheel.py-api=cp312")]
    described = re.findall(r"^(bleuprint\S+)  .* bytes$", capsys.readouterr().out, re.MULTILINE)
    assert described == ["bleuprint-1-cp312-abi3-any.whl", "bleuprint-2-cp312-abi3-any.whl"]


def test_installers_prefer_the_wheel_of_their_python_to_the_one_for_those_to_come():
    tags = [str(tag) for tag in packaging.tags.cpython_tags((3, 13), platforms=["win_amd64"])]
    assert tags.index("cp313-cp313-win_amd64") < tags.index(f"{release_check.STABLE}-abi3-win_amd64")
    later = [str(tag) for tag in packaging.tags.cpython_tags((3, 19), platforms=["win_amd64"])]
    assert f"{release_check.STABLE}-abi3-win_amd64" in later


def test_what_fails_ends_the_check_with_its_own_words(tmp_path):
    with pytest.raises(SystemExit, match=r"sh failed\.\nthis is why"):
        release_check.run("sh", "-c", "echo this is why; exit 3", folder=tmp_path)


def test_every_script_keeps_its_line_ends_on_every_system():
    """A checkout on Windows ends lines as Windows does, unless it is told otherwise; a shell stumbles over that."""
    asked = subprocess.run(
        ["git", "check-attr", "eol", "--", "tools/bring.sh", "Makefile", ".ci/run", "src/bleuprint/cli/__init__.py"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert [line.rpartition(": ")[2] for line in asked.stdout.splitlines()] == ["lf"] * 4


def test_every_number_can_be_made_again_by_a_command_that_exists():
    rows = re.findall(r"^\| .+ \| (.+) \|$", (ROOT / "docs/reproducing.md").read_text("utf-8"), re.MULTILINE)[2:]
    commands = [command for row in rows for command in re.findall(r"`((?:make|\.venv)[^`]*)`", row)]
    assert len(commands) >= len(rows) > 15
    assert {command.split()[1] for command in commands if command.startswith("make ")} - make_targets() == set()
    named = " ".join(commands)
    measured = {path.stem for path in (ROOT / "bench/results").iterdir()}
    assert {name for name in measured if f"BENCHES={name}" not in named and f"bench/{name}.py" not in named} == {
        "planted_bugs",  # of the tests, not of the package
        "scaling",
    }
    assert "make scaling" in commands
    assert all((ROOT / script).is_file() for script in re.findall(r"bench/\w+\.py", named))


def test_what_a_program_measures_stands_on_a_page_that_names_it():
    rows = re.findall(r"^\| .+? \| (.+?) \| (.+) \|$", (ROOT / "docs/reproducing.md").read_text("utf-8"), re.MULTILINE)
    named = 0
    for where, how in rows:
        pages = [(ROOT / "docs" / page).read_text("utf-8") for page in re.findall(r"\]\((\w+\.md)\)", where)]
        for program in re.findall(r"BENCHES=(\w+)|(?<=python bench/)(\w+)|make (scaling)", how):
            name = "".join(program)
            assert any(f"bench/{name}.py" in page or f"bench/results/{name}." in page for page in pages), name
            named += 1
    assert named > 20


@pytest.mark.parametrize("path", sorted((ROOT / "bench/results").glob("*.md")), ids=name_of)
def test_a_measurement_is_a_page_with_a_title_of_its_own_and_its_program(path):
    page = measurements.make_page(path.stem, path.read_text("utf-8"))
    assert re.match(rf"# (?!{path.stem}\n).+\n\nPrinted by `bench/{path.stem}.py`: ", page)
    assert not re.search(r"\d (?:×|ms) \|", page), "a number and its unit may be parted"


def test_every_extra_is_explained():
    page = (ROOT / "docs/stability.md").read_text("utf-8")
    rows = {
        extra: inside == "yes"
        for names, inside in re.findall(r"^\| (`[^|]+`) \| [^|]+ \| (yes|no)", page, re.MULTILINE)
        for extra in re.findall(r"`(\w+)`", names)
    }
    extras = PYPROJECT["project"]["optional-dependencies"]
    [everything] = extras["all"]
    inside = everything.removeprefix("bleuprint[").removesuffix("]").split(",")
    assert rows == {extra: extra in inside for extra in extras if extra != "all"}


def test_no_file_of_the_project_names_the_host_of_a_registry():
    found = subprocess.run(
        ["git", "grep", "-lE", r"py[p]i\.org|gh[c]r\.io|qu[a]y\.io|reg[i]stry\.npm"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert (found.returncode, found.stdout) == (1, ""), "1: searched, and nothing found"


def test_it_says_the_same_of_itself_everywhere():
    assert bleuprint.__doc__.splitlines()[0] == SUMMARY
    assert PYPROJECT["project"]["description"] == SUMMARY
    for name in ("README.md", "docs/cli.md"):
        assert SUMMARY in (ROOT / name).read_text("utf-8"), name


def test_the_picture_of_the_page_is_labelled_with_the_summary_and_the_modes_of_today():
    """After a change: python tools/photograph_page.py."""
    assert photograph_page.read_label(photograph_page.PICTURE.read_bytes()) == photograph_page.describe(
        render_page("served")
    )
