#!/usr/bin/env bash
# Builds every fuzzer and gives it its corpus and a few thousand hostile inputs, so that none is found
# unable to link on the day it is wanted. usage: smoke.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
skipped=77  # SKIP_RETURN_CODE
command -v clang++ >/dev/null || { echo "skipped: clang is not installed (./dev fuzz installs it)"; exit $skipped; }
source_dir=$1 build_dir=$2
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -S "$source_dir/tests/fuzz" -B "$build_dir" -G Ninja -DCMAKE_CXX_COMPILER=clang++ ${launcher[@]+"${launcher[@]}"} >/dev/null
cmake --build "$build_dir" | tail -n 20
for name in csv prices record query request; do
  echo "fuzz_$name"
  mkdir -p "$build_dir/found/$name"  # what it finds goes there, not into the committed corpus
  "$build_dir/fuzz_$name" -runs=3000 -seed=1 -max_len=4096 -timeout=20 -verbosity=0 \
    -artifact_prefix="$build_dir/" "$build_dir/found/$name" "$source_dir/tests/fuzz/corpus/$name"
done
