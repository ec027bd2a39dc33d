#include "profiler/campaign/differential.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <sstream>

#include <fmt/format.h>

namespace rightsize {
namespace {

// "NAME=value" with a name that a shell would take.
bool is_assignment(const std::string& word) {
  const auto equals = word.find('=');
  const auto name = word.substr(0, equals);
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return equals != std::string::npos && !name.empty() &&
         std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), fits);
}

void switch_to_synthetic(UserCommand& command, const std::string& synthetic) {
  std::istringstream in(synthetic);
  for (std::string word; in >> word;) {
    (is_assignment(word) ? command.environment : command.words).push_back(word);
  }
}

std::string again(const RunSpec& run, const std::string& synthetic) {
  auto line = repro_line(run);
  const auto options = std::string(" --differential") +
                       (synthetic.empty() ? "" : " --synthetic " + shell_line({synthetic}));
  line.insert(std::min(line.find(" -- "), line.size()), options);
  return line;
}

void leave_disk_alone(RunSpec& part) {
  auto& limits = part.limits;
  limits.disk_read_bytes_per_s = limits.disk_write_bytes_per_s = 0;
  limits.disk_read_iops = limits.disk_write_iops = 0;
}

// One epoch, whose every window counts: the data is read from the disk once.
void stop_after_one_epoch(StopOptions& stop) {
  constexpr double short_window_s = 0.1;
  stop.max_epochs = 1;
  stop.min_epochs = 1;
  stop.max_warmup_s = 0;
  stop.window_s = std::min(stop.window_s, short_window_s);
}

// All repeats carry the same `differential`; each is compared within itself.
const Record* part_beside(const Record& synthetic,
                          std::string_view part,
                          std::span<const Record> records) {
  const auto found = std::find_if(records.begin(), records.end(), [&](const Record& record) {
    return record.differential == synthetic.differential && record.repeat == synthetic.repeat &&
           record.part == part && record.throughput.median > 0;
  });
  return found == records.end() ? nullptr : &*found;
}

using Seconds = std::array<double, 3>;  // for an item: synthetic, cached, cold

// With more to do an item cannot take less: where noise says so, both took the same. So the shares
// are parts of one whole.
Seconds in_order(Seconds seconds) {
  seconds[1] = std::min(seconds[1], seconds[2]);
  seconds[0] = std::min(seconds[0], seconds[1]);
  return seconds;
}

// The share at the medians, and its range over the corners of the three intervals.
StallShare share_of(const std::array<const Record*, 3>& parts,
                    const std::function<double(const Seconds&)>& share) {
  const auto at = [&](auto&& rate) {
    Seconds seconds{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double per_s = rate(i, parts[i]->throughput);
      seconds[i] = per_s > 0 ? 1 / per_s : 1 / parts[i]->throughput.median;
    }
    return share(in_order(seconds));
  };
  StallShare result;
  result.value = at([](std::size_t, const Measured& rate) { return rate.median; });
  result.low = result.high = result.value;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const double value = at([corner](std::size_t i, const Measured& rate) {
      return (corner >> i & 1U) != 0 ? rate.high : rate.low;
    });
    result.low = std::min(result.low, value);
    result.high = std::max(result.high, value);
  }
  return result;
}

}  // namespace

std::optional<std::string> no_differential(const RunSpec& run, const std::string& synthetic) {
  const auto& work = run.workload;
  if (!run.command.empty()) {
    if (work.data_path.empty()) {
      return "differential: expected data_path beside it, the data that your program reads, to "
             "bring it into the page cache and out of it";
    }
    return synthetic.empty() ? std::optional<std::string>(
                                   "differential: expected synthetic beside it, the words that "
                                   "tell your program to make its data up, as in "
                                   "--synthetic 'FAKE_DATA=1' or --synthetic '--data synthetic'")
                             : std::nullopt;
  }
  if (!synthetic.empty()) {
    return "synthetic: only a program of yours needs to be told; leave it out";
  }
  if (work.requests || work.phase == Phase::preprocess || work.data == DataFormat::synthetic) {
    return "differential: expected a network that reads data (data and data_path), for it finds "
           "out what reading costs";
  }
  return std::nullopt;
}

std::vector<RunSpec> differential_parts(const RunSpec& run, const std::string& synthetic) {
  RunSpec base = run;
  base.differential = run_id(run);
  base.again = again(run, synthetic);
  std::vector<RunSpec> parts;
  for (const std::string part : {"synthetic", "cached", "cold"}) {
    auto& spec = parts.emplace_back(base);
    spec.part = part;
    spec.name += " " + part;
    if (part == "cold") {
      stop_after_one_epoch(spec.stop);
    } else {
      leave_disk_alone(spec);
    }
  }
  auto& made_up = parts.front();
  if (run.command.empty()) {
    made_up.workload.data = DataFormat::synthetic;
    made_up.workload.data_path.clear();
    made_up.dataset_items = made_up.dataset_bytes = 0;
  } else {
    switch_to_synthetic(made_up.command, synthetic);
  }
  return parts;
}

std::vector<Stalls> stalls_in(std::span<const Record> records) {
  std::vector<Stalls> found;
  for (const auto& record : records) {
    if (record.part != "synthetic") {
      continue;
    }
    const auto* cached = part_beside(record, "cached", records);
    const auto* cold = part_beside(record, "cold", records);
    if (record.throughput.median <= 0 || cached == nullptr || cold == nullptr) {
      continue;
    }
    Stalls stalls{&record, cached, cold, {}, {}, {}};
    const std::array<const Record*, 3> parts{&record, cached, cold};
    stalls.compute = share_of(parts, [](const Seconds& s) { return s[0] / s[2]; });
    stalls.prep = share_of(parts, [](const Seconds& s) { return (s[1] - s[0]) / s[2]; });
    stalls.fetch = share_of(parts, [](const Seconds& s) { return (s[2] - s[1]) / s[2]; });
    found.push_back(stalls);
  }
  return found;
}

}  // namespace rightsize
