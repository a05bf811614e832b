#!/bin/sh
# Try a wheel in a fresh virtual environment outside the tree: try_wheel.sh PYTHON [WHEEL]. Without one it is built into dist/.
set -eu
python=$1
wheel=${2:-}
if [ -z "$wheel" ]; then
    command -v c++ >/dev/null || { echo "make wheel needs a C++20 compiler. On Debian: apt-get install g++" >&2; exit 2; }
    rm -rf dist
    "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
    wheel=$(ls "$PWD"/dist/*.whl)
    echo "built: dist/${wheel##*/}"
fi
for notice in LICENSE kernel/licences/nanobind.txt kernel/licences/robin_map.txt; do
    "$python" -m zipfile -l "$wheel" | grep -q "dist-info/licenses/$notice " || { echo "The wheel lacks $notice." >&2; exit 1; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv "$folder/venv"
cd "$folder"
unset BLEUPRINT_ENGINE PYTHONPATH
venv/bin/python -m pip install --quiet --disable-pip-version-check "$wheel"
version=$(venv/bin/bleuprint --version)
echo "$version"
case $wheel in
    *-none-any.whl) expected="engine: python" ;;
    *) expected="engine: native" ;;
esac
case $version in
    *"$expected"*) ;;
    *) echo "Expected $expected. Without a kernel the build fell back to pure Python: pip wheel with -v says why." >&2; exit 1 ;;
esac
venv/bin/bleuprint selftest
printf 'the cat is on the mat\n' > reference.txt
printf 'the cat is on mat\n' > candidate.txt
venv/bin/bleuprint score candidate.txt reference.txt
