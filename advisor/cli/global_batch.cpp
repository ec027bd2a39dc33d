#include "advisor/cli/global_batch.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "advisor/query/query.h"

namespace rightsize::cli {
namespace {

// Of an update of all GPUs what one of them is given at once; where several share a copy, and may
// have less than an item each, what the copy is.
void divide_batch(int items, Configuration& asked) {
  const int gpus = std::max(1, asked.machine.gpus());
  const int sharing = asked.tensor_parallel * asked.pipeline_parallel;
  const auto parts = std::int64_t{gpus} / sharing * asked.accumulate;
  if (gpus % sharing != 0) {
    return;  // refused by who knows the network
  }
  if (items < parts || items % parts != 0) {
    throw UsageError(fmt::format(
        "--global-batch {}: expected a multiple of the {} {}{}, as each takes the same share",
        items,
        gpus / sharing,
        sharing > 1 ? fmt::format("copies, each shared by {} GPUs", sharing) : "GPUs",
        asked.accumulate > 1 ? fmt::format(" times {} accumulated minibatches", asked.accumulate)
                             : ""));
  }
  const auto each = static_cast<int>(items / parts);
  asked.copy_batch = sharing > 1 ? each : 0;
  asked.batch = std::max(1, each / sharing);
}

}  // namespace

void read_global_batch(const Values& values, Configuration& asked) {
  if (values.count("global-batch") == 0) {
    return;
  }
  if (values.count("batch") > 0 && !values["batch"].defaulted()) {
    throw UsageError("--batch is of each GPU and --global-batch of all of them together: give one");
  }
  divide_batch(values["global-batch"].as<int>(), asked);
}

}  // namespace rightsize::cli
