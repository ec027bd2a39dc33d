// A stretch of a run between two steps, with everything that was counted in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "profiler/record.h"

namespace rightsize {

struct RunWindow {
  std::uint64_t items = 0;
  double seconds = 0;
  bool warmup = false;
  int epoch = 0;        // that the window began in, from 0
  int epochs_done = 0;  // completed when it ended
  double cpu_s = 0;     // user and system time of the process
  std::uint64_t bytes_requested = 0;
  std::uint64_t disk_read_bytes = 0;
  std::uint64_t disk_written_bytes = 0;
  StageSeconds stages;  // seconds in the window, not per item
  std::vector<double> step_s;
  std::optional<double> first_loss;
  std::optional<double> last_loss;
  // Of a server:
  std::vector<double> latency_s;  // of the requests answered in the window
  std::uint64_t come = 0;         // requests that came in it
  std::uint64_t waiting = 0;      // at its end
  double busy_s = 0;              // the engine's
};

[[nodiscard]] boost::json::object to_json(const RunWindow& window);
// Throws RecordError naming the field.
[[nodiscard]] RunWindow window_from_json(const boost::json::object& object);

}  // namespace rightsize
