#include "advisor/tokens/token_way_out.h"

#include <fmt/format.h>

#include "advisor/tokens/token_answer.h"
#include "advisor/tokens/weights_taken.h"
#include "models/laws/gpu_name.h"
#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

bool writes_in_time(const GpuRates& rates, const Configuration& asked) {
  const auto answer = answer_tokens(rates, asked);
  return answer.reason.empty() && any_number_writes(answer.fleet);
}

// The first of the narrower forms that does.
void add_weights(const GpuRates& rates, Configuration asked, std::vector<std::string>& ways) {
  const auto published = published_format(asked.network);
  const auto bytes = [&] {
    return weight_bytes(decode_form(*asked.tokens, published, asked.precision));
  };
  const double stated = bytes();
  for (const auto format : {WeightFormat::fp8, WeightFormat::int4}) {
    asked.tokens->weights = format;
    if (bytes() < stated && writes_in_time(rates, asked)) {
      ways.push_back(fmt::format("weights = \"{}\" under [job]", to_string(format)));
      return;
    }
  }
}

// That clouds sell: 16 K80 (p2.16xlarge), V100 (HGX-2) or A100 of 40 GB (a2-megagpu-16g), 8 of
// others.
int most_in_a_machine(const std::string& gpu) {
  return gpu == "K80" || gpu == "V100" || gpu == "A100" ? 16 : 8;
}

// As few as do.
void add_more_gpus(const GpuRates& rates,
                   Configuration asked,
                   std::string_view flag,
                   std::vector<std::string>& ways) {
  auto& machine = asked.machine;
  machine.interconnect = {};  // what is named says nothing of links
  const auto memory = machine.gpu_memory_gib && !memory_in_gpu_name(machine.gpu)
                          ? fmt::format("-{:g}GB", *machine.gpu_memory_gib)
                          : "";
  const int stated = machine.gpus_per_node;
  const int most = most_in_a_machine(machine.gpu);
  for (int gpus = 2; gpus <= most; gpus *= 2) {
    machine.gpus_per_node = gpus;
    if (gpus > stated && writes_in_time(rates, asked)) {
      ways.push_back(fmt::format("{}{}{}:{}", flag, machine.gpu, memory, gpus));
      return;
    }
  }
}

// Of the GPUs of its maker that are sold in shapes of today the one with the least memory that
// does.
void add_larger_gpu(const GpuRates& rates,
                    Configuration asked,
                    std::string_view flag,
                    std::vector<std::string>& ways) {
  auto& machine = asked.machine;
  const auto stated = *rates.find(machine.gpu);
  machine.gpu_memory_gib.reset();
  machine.interconnect = {};
  const GpuSpec* least = nullptr;
  for (const auto& gpu : rates.gpus()) {
    const bool smaller = least != nullptr && gpu.memory_gb >= least->memory_gb;
    machine.gpu = gpu.name;
    if (gpu.memory_gb > stated.memory_gb && of_one_maker(gpu, stated) && is_ampere_or_later(gpu) &&
        !smaller && writes_in_time(rates, asked)) {
      least = &gpu;
    }
  }
  if (least != nullptr) {
    const auto count = machine.gpus_per_node > 1 ? fmt::format(":{}", machine.gpus_per_node) : "";
    ways.push_back(fmt::format("{}{}{}", flag, least->name, count));
  }
}

}  // namespace

std::vector<std::string> token_ways_out(const GpuRates& rates,
                                        const Configuration& asked,
                                        std::string_view flag) {
  std::vector<std::string> ways;
  if (rates.find(asked.machine.gpu) != nullptr) {
    add_weights(rates, asked, ways);
    add_more_gpus(rates, asked, flag, ways);
    add_larger_gpu(rates, asked, flag, ways);
  }
  return ways;
}

}  // namespace rightsize
