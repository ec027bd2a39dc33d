#include "advisor/full_name.h"

#include <fmt/format.h>

#include "advisor/candidate/training_way.h"

namespace rightsize {

std::string_view market_label(Market market) {
  switch (market) {
    case Market::on_demand:
      return "";
    case Market::spot:
      return "[Spot]";
    case Market::reserved_1y:
      return "[1y]";
    case Market::reserved_3y:
      return "[3y]";
  }
  return "";
}

std::string with_market(std::string_view name, Market market) {
  const auto label = market_label(market);
  return std::string(name) + (label.empty() ? "" : " ") + std::string(label);
}

namespace {

// With the CPU where the price table names one: it may sell two machines of one name.
template <typename Sold>
std::string name_and_market(const Sold& sold) {
  return with_market(sold.provider + "/" + sold.instance + (sold.cpu.empty() ? "" : "@" + sold.cpu),
                     sold.market);
}

}  // namespace

std::string full_name(const Option& option) {
  return name_and_market(option);
}

std::string full_name(const Offer& offer) {
  return name_and_market(offer);
}

std::string batch_owner(const Option& option, Phase phase) {
  return option.gpu.empty() ? "machine"
         : phase == Phase::decode && option.tensor_parallel > 1
             ? fmt::format("copy of {} GPUs", option.tensor_parallel)
             : "GPU";
}

std::string split_words(const Option& option) {
  MemoryWay way;
  way.recompute = option.recompute;
  if (option.micro_batch > 0) {
    way.parallel = {.tensor = option.tensor_parallel,
                    .pipeline = option.pipeline_parallel,
                    .micro_batch = option.micro_batch,
                    .experts = option.expert_parallel,
                    .context = option.context_parallel,
                    .chunks = option.virtual_pipeline};
  } else if (option.sharded) {
    way.shards = static_cast<int>(option.gpus) * option.nodes;
    way.gathered_experts = option.expert_parallel;
  }
  return words_of(way);
}

}  // namespace rightsize
