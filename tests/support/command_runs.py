"""Run a console script many times from one process, each time in a fork: quick, and no run leaves anything behind.

    python command_runs.py sacrebleu plain|accelerated < runs.json > outcomes.json

A run is {"arguments": [...], "stdin": "..."}; an outcome is {"code": 0, "out": "...", "err": "..."}. Tracebacks are cut
to their last line: the frames in between are not part of what a command promises.
"""

import json
import os
import subprocess
import sys
import tempfile
import traceback
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path


def run_all(command, runs, *, accelerated):
    """Start a process that does all runs, and give their outcomes."""
    mode = "accelerated" if accelerated else "plain"
    done = subprocess.run(
        [sys.executable, __file__, command, mode], input=json.dumps(runs), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def run_forked(function, run):
    """Do one run in a fork of this process."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("in", "out", "err")]
        files[0].write_text(run.get("stdin", ""), encoding="utf-8")
        child = os.fork()
        if child == 0:
            _become(function, run["arguments"], files)
        _, status = os.waitpid(child, 0)
        out, err = (file.read_text(encoding="utf-8") for file in files[1:])
    return {"code": os.waitstatus_to_exitcode(status), "out": out, "err": err}


def _become(function, arguments, files):
    """Never return: whatever happens, this fork ends here."""
    code = 99
    try:
        for number, file in enumerate(files):
            os.dup2(os.open(file, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT), number)
        streams = [os.fdopen(number, "r" if number == 0 else "w", encoding="utf-8") for number in range(3)]
        sys.stdin, sys.stdout, sys.stderr = streams
        sys.argv[1:] = arguments
        code = _call(function)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _call(function):
    try:
        return function() or 0
    except SystemExit as stop:
        if isinstance(stop.code, str):
            print(stop.code, file=sys.stderr)
            return 1
        return stop.code or 0
    except Exception as error:
        print("".join(traceback.format_exception_only(error)), end="", file=sys.stderr)
        return 1


def main():
    command, mode = sys.argv[1:]
    runs = json.load(sys.stdin)
    import_module("sacrebleu.significance")
    [entry] = entry_points(group="console_scripts", name=command)
    function = entry.load()
    if mode == "accelerated":
        from bleuprint.compat import accelerate

        accelerate(command)
    sys.argv = [command]
    json.dump([run_forked(function, run) for run in runs], sys.stdout)


if __name__ == "__main__":
    main()
