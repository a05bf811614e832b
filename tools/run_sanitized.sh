#!/bin/sh
# Build the extension with AddressSanitizer and UndefinedBehaviorSanitizer into build/sanitize, and run the tests of the
# engines under it. Called by `make sanitize` with the Python whose packages the tests use.
set -eu
python=$1
shift
folder=$PWD/build/sanitize

for tool in cmake g++; do
    command -v $tool >/dev/null || { echo "make sanitize needs $tool. On Debian: apt-get install $tool" >&2; exit 2; }
done
asan=$(g++ -print-file-name=libasan.so)
[ -f "$asan" ] || { echo "make sanitize needs GCC's AddressSanitizer, and this g++ has none (libasan.so)." >&2; exit 2; }
nanobind=$("$python" -m nanobind --cmake_dir) || { echo "make sanitize needs nanobind in the virtual environment." >&2; exit 2; }

cmake -S . -B "$folder/cmake" -DBLEUPRINT_SANITIZE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=g++ \
    -DPython_EXECUTABLE="$python" -Dnanobind_DIR="$nanobind" >/dev/null
cmake --build "$folder/cmake" --parallel 2

# A Python that finds this build first, then the packages of the tests, and nothing of the editable installation.
rm -rf "$folder/package" "$folder/venv"
mkdir -p "$folder/package"
cp -r src/bleuprint "$folder/package/"
cmake --install "$folder/cmake" --prefix "$folder/package" >/dev/null
"$python" -m venv --without-pip "$folder/venv"
sanitized=$folder/venv/bin/python
packages='import sysconfig; print(sysconfig.get_path("purelib"))'
printf '%s\n' "$folder/package" "$("$python" -c "$packages")" > "$("$sanitized" -c "$packages")/sanitize.pth"

# libstdc++ as well: the sanitizer must find its exceptions before the first one is thrown.
export LD_PRELOAD="$asan $(g++ -print-file-name=libstdc++.so)"
# PYTHONMALLOC: every string in memory of its own, so that a read beyond its end is seen.
export PYTHONMALLOC=malloc
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
"$sanitized" - "$folder" <<'CHECK'
import sys
from bleuprint import _kernel
assert _kernel.__file__.startswith(sys.argv[1]), _kernel.__file__
assert b"__asan_report" in open(_kernel.__file__, "rb").read(), "this build is not sanitized"
print("sanitized:", _kernel.__file__)
CHECK
# AddressSanitizer's own locks do not survive a fork beside other threads.
forking="tests/engines/test_engines.py::test_the_kernel_works_in_processes_made_after_and_while_counting[fork]"
"$sanitized" -m pytest -q -p no:cacheprovider --deselect "$forking" "$@"
