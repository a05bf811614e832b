#!/bin/sh
# Try the lowest versions that pyproject.toml allows: try_lowest.sh TOOLS FOLDER. TOOLS has uv, FOLDER becomes an environment.
# The kernel is built with the lowest versions of what builds it, and the tests that use other packages run.
set -eu
tools=$1
folder=$2
tests="compat/test_acceleration_torchmetrics adapters/test_spark adapters/test_torchmetrics io/test_arrow_files
    text/test_caption_tokenizer cli/test_cli io/test_formats text/test_optional_tokenizers render/test_render web/test_server
    io/test_testsets"
rm -rf "$folder"
mkdir -p build
"$tools/uv" venv --quiet --python "$tools/python" "$folder"
install() { "$tools/uv" pip install --quiet --python "$folder/bin/python" "$@"; }
# The same lines of pyproject.toml, with == for >=.
"$tools/python" - >build/lowest-build.txt <<'PYTHON'
import tomllib
with open("pyproject.toml", "rb") as file:
    print(*(line.replace(">=", "==") for line in tomllib.load(file)["build-system"]["requires"]), sep="\n")
PYTHON
install --resolution lowest-direct --build-constraints build/lowest-build.txt '.[all,captions,spark]'
"$tools/uv" pip freeze --python "$folder/bin/python" >build/lowest.txt
grep -oE '(pytest|pytest-xdist|filelock|hypothesis|httpx|jsonschema|matplotlib)==[0-9.]+' pyproject.toml >build/lowest-tests.txt
install --constraints build/lowest.txt --requirement build/lowest-tests.txt
# torchmetrics with the torch of the tests: the lowest torch would bring gigabytes for other devices. pip finds the one without them.
torchmetrics=$(sed -n 's/^torch = .*"torchmetrics>=\([0-9.]*\)".*/\1/p' pyproject.toml)
"$tools/python" -m pip --python "$folder/bin/python" install --quiet --disable-pip-version-check --constraint build/lowest.txt \
    "$(grep -oE '\btorch==[0-9.]+' pyproject.toml)" "torchmetrics==$torchmetrics"
"$folder/bin/bleuprint" --version
# Two compare with the one release of sacreBLEU that signatures name. The matrix tries the same again.
"$folder/bin/python" -m pytest -q -m "not extended" -k "not signature_of_sacrebleus and not sign_as_sacrebleu_does" \
    $(printf 'tests/%s.py ' $tests)
