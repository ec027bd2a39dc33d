#include "advisor/shell/settings_in_force.h"

#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/toml_fields.h"

namespace rightsize::shell {
namespace {

using Q = const Query&;

std::string limit(std::optional<double> value) {
  return value ? fmt::format("{:g}", *value) : "";
}

std::string milliseconds(double seconds) {
  return std::isfinite(seconds) ? fmt::format("{:g}ms", 1e3 * seconds) : "";
}

std::string markets(Q query) {
  std::vector<std::string_view> words;
  for (const auto market : query.markets) {
    words.push_back(to_string(market));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string requests(Q query) {
  return query.service  ? fmt::format("{:g}", query.service->requests_per_s)
         : query.tokens ? fmt::format("{:g}", query.tokens->sequences_per_s)
                        : "";
}

// A minibatch is no setting of what comes token by token, nor of pictures that are only converted.
std::string batches(Q query) {
  const bool taken = !query.tokens && query.phase != Phase::preprocess;
  return taken ? fmt::format("{}", fmt::join(query.batches, " ")) : "";
}

struct Setting {
  std::string_view key;
  std::string_view stated_as;     // in a job file
  std::string (*value)(Q query);  // "": nobody says
};

constexpr std::array settings{
    Setting{"deadline",
            "constraints.deadline",
            [](Q q) { return q.deadline_s ? fmt::format("{:g}h", *q.deadline_s / 3600) : ""; }},
    Setting{
        "budget", "constraints.budget", [](Q q) { return q.budget ? q.budget->decimal() : ""; }},
    Setting{"objective", "constraints.objective", [](Q q) { return to_string(q.objective); }},
    Setting{"confidence",
            "constraints.confidence",
            [](Q q) { return fmt::format("{:g}", q.confidence); }},
    Setting{"qps", "service.qps", requests},
    Setting{"slo",
            "service.p99",
            [](Q q) { return q.service ? "p99=" + milliseconds(q.service->p99_s) : ""; }},
    Setting{"max-delay",
            "service.max_delay",
            [](Q q) { return q.service ? milliseconds(q.service->max_delay_s) : ""; }},
    Setting{"ttft",
            "service.first_token",
            [](Q q) { return q.tokens ? milliseconds(q.tokens->limits.first_token_s) : ""; }},
    Setting{"tpot",
            "service.token",
            [](Q q) { return q.tokens ? milliseconds(q.tokens->limits.token_s) : ""; }},
    Setting{"infra",
            "constraints.infra",
            [](Q q) { return fmt::format("{}", fmt::join(q.infra, " ")); }},
    Setting{"market", "constraints.markets", markets},
    Setting{"book", "constraints.book", [](Q q) { return q.book; }},
    Setting{"batch", "job.batch_per_gpu", batches},
    Setting{"nodes-max",
            "constraints.nodes_max",
            [](Q q) { return q.serves() ? "" : fmt::format("{}", q.nodes_max); }},
    Setting{
        "gpu", "constraints.gpu", [](Q q) { return fmt::format("{}", fmt::join(q.gpus, ",")); }},
    Setting{"gpus-min", "constraints.gpus_min", [](Q q) { return limit(q.gpus_min); }},
    Setting{"gpus-max", "constraints.gpus_max", [](Q q) { return limit(q.gpus_max); }},
    Setting{"vcpus-min", "constraints.vcpus_min", [](Q q) { return limit(q.vcpus_min); }},
    Setting{"vcpus-max", "constraints.vcpus_max", [](Q q) { return limit(q.vcpus_max); }},
    Setting{
        "memory-min", "constraints.memory_gib_min", [](Q q) { return limit(q.memory_gib_min); }},
    Setting{
        "memory-max", "constraints.memory_gib_max", [](Q q) { return limit(q.memory_gib_max); }},
    Setting{"allow", "constraints.allow", [](Q q) { return q.allow; }},
    Setting{"deny", "constraints.deny", [](Q q) { return q.deny; }},
    Setting{"data-at", "data.at", [](Q q) { return q.data_at; }},
    Setting{"framework",
            "job.framework",
            [](Q q) { return q.tokens ? q.tokens->software : q.framework; }},
};

}  // namespace

std::set<std::string> keys_stated(const std::string& job_file) {
  std::set<std::string> stated;
  for (const auto& [table, content] : load_toml(job_file)) {
    if (const auto* fields = content.as_table()) {
      for (const auto& field : *fields) {
        stated.insert(fmt::format("{}.{}", table.str(), field.first.str()));
      }
    }
  }
  return stated;
}

std::vector<SettingInForce> settings_in_force(
    const Query& asked,
    const Query& written,
    const std::set<std::string>& stated,
    const std::map<std::string, std::vector<std::string>>& set) {
  const Query nobody;
  std::vector<SettingInForce> found;
  std::set<std::string, std::less<>> listed;
  for (const auto& setting : settings) {
    const auto here = set.find(std::string(setting.key));
    const auto value =
        here != set.end() ? fmt::format("{}", fmt::join(here->second, " ")) : setting.value(asked);
    listed.emplace(setting.key);
    if (value.empty()) {
      continue;
    }
    const auto in_file = setting.value(written);
    found.push_back(
        {std::string(setting.key),
         value,
         here != set.end()  ? "set here"
         : value != in_file ? "by what is set here"
         : stated.contains(std::string(setting.stated_as)) || in_file != setting.value(nobody)
             ? written.file
             : "default"});
  }
  for (const auto& [key, values] : set) {
    if (!listed.contains(key)) {
      found.push_back({key, fmt::format("{}", fmt::join(values, " ")), "set here"});
    }
  }
  return found;
}

}  // namespace rightsize::shell
