"""A subinterpreter scores with the readable engine, and leaves the kernel of the main one alone."""

import json

import pytest

import bleuprint as bp
from engine_process import run

PROGRAM = """
import json, os, sys
import bleuprint as bp
try:
    import _interpreters as interpreters
    create = lambda: interpreters.create("legacy")
except ImportError:
    import _xxsubinterpreters as interpreters
    create = interpreters.create

def scores(when):
    return [when, bp.score_sentence("a b c d e", "a b c d").score, bp.score(["a b c d e"], ["a b c d"]).score]

def inside(program):
    read, write = os.pipe()
    interpreter = create()
    interpreters.run_string(interpreter, program + f'''
import json, os
os.write({write}, json.dumps(said).encode())''')
    os.close(write)
    interpreters.destroy(interpreter)
    with os.fdopen(read) as pipe:
        return json.load(pipe)

found = [scores("before")] if sys.argv[1] == "first" else []
found.append(inside('''
import bleuprint as bp
said = [*bp.engine(), bp.score_sentence("a b c d e", "a b c d").score, bp.score(["a b c d e"], ["a b c d"]).score]
'''))
found.append(inside('''
try:
    import bleuprint._kernel
except ImportError as error:
    said = str(error)
else:
    said = "imported"
'''))
found.append(scores("after"))
print(json.dumps([*bp.engine()]), json.dumps(found), sep="\\n")
"""
REASON = "the compiled kernel does not load: it works in the main interpreter alone, and this is a subinterpreter"


@pytest.mark.parametrize("first", [True, False], ids=["used before", "not used before"])
def test_a_subinterpreter_has_the_readable_engine_and_breaks_nothing(first):
    done = run("-c", PROGRAM, "first" if first else "later")
    assert done.returncode == 0, done.stderr
    engine, found = map(json.loads, done.stdout.splitlines())
    assert engine == ["native", "compiled kernel"]
    scored = [bp.score_sentence("a b c d e", "a b c d").score, bp.score(["a b c d e"], ["a b c d"]).score]
    expected = [["python", REASON, *scored], REASON.split(": ")[1], ["after", *scored]]
    assert found == ([["before", *scored]] if first else []) + expected


def test_asking_for_the_kernel_in_a_subinterpreter_says_why_not():
    program = """
try:
    import _interpreters as interpreters
    interpreter = interpreters.create("legacy")
except ImportError:
    import _xxsubinterpreters as interpreters
    interpreter = interpreters.create()
interpreters.run_string(interpreter, '''
import bleuprint as bp
try:
    bp.score_sentence("a", "a")
except bp.BleuprintError as error:
    print(error, flush=True)
''')
"""
    done = run("-c", program, BLEUPRINT_ENGINE="native")
    assert done.stdout.startswith(f"BLEUPRINT_ENGINE=native is not possible: {REASON}."), done.stderr
    assert "compiler" not in done.stdout
