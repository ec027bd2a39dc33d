#include "models/measured_gpu_rates.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "models/laws/gpu_name.h"

namespace rightsize {
namespace {

// Whether the vCPUs it had, not the GPU, may have said how fast it went.
bool bound_by_cpus(const Record& record) {
  return record.limits.cpus > 0 &&
         (record.throttled_share > 0.01 || record.achieved_cpus > 0.9 * record.limits.cpus);
}

bool is_gpu_run(const Record& record) {
  const auto& work = record.workload;
  return work.engine == EngineKind::gpu && work.data == DataFormat::synthetic &&
         is_usable(record) && !record.hold_out && !record.machine.gpus.empty();
}

// Of one whole GPU: ranks exchange what they found, a share of a GPU is another GPU.
bool tells_whole_gpu(const Record& record) {
  return record.workload.ranks == 1 && record.limits.gpu_share == 0 && !bound_by_cpus(record);
}

bool is_same_work(const MeasuredRate& a, const MeasuredRate& b) {
  return std::tie(a.network, a.phase, a.precision, a.gpu, a.batch, a.sequence, a.prompt) ==
         std::tie(b.network, b.phase, b.precision, b.gpu, b.batch, b.sequence, b.prompt);
}

MeasuredRate rate_of(const Record& record) {
  const auto& work = record.workload;
  return {work.network,
          work.phase,
          work.precision,
          canonical_gpu_name(record.machine.gpus.front().name),
          work.batch,
          record.throughput.median,
          work.sequence,
          work.prompt};
}

}  // namespace

std::vector<MeasuredRate> gpu_rates_of(std::span<const Record> records,
                                       std::vector<std::string>& warnings) {
  std::vector<MeasuredRate> rates;
  std::vector<std::pair<double, int>> logs;  // the sum of each rate's, and how many
  int left_out = 0;
  for (const auto& record : records) {
    if (!is_gpu_run(record)) {
      continue;
    }
    if (!tells_whole_gpu(record)) {
      ++left_out;
      continue;
    }
    const auto rate = rate_of(record);
    const auto known = std::find_if(rates.begin(), rates.end(), [&](const MeasuredRate& other) {
      return is_same_work(rate, other);
    });
    const auto at = static_cast<std::size_t>(known - rates.begin());
    if (known == rates.end()) {
      rates.push_back(rate);
      logs.emplace_back(0, 0);
    }
    logs[at].first += std::log(rate.items_per_s);
    ++logs[at].second;
    rates[at].items_per_s = std::exp(logs[at].first / logs[at].second);
  }
  if (left_out > 0) {
    warnings.push_back(fmt::format(
        "{} runs on GPUs are no rate of one whole GPU: several ranks, a share of it, or too few "
        "vCPUs",
        left_out));
  }
  return rates;
}

}  // namespace rightsize
