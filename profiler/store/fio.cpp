// See foreign.h. Fields as in fio's HOWTO, "JSON output"; `runtime` is in milliseconds.
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>

#include <boost/json.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "profiler/content_hash.h"
#include "profiler/json_fields.h"
#include "profiler/measure/stopping.h"
#include "profiler/store/foreign.h"

namespace rightsize {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 3> directions{"read", "write", "trim"};

std::string option_text(const json::object& holder, std::string_view name) {
  std::string text;
  if (const auto* options = holder.if_contains(name); options && options->is_object()) {
    for (const auto& [key, value] : options->get_object()) {
      const std::string word =
          value.is_string() ? std::string(value.get_string()) : json::serialize(value);
      text += fmt::format(" --{}{}", std::string_view(key), word.empty() ? "" : "=" + word);
    }
  }
  return text;
}

bool is_direct(const std::string& command) {
  return command.find(" --direct=1") != std::string::npos || command.ends_with(" --direct") ||
         command.find(" --direct --") != std::string::npos;
}

double percentile_s(const json::object& side, const char* key) {
  json::error_code error;
  const json::value whole(side);
  const auto* found = whole.find_pointer(fmt::format("/clat_ns/percentile/{}", key), error);
  return found == nullptr ? 0 : found->to_number<double>(error) * 1e-9;
}

// The normal interval of fio's own samples of the rate, carried to the average of the whole run:
// with group_reporting the samples are those of one job, the average that of all.
void set_rate(const FieldReader& side, Record& record) {
  double mean = 0;
  double deviation = 0;
  int samples = 0;
  auto& rate = record.throughput;
  side("iops", rate.median);
  side.optional("iops_mean", mean);
  side.optional("iops_stddev", deviation);
  side.optional("iops_samples", samples);
  constexpr double normal_95 = 1.96;
  rate.samples = std::max(1, samples);
  rate.relative_noise = mean > 0 ? deviation / mean : 0;
  const double half = normal_95 * rate.relative_noise / std::sqrt(rate.samples);
  rate.low = rate.median * std::max(0.0, 1 - half);
  rate.high = rate.median * (1 + half);
  record.status = Status::measured;
  if (samples < 2 || mean <= 0) {
    record.status = Status::untrusted;
    record.reason = "fio took fewer than two samples of the rate: its noise is not known";
  } else if (half > StopOptions{}.noise_limit) {
    record.status = Status::untrusted;
    record.reason = fmt::format("the rate is known to +-{:.0f} % only", 100 * half);
  }
}

void set_bytes(const FieldReader& side, std::string_view direction, Record& record) {
  side("io_bytes", record.bytes_requested);
  if (!is_direct(record.command)) {
    record.throttle_notes.emplace_back(
        "not direct=1: the page cache may have served it, so the disk's bytes are not known");
  } else if (direction == "read") {
    record.disk_read_bytes = record.bytes_requested;
  } else if (direction == "write") {
    record.disk_written_bytes = record.bytes_requested;
  }
}

void set_cpus(const FieldReader& job, Record& record) {
  double user = 0;
  double system = 0;
  job.optional("usr_cpu", user);
  job.optional("sys_cpu", system);
  record.achieved_cpus = (user + system) / 100;
  record.cpu_s_per_item = record.achieved_cpus * record.seconds / static_cast<double>(record.items);
}

std::string as_rfc3339(std::int64_t unix_s) {
  constexpr std::int64_t year_10000 = 253'402'300'800;
  if (unix_s <= 0) {
    return "";
  }
  if (unix_s >= year_10000) {
    throw RecordError(fmt::format(
        "timestamp: expected seconds since 1970, before the year 10000, saw {}", unix_s));
  }
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(unix_s)));
}

std::uint64_t requests_of(const json::object& job, std::string_view direction) {
  const auto* side = job.if_contains(direction);
  std::uint64_t requests = 0;
  if (side != nullptr && side->is_object()) {
    FieldReader(side->get_object(), std::string(direction)).optional("total_ios", requests);
  }
  return requests;
}

Record record_of(const json::object& job,
                 const std::string& place,
                 std::string_view direction,
                 const std::string& global_options) {
  const FieldReader fields(job, place);
  const auto& side_object = fields.child(direction);
  const FieldReader side(side_object, fmt::format("{}.{}", place, direction));
  Record record;
  fields("jobname", record.name);
  record.command = "fio" + global_options + option_text(job, "job options");
  record.name += fmt::format(" {}", direction);
  record.campaign = "fio";
  record.workload.network.clear();
  record.items = requests_of(job, direction);
  double milliseconds = 0;
  side("runtime", milliseconds);
  record.seconds = milliseconds / 1000;
  record.throttle_notes = {"imported from fio, which does not say the machine or its limits"};
  record.tool_version = RIGHTSIZE_VERSION;
  set_rate(side, record);
  set_bytes(side, direction, record);
  record.step_p50_s = percentile_s(side_object, "50.000000");
  record.step_p90_s = percentile_s(side_object, "90.000000");
  record.step_p99_s = percentile_s(side_object, "99.000000");
  int error = 0;
  fields.optional("error", error);
  if (error != 0) {
    record.status = Status::failed;
    record.reason = fmt::format("fio ended this job with error {}", error);
  }
  return record;
}

// The same job again is a repeat: so `numjobs` comes without group_reporting.
void set_identity(std::map<std::string, int>& seen, Record& record) {
  const auto asked = fmt::format("{}|{}", record.command, record.name);
  record.repeat = seen[asked]++;
  record.id = content_id(record.repeat == 0 ? asked : fmt::format("{}|{}", asked, record.repeat));
}

}  // namespace

std::vector<Record> records_of_fio(const json::object& document) {
  const FieldReader reader(document, "fio");
  std::int64_t timestamp = 0;
  reader.optional("timestamp", timestamp);
  const auto* jobs = document.if_contains("jobs");
  if (jobs == nullptr || !jobs->is_array()) {
    throw RecordError("jobs: expected a list, as fio --output-format=json writes it");
  }
  const auto globals = option_text(document, "global options");
  const auto started_at = as_rfc3339(timestamp);
  std::vector<Record> records;
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < jobs->get_array().size(); ++i) {
    const auto place = fmt::format("jobs[{}]", i);
    const auto* job = jobs->get_array()[i].if_object();
    if (job == nullptr) {
      throw RecordError(place + ": expected an object");
    }
    const auto before = records.size();
    for (const auto direction : directions) {
      if (requests_of(*job, direction) > 0) {
        records.push_back(record_of(*job, place, direction, globals));
        records.back().software["fio"] = reader.text("fio version");
        records.back().started_at = started_at;
        set_identity(seen, records.back());
      }
    }
    if (records.size() == before + 1) {  // with several directions nobody knows whose CPU it was
      set_cpus(FieldReader(*job, place), records.back());
    }
  }
  return records;
}

}  // namespace rightsize
