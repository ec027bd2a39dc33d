#include "pricing/cpu_check.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "pricing/import/figures.h"

namespace rightsize {

void check_cpus(std::span<const Offer> offers,
                const CpuDoubt& doubt,
                std::vector<PriceIssue>& issues) {
  std::set<std::string> named;
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& offer : offers) {
    if (offer.cpu.empty() || !seen.emplace(offer.cpu, offer.arch).second) {
      continue;
    }
    if (auto words = doubt(offer.cpu); !words.empty() && named.insert(offer.cpu).second) {
      issues.push_back({offer.table, offer.line, "Cpu", std::move(words)});
    }
    if (offer.arch == "x86_64" && is_arm_cpu(offer.cpu)) {
      issues.push_back({offer.table,
                        offer.line,
                        "Arch",
                        fmt::format("x86_64, but {} is a CPU of arm64: mend one", offer.cpu)});
    }
  }
}

}  // namespace rightsize
