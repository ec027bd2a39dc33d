#include "profiler/record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "profiler/json_fields.h"

namespace rightsize {
namespace {

constexpr std::string_view schema = "rightsize/record/1";

constexpr std::array<std::pair<Status, std::string_view>, 6> statuses{
    {{Status::measured, "measured"},
     {Status::untrusted, "untrusted"},
     {Status::out_of_memory, "out_of_memory"},
     {Status::timed_out, "timed_out"},
     {Status::failed, "failed"},
     {Status::unsupported, "unsupported"}}};

template <typename Value, typename Plain>
concept Either = std::same_as<std::remove_const_t<Value>, Plain>;

}  // namespace

// Found by argument-dependent lookup, so not in the unnamed namespace.
template <typename Visitor, Either<StageSeconds> Value>
static void visit_fields(Visitor&& field, Value& stages) {
  field("read", stages.read);
  field("decode", stages.decode);
  field("augment", stages.augment);
  field("copy", stages.copy);
  field("compute", stages.compute);
  field("wait", stages.wait);
  field("write", stages.write);
  field.optional("exchange", stages.exchange);
}

template <typename Visitor, Either<TimelinePoint> Value>
static void visit_fields(Visitor&& field, Value& point) {
  field("time_s", point.time_s);
  field("cpu_cores", point.cpu_cores);
  field("rss_bytes", point.rss_bytes);
  field("cache_bytes", point.cache_bytes);
  field("disk_read_bytes_per_s", point.disk_read_bytes_per_s);
  field("disk_write_bytes_per_s", point.disk_write_bytes_per_s);
  field.optional("gpu_busy", point.gpu_busy);
  field.optional("gpu_memory_bytes", point.gpu_memory_bytes);
  field.optional("gpu_watts", point.gpu_watts);
}

template <typename Visitor, Either<PressureShares> Value>
static void visit_fields(Visitor&& field, Value& pressure) {
  field("of", pressure.of);
  field.optional("cpu_some", pressure.cpu_some);
  field.optional("cpu_full", pressure.cpu_full);
  field.optional("io_some", pressure.io_some);
  field.optional("io_full", pressure.io_full);
  field.optional("memory_some", pressure.memory_some);
  field.optional("memory_full", pressure.memory_full);
}

template <typename Visitor, Either<CoreSpeed> Value>
static void visit_fields(Visitor&& field, Value& speed) {
  field("before_per_s", speed.before_per_s);
  field("after_per_s", speed.after_per_s);
  field.optional("usual_per_s", speed.usual_per_s);
}

template <typename Visitor, Either<LatencyCount> Value>
static void visit_fields(Visitor&& field, Value& count) {
  field("seconds", count.seconds);
  field("requests", count.requests);
}

template <typename Visitor, Either<Served> Value>
static void visit_fields(Visitor&& field, Value& served) {
  field("offered_per_s", served.offered_per_s);
  field("answered_per_s", served.answered_per_s);
  field("waiting", served.waiting);
  field("mean_s", served.mean_s);
  field("p50_s", served.p50_s);
  field("p95_s", served.p95_s);
  field("p99_s", served.p99_s);
  field("p99_low_s", served.p99_low_s);
  field("p99_high_s", served.p99_high_s);
  field("most_s", served.most_s);
  field("mean_batch", served.mean_batch);
  field("busy", served.busy);
  field("saturated", served.saturated);
  field("latencies", served.latencies);
}

namespace {

// What was asked.
template <typename Visitor, typename Value>
void visit_question(Visitor& field, Value& record) {
  field("id", record.id);
  field("name", record.name);
  field("campaign", record.campaign);
  field.optional("command", record.command);
  field("started_at", record.started_at);
  field("repeat", record.repeat);
  field("hold_out", record.hold_out);
  field.optional("differential", record.differential);
  field.optional("part", record.part);
  field("dataset_items", record.dataset_items);
  field("dataset_bytes", record.dataset_bytes);
  field("loader_threads", record.loader_threads);
  field("engine_threads", record.engine_threads);
}

// What was seen.
template <typename Visitor, typename Value>
void visit_answer(Visitor& field, Value& record) {
  field("reason", record.reason);
  field("throughput", record.throughput);
  field("cold_items_per_s", record.cold_items_per_s);
  field("step_p50_s", record.step_p50_s);
  field("step_p90_s", record.step_p90_s);
  field("step_p99_s", record.step_p99_s);
  field("items", record.items);
  field("seconds", record.seconds);
  field("warmup_s", record.warmup_s);
  field("stages", record.stages);
  field("cpu_s_per_item", record.cpu_s_per_item);
  field("bytes_requested", record.bytes_requested);
  field("disk_read_bytes", record.disk_read_bytes);
  field("disk_written_bytes", record.disk_written_bytes);
  field("peak_rss_bytes", record.peak_rss_bytes);
  field("peak_anonymous_bytes", record.peak_anonymous_bytes);
  field("peak_memory_bytes", record.peak_memory_bytes);
  field("achieved_cpus", record.achieved_cpus);
  field("throttled_share", record.throttled_share);
  field("epochs", record.epochs);
  field("steal_share", record.steal_share);
  field("neighbour_cpus", record.neighbour_cpus);
  field.optional("pressure", record.pressure);
  field.optional("core_speed", record.core_speed);
  field.optional("served", record.served);
  field("first_loss", record.first_loss);
  field("last_loss", record.last_loss);
  field("engine_memory_bytes", record.engine_memory_bytes);
}

// How it came about.
template <typename Visitor, typename Value>
void visit_provenance(Visitor& field, Value& record) {
  field("throttle", record.throttle);
  field("throttle_notes", record.throttle_notes);
  field("software", record.software);
  field("tool_version", record.tool_version);
  field("repro", record.repro);
  field("timeline", record.timeline);
}

// Errors of the parts name their own part; the record adds where it sits.
template <typename Function>
auto part(std::string_view name, Function&& read) {
  try {
    return read();
  } catch (const std::exception& error) {
    throw RecordError(fmt::format("record.{}: {}", name, error.what()));
  }
}

}  // namespace

std::string_view to_string(Status status) {
  for (const auto& [value, word] : statuses) {
    if (value == status) {
      return word;
    }
  }
  return "unknown";
}

std::optional<Status> parse_status(std::string_view text) {
  for (const auto& [value, word] : statuses) {
    if (word == text) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<double> CoreSpeed::slowdown() const {
  const double slower = std::min(before_per_s, after_per_s);
  return usual_per_s && *usual_per_s > 0 ? std::optional(1 - slower / *usual_per_s) : std::nullopt;
}

bool is_usable(const Record& record) {
  return record.status == Status::measured && record.throughput.median > 0 && !record.served &&
         record.part.empty();
}

boost::json::object to_json(const Record& record) {
  FieldWriter writer;
  writer("schema", std::string(schema));
  visit_question(writer, record);
  writer("workload", record.workload);
  writer("limits", record.limits);
  writer("machine", record.machine);
  writer("status", std::string(to_string(record.status)));
  visit_answer(writer, record);
  visit_provenance(writer, record);
  return writer.take();
}

Record record_from_json(const boost::json::object& object) {
  const FieldReader reader(object, "record");
  if (const auto saw = reader.text("schema"); saw != schema) {
    throw RecordError(
        fmt::format("record.schema: expected \"{}\", saw \"{}\"; written by another version of "
                    "rightsize?",
                    schema,
                    saw));
  }
  Record record;
  visit_question(reader, record);
  record.workload = part("workload", [&] { return workload_from_json(reader.child("workload")); });
  record.limits = part("limits", [&] { return limits_from_json(reader.child("limits")); });
  record.machine = part("machine", [&] { return machine_from_json(reader.child("machine")); });
  const auto word = reader.text("status");
  const auto status = parse_status(word);
  if (!status) {
    throw RecordError(fmt::format("record.status: \"{}\" is no status this version knows", word));
  }
  record.status = *status;
  visit_answer(reader, record);
  visit_provenance(reader, record);
  return record;
}

}  // namespace rightsize
