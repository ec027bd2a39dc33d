#include "advisor/cli/global_batch.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "advisor/cli/flag_word.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/tuning_words.h"
#include "advisor/query/usage_error.h"

namespace rightsize::cli {
namespace {

std::string multiple_of(int items, std::int64_t parts, const std::string& what) {
  return items >= parts && items % parts == 0
             ? ""
             : fmt::format(
                   "--global-batch {}: expected a multiple of the {}, as each takes the same "
                   "share",
                   items,
                   what);
}

void refuse(const std::string& why) {
  if (!why.empty()) {
    throw UsageError(why);
  }
}

// So many minibatches of what is said to go through at once.
void accumulate_batch(int items, bool accumulate_said, Configuration& asked) {
  const std::int64_t gpus = std::max(1, asked.machine.gpus());
  const auto at_once = gpus * *asked.batch;
  refuse(multiple_of(
      items, at_once, fmt::format("{} items that {} GPUs take at once", at_once, gpus)));
  const auto passes = static_cast<int>(items / at_once);
  if (passes > most_accumulated) {
    throw UsageError(fmt::format("--global-batch {}: {} minibatches an update, of at most {}",
                                 items,
                                 passes,
                                 most_accumulated));
  }
  if (accumulate_said && passes != asked.accumulate) {
    throw UsageError(fmt::format(
        "--global-batch {}: {} at once by --batch are {} minibatches an update, and accumulate is "
        "{}: leave one of the three out, or say --accumulate {}",
        items,
        at_once,
        passes,
        asked.accumulate,
        passes));
  }
  asked.accumulate = passes;
}

// Of an update of all GPUs what one of them is given at once; where several share a copy, and may
// have less than an item each, what the copy is.
void divide_batch(int items, Configuration& asked) {
  const int gpus = std::max(1, asked.machine.gpus());
  const int sharing = asked.gpus_per_copy();
  const auto parts = std::int64_t{gpus} / sharing * asked.accumulate;
  if (gpus % sharing != 0) {
    throw UsageError(fmt::format(
        "--global-batch {}: {} GPUs are no whole number of copies that {} share (tensor_parallel "
        "times pipeline_parallel times context_parallel)",
        items,
        gpus,
        sharing));
  }
  refuse(multiple_of(
      items,
      parts,
      fmt::format("{} {}{}",
                  gpus / sharing,
                  sharing > 1 ? fmt::format("copies, each shared by {} GPUs", sharing) : "GPUs",
                  asked.accumulate > 1
                      ? fmt::format(" times {} accumulated minibatches", asked.accumulate)
                      : "")));
  const auto each = static_cast<int>(items / parts);
  asked.copy_batch = sharing > 1 ? each : 0;
  asked.batch = std::max(1, each / sharing);
}

// GPUs that have a copy each take what fits at once of the nearest equal shares, and the rest one
// minibatch after another: as [job] global_batch has it.
bool is_worked_out(const Configuration& asked) {
  return !asked.machine.gpu.empty() && asked.gpus_per_copy() == 1 && asked.accumulate == 1;
}

}  // namespace

void read_batch(const Values& values, Configuration& asked) {
  const int batch = values["batch"].as<int>();
  if (asked.tokens) {
    throw UsageError(
        "--batch: as many sequences are in flight as come and fit; leave it out, or change qps "
        "in the job file");
  }
  if (!is_batch(batch)) {
    throw UsageError(fmt::format("--batch {}: expected {}", batch, batch_grammar));
  }
  asked.batch = batch;
}

void read_global_batch(const Values& values, Configuration& asked) {
  if (values.count("global-batch") == 0) {
    return;
  }
  if (!has_backward(asked.phase)) {
    throw UsageError(fmt::format(
        "--global-batch: expected phase train, whose updates take so many; {} has --batch",
        to_string(asked.phase)));
  }
  const int items = values["global-batch"].as<int>();
  asked.global_batch = 0;  // the job's, which this is in place of
  if (!given(values, "batch")) {
    if (is_worked_out(asked)) {
      asked.batch.reset();
      asked.global_batch = items;
    } else {
      divide_batch(items, asked);
    }
  } else if (asked.gpus_per_copy() > 1) {
    throw UsageError(
        "--global-batch is of all GPUs together, and where several share a copy --batch "
        "is each one's part of it: give one");
  } else {
    accumulate_batch(items, given(values, "accumulate") || asked.accumulate > 1, asked);
  }
}

}  // namespace rightsize::cli
