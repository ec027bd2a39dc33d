#include "models/laws/table_exchange.h"

#include "models/laws/expert_exchange.h"

namespace rightsize {

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
