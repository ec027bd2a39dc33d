#include "models/laws/table_exchange.h"

#include <cstddef>

#include "models/laws/expert_exchange.h"

namespace rightsize {

double fullest_share(const Network& network, int ranks) {
  std::size_t tables = 0;
  for (const auto& layer : network.layers) {
    tables += layer.updates_rows() ? layer.tables.size() : 0;
  }
  const auto shared = static_cast<std::size_t>(ranks);
  if (ranks <= 1 || tables < shared) {
    return 1;
  }
  const auto most = (tables + shared - 1) / shared;
  return static_cast<double>(most * shared) / static_cast<double>(tables);
}

double table_exchange_seconds(const ExchangeLaw& law,
                              const Cluster& cluster,
                              double items,
                              double elements,
                              double bytes_per_element,
                              bool learns) {
  if (cluster.ranks() <= 1 || elements <= 0) {
    return 0;
  }
  const double bytes = items * elements * bytes_per_element;
  const double once = all_to_all_seconds(law, cluster, cluster.ranks(), bytes) + law.launch_s;
  return (learns ? 2 : 1) * once;
}

}  // namespace rightsize
