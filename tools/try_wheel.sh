#!/bin/sh
# Build a wheel into dist/, and try it in a fresh virtual environment outside the tree. Called by `make wheel`.
set -eu
python=$1
command -v c++ >/dev/null || { echo "make wheel needs a C++20 compiler. On Debian: apt-get install g++" >&2; exit 2; }
rm -rf dist
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
wheel=$(ls "$PWD"/dist/*.whl)
echo "built: dist/${wheel##*/}"
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
case $version in
    *"engine: native"*) ;;
    *) echo "The wheel has no working kernel: the build fell back to pure Python. Run pip wheel with -v to see why." >&2; exit 1 ;;
esac
venv/bin/bleuprint selftest
printf 'the cat is on the mat\n' > reference.txt
printf 'the cat is on mat\n' > candidate.txt
venv/bin/bleuprint score candidate.txt reference.txt
