#!/bin/sh
# Build the kernel for browsers: build_wasm.sh PYTHON FILE. PYTHON has ziglang, which brings a compiler and a C++ library.
# The same sources and compiler give the same bytes.
set -eu
python=$1
file=$2
echo "Building $file ..."
$python -m ziglang c++ -target wasm32-wasi -mexec-model=reactor -std=c++20 -O3 -msimd128 -fexceptions -fno-builtin-log -fno-builtin-exp -Wall -Wextra -Wno-for-loop-analysis \
    -Wl,--strip-all kernel/browser/border.cpp -o "$file.new"
chmod 644 "$file.new"
mv "$file.new" "$file"
