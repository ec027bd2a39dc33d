// See foreign.h. Fields as in hyperfine's own documentation of --export-json: times in seconds.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "profiler/content_hash.h"
#include "profiler/json_fields.h"
#include "profiler/measure/statistics.h"
#include "profiler/measure/stopping.h"
#include "profiler/store/foreign.h"

namespace rightsize {
namespace {

namespace json = boost::json;

// One result in the terms of both versions.
struct Runs {
  std::string command;
  std::string name;
  std::string parameters;
  std::vector<double> times_s;
  double cpu_s = 0;  // mean of user + system
  std::uint64_t peak_rss_bytes = 0;
  std::size_t failures = 0;
};

// Null stands for a run that was ended by a signal.
bool is_failure(const json::value& exit_code) {
  return !exit_code.is_int64() || exit_code.get_int64() != 0;
}

void read_version_1(const json::object& result, const FieldReader& fields, Runs& runs) {
  fields("times", runs.times_s);
  double user = 0;
  double system = 0;
  fields("user", user);
  fields("system", system);
  runs.cpu_s = user + system;
  std::vector<std::uint64_t> memory;
  fields.optional("memory_usage_byte", memory);
  for (const auto bytes : memory) {
    runs.peak_rss_bytes = std::max(runs.peak_rss_bytes, bytes);
  }
  if (const auto* codes = result.if_contains("exit_codes"); codes && codes->is_array()) {
    runs.failures = static_cast<std::size_t>(
        std::count_if(codes->get_array().begin(), codes->get_array().end(), is_failure));
  }
}

double value_of(const FieldReader& measurement, std::string_view name) {
  double value = 0;
  FieldReader(measurement.child(name), std::string(name))("value", value);
  return value;
}

void read_version_2(const json::array& measurements, Runs& runs) {
  for (const auto& element : measurements) {
    const auto place = fmt::format("measurements[{}]", runs.times_s.size());
    if (!element.is_object()) {
      throw RecordError(place + ": expected an object");
    }
    const FieldReader one(element.get_object(), place);
    runs.times_s.push_back(value_of(one, "time_wall_clock"));
    runs.cpu_s += value_of(one, "time_user") + value_of(one, "time_system");
    runs.peak_rss_bytes = std::max(
        runs.peak_rss_bytes, static_cast<std::uint64_t>(value_of(one, "memory_peak_resident")));
    const auto* code = element.get_object().if_contains("exit_code");
    runs.failures += code == nullptr || is_failure(*code) ? 1 : 0;
  }
  runs.cpu_s /= std::max<double>(1, static_cast<double>(runs.times_s.size()));
}

Runs read_result(const json::object& result, const std::string& place) {
  const FieldReader fields(result, place);
  Runs runs;
  fields("command", runs.command);
  runs.name = runs.command;
  fields.optional("name", runs.name);
  if (const auto* parameters = result.if_contains("parameters"); parameters != nullptr) {
    runs.parameters = json::serialize(*parameters);
  }
  const auto* measurements = result.if_contains("measurements");
  if (measurements != nullptr && measurements->is_array()) {
    read_version_2(measurements->get_array(), runs);
  } else {
    read_version_1(result, fields, runs);
  }
  const bool sound = std::all_of(runs.times_s.begin(), runs.times_s.end(), [](double time_s) {
    return time_s > 0 && std::isfinite(1 / time_s);
  });
  if (runs.times_s.empty() || !sound) {
    throw RecordError(place + ": expected at least one time, and each above 0 s");
  }
  return runs;
}

void judge_runs(const Runs& runs, Record& record) {
  const auto& rate = record.throughput;
  const double noise = (rate.high - rate.low) / 2 / rate.median;
  if (runs.failures > 0) {
    record.status = Status::untrusted;
    record.reason = fmt::format(
        "{} of {} runs did not end with exit code 0", runs.failures, runs.times_s.size());
  } else if (noise > StopOptions{}.noise_limit || runs.times_s.size() < 2) {
    record.status = Status::untrusted;
    record.reason = runs.times_s.size() < 2
                        ? "one run says nothing of the noise"
                        : fmt::format("the median is known to +-{:.0f} % only", 100 * noise);
  } else {
    record.status = Status::measured;
  }
}

Record record_of(const Runs& runs, int repeat) {
  Record record;
  record.id = content_id(
      fmt::format("hyperfine|{}|{}|{}|{}", runs.command, runs.name, runs.parameters, repeat));
  record.name = runs.name;
  record.campaign = "hyperfine";
  record.command = runs.command;
  record.repeat = repeat;
  record.workload.network.clear();
  std::vector<double> rates;
  for (const double time_s : runs.times_s) {
    rates.push_back(1 / time_s);
  }
  record.throughput = summarize(rates);
  record.step_p50_s = quantile(runs.times_s, 0.5);
  record.step_p90_s = quantile(runs.times_s, 0.9);
  record.step_p99_s = quantile(runs.times_s, 0.99);
  record.items = runs.times_s.size();
  record.seconds = std::accumulate(runs.times_s.begin(), runs.times_s.end(), 0.0);
  record.cpu_s_per_item = runs.cpu_s;
  record.achieved_cpus = runs.cpu_s * static_cast<double>(record.items) / record.seconds;
  record.peak_rss_bytes = runs.peak_rss_bytes;
  record.throttle_notes = {"imported from hyperfine, which does not say the machine or its limits"};
  record.tool_version = RIGHTSIZE_VERSION;
  judge_runs(runs, record);
  return record;
}

}  // namespace

std::vector<Record> records_of_hyperfine(const json::object& document) {
  const auto* results = document.if_contains("results");
  if (results == nullptr || !results->is_array()) {
    throw RecordError("results: expected a list, as hyperfine --export-json writes it");
  }
  std::vector<Record> records;
  std::map<std::string, int> seen;  // the same command twice is a repeat
  for (const auto& element : results->get_array()) {
    const auto place = fmt::format("results[{}]", records.size());
    if (!element.is_object()) {
      throw RecordError(place + ": expected an object");
    }
    const auto runs = read_result(element.get_object(), place);
    records.push_back(record_of(runs, seen[runs.command + runs.name + runs.parameters]++));
  }
  return records;
}

}  // namespace rightsize
