#include "advisor/machine/idle_words.h"

#include <fmt/format.h>

#include "advisor/candidate/accelerator.h"
#include "advisor/candidate/gpu_preprocessing.h"
#include "advisor/query/query.h"
#include "kernels/work.h"
#include "models/laws/framework_habits.h"

namespace rightsize {
namespace {

// Why nothing is exchanged, and nothing kept for a backward pass; "" where something is.
std::string why_nothing_learns(const Configuration& asked) {
  return asked.machine.gpu.empty()    ? "it is of GPUs, and the machine has none"
         : !has_backward(asked.phase) ? "it is of training"
                                      : "";
}

// Why no GPU decodes; "" where one can.
std::string why_no_gpu_decodes(const Configuration& asked) {
  return asked.machine.gpu.empty() ? "the machine has no GPU"
         : !gpu_preprocesses(asked.data)
             ? fmt::format("{} data bring a GPU nothing to decode", to_string(asked.data))
             : "";
}

}  // namespace

std::string why_not_on_cpus(const Configuration& asked) {
  if (asked.precision == Precision::fp8) {
    return std::string(fp8_needs_gpu);
  }
  if (!asked.writing.as_usual()) {
    return std::string(cpu_writes_as_usual);
  }
  if (!trains_as_usual(asked)) {
    return gpus_train_so_alone(asked);
  }
  if (asked.gpus_per_copy() > 1) {
    return "the machine has no GPUs to share the layers: leave tensor_parallel, pipeline_parallel "
           "and context_parallel out, or name a GPU";
  }
  // Of the engines it alone is known to write on CPUs too (writing_seconds).
  if (is_engine(asked.framework) && asked.framework != ctranslate2) {
    return fmt::format(
        "the machine has no GPU, and {} is known on GPUs alone: name another "
        "framework, or a GPU",
        asked.framework);
  }
  return "";
}

std::vector<std::string> idle_words(const Configuration& asked, const Network& network) {
  std::vector<std::string> sentences;
  const auto add = [&](bool said, const std::string& what, const std::string& why) {
    if (said && !why.empty()) {
      sentences.push_back(fmt::format("{} changes nothing here: {}", what, why));
    }
  };
  const auto why = why_nothing_learns(asked);
  add(asked.exchange.has_value(),
      fmt::format("exchange {}", to_string(asked.exchange.value_or(Exchange::nccl))),
      why);
  add(asked.compression != Compression::none, "compression of gradients", why);
  add(asked.recompute == true, "recompute", why);
  add(asked.preprocess_on == PreprocessChoice::gpu, "preprocess_on gpu", why_no_gpu_decodes(asked));
  if (asked.machine.gpu.empty()) {
    for (const auto& own : asked.measured) {
      add(true, fmt::format("what was measured on {}", own.gpu), "the machine has no GPU");
    }
  }
  const bool read = asked.data != DataFormat::synthetic && asked.data != DataFormat::tokens;
  add(makes_pictures(network) && read,
      fmt::format("data {}", to_string(asked.data)),
      "a prompt is a line of text, whatever it is read from");
  return sentences;
}

}  // namespace rightsize
