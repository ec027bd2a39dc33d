#include "profiler/campaign/serving.h"

#include <filesystem>

#include <fmt/format.h>

#include "profiler/serving/arrivals.h"

namespace rightsize {
namespace {

// By a rate, or by a file that has one of its own.
std::optional<std::string> contradiction_of_arrivals(Requests& requests,
                                                     const std::string& folder) {
  if (group_size_of(requests.arrivals)) {
    return requests.per_s > 0 ? std::nullopt
                              : std::optional<std::string>(
                                    "serve needs qps, the requests per second; or a file of "
                                    "arrivals");
  }
  if (requests.per_s > 0) {
    return fmt::format(
        "qps = {:g} and arrivals = \"{}\" both say how many requests come; leave one out",
        requests.per_s,
        requests.arrivals);
  }
  requests.arrivals = (std::filesystem::path(folder) / requests.arrivals).lexically_normal();
  try {
    static_cast<void>(load_arrivals(requests.arrivals));
  } catch (const ArrivalsError& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> complete_serving(Cell& cell, const std::string& folder) {
  auto& work = cell.spec.workload;
  if (!cell.serve) {
    return work.requests || cell.max_batch
               ? std::optional<std::string>(
                     "qps, arrivals, max_batch and max_delay describe a server; add serve")
               : std::nullopt;
  }
  if (!cell.spec.command.empty()) {
    return "serve makes a server of a network; a program after command brings its own work";
  }
  if (cell.phase_given && work.phase != Phase::infer) {
    return fmt::format("serve answers requests: expected phase = \"infer\" or none, saw {}",
                       to_string(work.phase));
  }
  if (cell.batch_given) {
    return fmt::format(
        "batch = {}: a server answers who waits together; expected max_batch in its place",
        work.batch);
  }
  if (!work.requests) {
    work.requests.emplace();
  }
  work.phase = Phase::infer;
  work.batch = cell.max_batch.value_or(work.batch);
  cell.spec.stop.whole_time = true;
  return contradiction_of_arrivals(*work.requests, folder);
}

}  // namespace rightsize
