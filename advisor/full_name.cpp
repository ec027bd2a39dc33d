#include "advisor/full_name.h"

#include <fmt/format.h>

#include "advisor/candidate/training_way.h"
#include "pricing/monthly.h"

namespace rightsize {

std::string_view market_label(Market market, bool by_month) {
  switch (market) {
    case Market::on_demand:
      return by_month ? "[month]" : "";
    case Market::spot:
      return "[Spot]";
    case Market::reserved_1y:
      return "[1y]";
    case Market::reserved_3y:
      return "[3y]";
  }
  return "";
}

std::string with_market(std::string_view name, Market market, bool by_month) {
  const auto label = market_label(market, by_month);
  return std::string(name) + (label.empty() ? "" : " ") + std::string(label);
}

std::string with_market(std::string_view name, const Option& option) {
  return with_market(name, option.market, option.price_per_month.has_value());
}

std::string with_cpu(std::string_view name, std::string_view cpu) {
  return std::string(name) + (cpu.empty() ? "" : "@") + std::string(cpu);
}

std::string full_name(const Option& option) {
  return with_market(option.provider + "/" + with_cpu(option.instance, option.cpu), option);
}

std::string full_name(const Offer& offer) {
  return with_market(
      offer.provider + "/" + with_cpu(offer.instance, offer.cpu), offer.market, is_monthly(offer));
}

std::string batch_owner(const Option& option, Phase phase) {
  return option.gpu.empty() ? "machine"
         : phase == Phase::decode && option.tensor_parallel > 1
             ? fmt::format("copy of {} GPUs", option.tensor_parallel)
             : "GPU";
}

std::string split_words(const Option& option) {
  if (option.attention == AttentionSharing::by_sequences) {
    return fmt::format("{} GPUs share a copy's experts, each with sequences of its own",
                       option.tensor_parallel);
  }
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
