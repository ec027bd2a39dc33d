#!/usr/bin/env bash
# On a machine with a GPU and the carried build: tests the GPU engine, profiles both networks over
# batches and precisions, and lets PyTorch do the same beside it.
#   tests/kernels/gpu/run_on_device.sh [build folder, default build]
# Writes to $OUT (default ./out): tests.log, records.jsonl, torch.jsonl, machine.txt
# Carry build/bin/{rightsize,librightsize_gpu.so,kernels_gpu_test}; what the GPU machine lacks of
# their libraries (libdnnl.so.2, libOpenCL.so.1, libgomp.so.1) is looked for in build/bin/carried.
# BATCHES, PRECISIONS, PHASES, NETWORKS (words separated by blanks) and SECONDS_PER_RUN narrow it.
set -uo pipefail
build=${1:-build}  # relative to the repository
out=${OUT:-out}
batches=${BATCHES:-"32 64 128 256"}
precisions=${PRECISIONS:-"fp32 tf32 fp16 bf16"}
phases=${PHASES:-"train infer"}
networks=${NETWORKS:-"resnet50 alexnet"}
seconds=${SECONDS_PER_RUN:-3}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
failures=0

# pip keeps NVIDIA's libraries in packages of their own: cuDNN in nvidia.cudnn, cuBLAS in nvidia.cu13.
pip_folders() {
  python3 - <<'PY'
import importlib.util, pathlib
for name in ("nvidia.cudnn", "nvidia.cu13", "nvidia.cublas"):
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        continue
    for folder in spec.submodule_search_locations if spec else ():
        if (pathlib.Path(folder) / "lib").is_dir():
            print(pathlib.Path(folder) / "lib")
PY
}
for folder in "$PWD/$build/bin/carried" $(pip_folders) /usr/local/cuda/lib64; do
  export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder"
done
echo "LD_LIBRARY_PATH=$LD_LIBRARY_PATH"

{
  nvidia-smi
  python3 -c 'import torch; print("torch", torch.__version__, torch.backends.cudnn.version())'
  ldd "$build/bin/librightsize_gpu.so"
  "$build/bin/rightsize" doctor
} >"$out/machine.txt" 2>&1

# The loader's refusals need libraries of the build tree and no GPU: they are tested at home.
echo "== kernels_gpu_test"
"$build/bin/kernels_gpu_test" \
  -tc="gpu reference*,gpu sequences*,gpu phases*,gpu training*,gpu memory*,gpu engine*,gpu loader: this machine*" 2>&1 |
  tee "$out/tests.log" | tail -40
[ "${PIPESTATUS[0]}" -eq 0 ] || failures=$((failures + 1))
if grep -q "skipped:" "$out/tests.log"; then
  echo "error: tests were skipped on a machine that should have a GPU; see $out/tests.log" >&2
  failures=$((failures + 1))
fi

: >"$out/records.jsonl"
: >"$out/torch.jsonl"
for network in $networks; do
  for phase in $phases; do
    for precision in $precisions; do
      echo "== $network $phase $precision"
      "$build/bin/rightsize" profile --engine gpu --data synthetic --no-throttle --fresh \
        --network "$network" --phase "$phase" --precision "$precision" --batch "${batches// /,}" \
        --seconds "$seconds" --db "$out/store" --progress plain -o jsonl >>"$out/records.jsonl" ||
        failures=$((failures + 1))
      # shellcheck disable=SC2086  # the batches are words
      python3 "$here/torch_peer.py" --network "$network" --phase "$phase" \
        --precision "$precision" --seconds "$seconds" $batches >>"$out/torch.jsonl" ||
        failures=$((failures + 1))
    done
  done
done
echo "$failures failures; results in $out"
[ "$failures" -eq 0 ]
