// What the reader of job files asks of the rest of the house, cut short: here no network is known,
// so the fuzzer needs neither the networks nor the laws, and every name takes the way of a mistyped
// one.
#include <string>

#include "advisor/accelerator.h"
#include "kernels/engine.h"
#include "kernels/work.h"
#include "models/predict.h"

namespace rightsize {

Network make_network(std::string_view name, int /*sequence*/) {
  throw EngineError("no network is known here: " + std::string(name));
}

bool can_generate(const Network& network) {
  return !network.layers.empty();
}

int bytes_per_element(Precision precision) {
  return precision == Precision::fp16 || precision == Precision::bf16 ? 2 : 4;
}

double preprocessed_bytes(DataFormat /*output*/, double read_bytes) {
  return read_bytes;
}

}  // namespace rightsize
