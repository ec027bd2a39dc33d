// Machines priced by their parts, as a table says: what a vCPU, a GiB and a GPU cost, and how many
// of each one machine may have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/offer.h"

namespace rightsize {

// So many GPUs, and the most vCPUs a machine with them may have.
struct GpuCount {
  std::int64_t gpus = 0;
  std::int64_t max_vcpus = 0;
};

// price = vCPUs x per_vcpu + GiB x per_gib + GPUs x per_gpu.
struct CustomFamily {
  std::string provider;
  std::string name;  // "custom" of "custom-8-16384"
  std::string region;
  Market market = Market::on_demand;
  Money per_vcpu;
  Money per_gib;
  double min_gib_per_vcpu = 0;
  double max_gib_per_vcpu = 0;
  std::int64_t max_vcpus = 0;
  std::string cpu;  // "Skylake"; empty where the table names none
  std::string gpu;  // empty: machines without
  std::optional<double> gpu_memory_gib;
  std::vector<GpuCount> gpu_counts;
  Money per_gpu;
  std::string book;
  std::string as_of;
  std::string source;
  std::string table;  // the file it stands in
  int line = 0;
};

// Whether a file that begins with `head` prices machines by their parts, not by the machine.
[[nodiscard]] bool is_custom_table(std::string_view head);

// One family for every row and market that the row has prices for. The columns are explained in
// README.md. Throws PricingError naming file, line and field; a row without any price, and a table
// without rows, are mistakes too.
[[nodiscard]] std::vector<CustomFamily> parse_custom_families(std::string_view csv,
                                                              std::string_view table);
// Of its columns those that are not read and may have been meant to be (offer_columns.h), a
// sentence each.
[[nodiscard]] std::vector<std::string> unread_custom_columns(std::string_view csv,
                                                             std::string_view table);
// The families this binary ships (tables/custom.csv).
[[nodiscard]] std::vector<CustomFamily> shipped_custom_families();

}  // namespace rightsize
