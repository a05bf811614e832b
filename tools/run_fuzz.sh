#!/bin/sh
# Build the fuzz target with clang's libFuzzer and the sanitizers, and run it for so many seconds. Called by `make fuzz`.
set -eu
seconds=$1
folder=build/fuzz
command -v clang++ >/dev/null || { echo "make fuzz needs clang++ with libFuzzer. On Debian: apt-get install clang" >&2; exit 2; }
mkdir -p $folder/corpus
clang++ -std=c++20 -O1 -g -ffp-contract=off -pthread -fsanitize=fuzzer,address,undefined \
    -fno-sanitize-recover=undefined kernel/fuzz/fuzz_kernel.cpp -o $folder/fuzz_kernel ||
    { echo "make fuzz needs clang's libFuzzer and sanitizers. On Debian: apt-get install clang libclang-rt-dev" >&2; exit 2; }
$folder/fuzz_kernel -max_total_time="$seconds" -dict=kernel/fuzz/words.dict -max_len=300 -artifact_prefix=$folder/ \
    -print_final_stats=1 $folder/corpus
