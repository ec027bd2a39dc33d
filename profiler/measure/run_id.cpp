#include <filesystem>
#include <fstream>

#include "kernels/network.h"
#include "kernels/onnx/onnx.h"
#include "profiler/content_hash.h"
#include "profiler/json_fields.h"
#include "profiler/measure/run_spec.h"
#include "profiler/serving/arrivals.h"

namespace rightsize {
namespace {

// A file may lie elsewhere next time, as data sets may.
std::string network_name(const std::string& network) {
  return is_network_file(network) ? std::filesystem::path(network).filename().string() : network;
}

// What is in the file at `path`; nothing where there is none.
std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
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

// What is in a network's file: exported again it is another network. Built-in ones say nothing, so
// that their runs keep their ids.
std::string network_file_identity(const std::string& network) {
  return is_network_file(network) ? content_of(std::string(without_form(network))) : "";
}

// Of a file of arrivals what is in it counts, not where it lies.
std::string requests_identity(const Requests& requests) {
  return fmt::format(
      "served {} {} {}|",
      requests.per_s,
      group_size_of(requests.arrivals) ? requests.arrivals : content_of(requests.arrivals),
      requests.max_delay_s);
}

std::string work_identity(const Workload& work) {
  const auto data = std::filesystem::path(work.data_path).filename().string();
  auto text = fmt::format("{} {} {} {} {} {}|{} {} {} {} {} {}|",
                          to_string(work.phase),
                          network_name(work.network),
                          to_string(work.precision),
                          to_string(work.engine),
                          work.batch,
                          work.replay_items_per_s,
                          to_string(work.data),
                          data,
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
  if (work.requests) {
    text += requests_identity(*work.requests);
  }
  return text;
}

std::string command_identity(const UserCommand& command) {
  std::string text;
  for (const auto& variable : command.environment) {
    text += variable + "|";
  }
  if (!command.empty()) {
    text += shell_line(command.words) + "|" + to_string(command.steps) + "|";
    for (const auto& [file, digest] : command.files) {
      text += digest + "|";  // the words name the file
    }
  }
  return text;
}

std::string limits_identity(const Limits& limits) {
  auto text = fmt::format("{} {} {} {} {} {} {}|",
                          limits.cpus,
                          limits.memory_bytes,
                          limits.disk_read_bytes_per_s,
                          limits.disk_write_bytes_per_s,
                          limits.disk_read_iops,
                          limits.disk_write_iops,
                          limits.isa);
  if (limits.gpu_memory_bytes != 0) {
    text += fmt::format("{}|", limits.gpu_memory_bytes);
  }
  text += limits.gpu_share != 0 ? fmt::format("gpu share {}|", limits.gpu_share) : "";
  return text;
}

// When it stops, and on which data.
std::string stop_identity(const RunSpec& spec) {
  const auto& stop = spec.stop;
  return fmt::format("{} {} {} {} {} {} {} {}|{} {}|{} {}",
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
}

}  // namespace

// Numbers are printed in their shortest exact form, so the text is the same on every machine.
std::string run_id(const RunSpec& spec) {
  auto text = work_identity(spec.workload);
  text += spec.part.empty() ? "" : spec.differential + " " + spec.part + "|";
  text += command_identity(spec.command) + limits_identity(spec.limits);
  if (spec.workload.preprocess_on != PreprocessOn::cpu) {
    text += fmt::format("preprocess on {}|", to_string(spec.workload.preprocess_on));
  }
  text += spec.no_throttle ? "no throttle|" : "";
  return content_id(text + stop_identity(spec));
}

}  // namespace rightsize
