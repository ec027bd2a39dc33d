#include "advisor/export/weights_disk.h"

#include <cmath>

#include "advisor/candidate/network_facts.h"
#include "advisor/candidate/system_disk.h"
#include "advisor/export/server_command.h"
#include "kernels/gibibyte.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

// A server that is told to narrow the weights fetches them wide.
double fetched_by_server(const Recommendation& answer, const Option& option) {
  const auto& server = option.tokens->server;
  const auto command = server_command(answer, option);
  if (!command || !command->narrows) {
    return server.weight_bytes;
  }
  const auto network = make_network(answer.query.network, answer.query.sequence);
  return static_cast<double>(parameter_count(network)) * bytes_per_element(server.precision);
}

double fetched_bytes(const Recommendation& answer, const Option& option) {
  const auto& query = answer.query;
  if (option.tokens) {
    return fetched_by_server(answer, option);
  }
  const bool infers =
      query.phase != Phase::preprocess && !has_backward(query.phase) && !query.serves();
  // A disk for data was sized with them (DiskChoices).
  if (!infers || option.disk_gib > 0 || query.format != DataFormat::synthetic) {
    return 0;
  }
  return model_files(NetworkFacts(query.network, query.sequence), query).weights_bytes;
}

}  // namespace

std::int64_t weights_disk_gib(const Recommendation& answer, const Option& option) {
  const double bytes = fetched_bytes(answer, option);
  return bytes > 0 ? system_disk_gib + static_cast<std::int64_t>(std::ceil(bytes / bytes_per_gib))
                   : 0;
}

}  // namespace rightsize
