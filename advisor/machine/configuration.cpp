#include "advisor/machine/configuration.h"

#include "advisor/query/query.h"
#include "kernels/networks/recommendation/recommendation.h"

namespace rightsize {

Configuration configuration_of(const Query& query) {
  Configuration asked;
  static_cast<NetworkStep&>(asked) = query;
  asked.of_job = true;
  asked.precision_said = query.precision_said;
  asked.batches = query.batches;
  asked.measured = query.measured;
  asked.machine.interconnect = query.network_between;
  asked.data = query.format;
  asked.items = query.items;
  asked.bytes = query.dataset_bytes;
  asked.writes = query.writes;
  asked.shuffle = query.shuffle;
  asked.preprocess_on = query.preprocess_on;
  asked.loader = query.loader;
  if (!query.serves()) {  // which have none
    asked.epochs = query.epochs;
  }
  asked.service = query.service;
  asked.tokens = query.tokens;
  asked.confidence = query.confidence;
  asked.objective = query.objective;
  return asked;
}

std::optional<DataSize> usual_samples(const std::string& network) {
  const auto* const known = recommendation_network(network);
  return known == nullptr
             ? std::nullopt
             : std::optional(
                   DataSize{known->samples, known->samples * sample_bytes(make_network(network))});
}

}  // namespace rightsize
