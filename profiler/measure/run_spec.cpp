#include "profiler/measure/run_spec.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "profiler/content_hash.h"
#include "profiler/json_fields.h"
#include "profiler/throttle/cpu_choice.h"

namespace rightsize {
namespace {

template <typename Visitor, typename Value>
void visit_spec(Visitor& field, Value& spec) {
  field("name", spec.name);
  field("campaign", spec.campaign);
  field("repeat", spec.repeat);
  field("hold_out", spec.hold_out);
  field("timeout_s", spec.timeout_s);
  field("seed", spec.seed);
  field("dataset_items", spec.dataset_items);
  field("dataset_bytes", spec.dataset_bytes);
  field("read_bytes_per_s", spec.read_bytes_per_s);
}

template <typename Visitor, typename Value>
void visit_stop(Visitor& field, Value& stop) {
  field("window_s", stop.window_s);
  field("max_warmup_s", stop.max_warmup_s);
  field("min_s", stop.min_s);
  field("max_s", stop.max_s);
  field("min_windows", stop.min_windows);
  field("min_epochs", stop.min_epochs);
  field("noise_target", stop.noise_target);
  field("noise_limit", stop.noise_limit);
}

int usable_cpus(const Limits& limits) {
  const int all = static_cast<int>(allowed_cpus().size());
  return limits.cpus > 0 ? std::clamp(static_cast<int>(std::ceil(limits.cpus)), 1, all) : all;
}

}  // namespace

namespace {

bool is_file(const std::string& network) {
  return network.ends_with(".onnx") || network.ends_with(".json");
}

// A file may lie elsewhere next time, as data sets may.
std::string network_name(const std::string& network) {
  return is_file(network) ? std::filesystem::path(network).filename().string() : network;
}

// What is in a network's file: exported again it is another network. Built-in ones say nothing, so
// that their runs keep their ids.
std::string network_file_identity(const std::string& network) {
  std::ifstream file(network, std::ios::binary);
  if (!is_file(network) || !file) {
    return {};
  }
  std::uint64_t hash = 0;
  std::string piece(std::size_t{1} << 20, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    hash = hash * 31 +
           fnv1a(std::string_view(piece).substr(0, static_cast<std::size_t>(file.gcount())));
  }
  return fmt::format("{:016x}|", hash);
}

}  // namespace

// Numbers are printed in their shortest exact form, so the text is the same on every machine.
std::string run_id(const RunSpec& spec) {
  const auto& work = spec.workload;
  const auto& limits = spec.limits;
  const auto& stop = spec.stop;
  const auto file = std::filesystem::path(work.data_path).filename().string();
  auto text = fmt::format("{} {} {} {} {} {}|{} {} {} {} {} {}|",
                          to_string(work.phase),
                          network_name(work.network),
                          to_string(work.precision),
                          to_string(work.engine),
                          work.batch,
                          work.replay_items_per_s,
                          to_string(work.data),
                          file,
                          work.shuffle,
                          work.loader_threads,
                          work.prefetch_batches,
                          to_string(work.output));
  text += network_file_identity(work.network);
  if (work.sequence != 0 || work.prompt != 0) {  // runs stored before these came keep their ids
    text += fmt::format("{} {}|", work.sequence, work.prompt);
  }
  if (work.ranks != 1) {
    text +=
        fmt::format("{} {} {}|", work.ranks, to_string(work.exchange), to_string(work.compression));
  }
  text += fmt::format("{} {} {} {} {} {} {}|",
                      limits.cpus,
                      limits.memory_bytes,
                      limits.disk_read_bytes_per_s,
                      limits.disk_write_bytes_per_s,
                      limits.disk_read_iops,
                      limits.disk_write_iops,
                      limits.isa);
  text += fmt::format("{} {} {} {} {} {} {} {}|{} {}|{} {}",
                      stop.window_s,
                      stop.max_warmup_s,
                      stop.min_s,
                      stop.max_s,
                      stop.min_windows,
                      stop.min_epochs,
                      stop.noise_target,
                      stop.noise_limit,
                      spec.dataset_items,
                      spec.dataset_bytes,
                      spec.seed,
                      spec.repeat);
  return content_id(text);
}

std::string repro_line(const RunSpec& spec) {
  std::string line = "rightsize profile";
  const auto add = [&](std::string_view option, const auto& value, bool differs) {
    if (differs) {
      line += fmt::format(" --{} {}", option, value);
    }
  };
  const Workload& work = spec.workload;
  const Workload usual;
  const Limits& limits = spec.limits;
  const StopOptions stop;
  add("phase", to_string(work.phase), work.phase != usual.phase);
  add("network", work.network, work.phase != Phase::preprocess);
  add("engine", to_string(work.engine), work.engine != usual.engine);
  add("precision", to_string(work.precision), work.precision != usual.precision);
  add("batch", work.batch, work.batch != usual.batch);
  add("sequence", work.sequence, work.sequence > 0);
  add("prompt", work.prompt, work.prompt > 0);
  add("ranks", work.ranks, work.ranks != 1);
  add("exchange", to_string(work.exchange), work.ranks != 1 && work.exchange != usual.exchange);
  add("compression", to_string(work.compression), work.compression != usual.compression);
  add("replay-items-per-s", work.replay_items_per_s, work.replay_items_per_s > 0);
  add("data", to_string(work.data), work.data != usual.data);
  add("data-path", "'" + work.data_path + "'", !work.data_path.empty());
  add("shuffle", work.shuffle, work.shuffle != usual.shuffle);
  add("loader-threads", work.loader_threads, work.loader_threads > 0);
  add("prefetch-batches", work.prefetch_batches, work.prefetch_batches != usual.prefetch_batches);
  add("preprocess-output", to_string(work.output), work.phase == Phase::preprocess);
  add("cpus", limits.cpus, limits.cpus > 0);
  add("memory", limits.memory_bytes, limits.memory_bytes > 0);
  const auto rate = [](double bytes_per_s) { return fmt::format("{}B/s", bytes_per_s); };
  add("disk-read", rate(limits.disk_read_bytes_per_s), limits.disk_read_bytes_per_s > 0);
  add("disk-write", rate(limits.disk_write_bytes_per_s), limits.disk_write_bytes_per_s > 0);
  add("disk-read-iops", limits.disk_read_iops, limits.disk_read_iops > 0);
  add("disk-write-iops", limits.disk_write_iops, limits.disk_write_iops > 0);
  add("isa", limits.isa, !limits.isa.empty());
  add("seconds", spec.stop.max_s, spec.stop.max_s != stop.max_s);
  add("min-seconds", spec.stop.min_s, spec.stop.min_s != stop.min_s);
  add("warmup", spec.stop.max_warmup_s, spec.stop.max_warmup_s != stop.max_warmup_s);
  add("window", spec.stop.window_s, spec.stop.window_s != stop.window_s);
  add("noise-limit", spec.stop.noise_limit, spec.stop.noise_limit != stop.noise_limit);
  return line;
}

double timeout_of(const RunSpec& spec) {
  constexpr double slack_s = 60;
  return spec.timeout_s > 0 ? spec.timeout_s : 3 * spec.stop.max_s + slack_s;
}

int loader_threads_of(const RunSpec& spec) {
  return spec.workload.loader_threads > 0 ? spec.workload.loader_threads : usable_cpus(spec.limits);
}

int engine_threads_of(const RunSpec& spec) {
  return usable_cpus(spec.limits);
}

boost::json::object to_json(const RunSpec& spec) {
  FieldWriter writer;
  FieldWriter stop;
  visit_spec(writer, spec);
  visit_stop(stop, spec.stop);
  writer("workload", spec.workload);
  writer("limits", spec.limits);
  auto object = writer.take();
  object["stop"] = stop.take();
  return object;
}

RunSpec run_spec_from_json(const boost::json::object& object) {
  RunSpec spec;
  const FieldReader reader(object, "run");
  const FieldReader stop(reader.child("stop"), "run.stop");
  visit_spec(reader, spec);
  visit_stop(stop, spec.stop);
  spec.workload = workload_from_json(reader.child("workload"));
  spec.limits = limits_from_json(reader.child("limits"));
  return spec;
}

}  // namespace rightsize
