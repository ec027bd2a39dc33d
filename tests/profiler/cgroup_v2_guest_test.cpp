// The limits under a real cgroup v2: bench_throttle_accuracy in a guest whose kernel has it.
// Emulated CPUs are slow, but a limit is a limit.
#include <charconv>
#include <exception>
#include <map>
#include <sstream>

#include <doctest/doctest.h>

#include "support/qemu_guest.h"

using rightsize::test::QemuGuest;

namespace {

struct Row {
  double ratio = 0;  // achieved / asked
  std::string by;
  std::string waited;
  std::string status;
};

// "| read | 20 MB/s | 20.1 MB/s | 1.005 | cgroup v2 | run: io 90 % | measured |" by "read 20 MB/s".
std::map<std::string, Row> rows_of(const std::string& table) {
  std::map<std::string, Row> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, '|');) {
      const auto begin = cell.find_first_not_of(" \r");
      cells.push_back(begin == std::string::npos
                          ? ""
                          : cell.substr(begin, cell.find_last_not_of(" \r") - begin + 1));
    }
    if (cells.size() < 8) {
      continue;
    }
    Row row;
    const auto& ratio = cells[4];
    const auto read = std::from_chars(ratio.data(), ratio.data() + ratio.size(), row.ratio);
    if (read.ec == std::errc()) {
      row.by = cells[5];
      row.waited = cells[6];
      row.status = cells[7];
      rows[cells[1] + " " + cells[2]] = row;
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("cgroup v2: limits bite as asked under a real kernel") {
  const std::string kernel = RIGHTSIZE_GUEST_KERNEL;
  if (const auto reason = QemuGuest::reason_against(kernel); !reason.empty()) {
    MESSAGE("skipped: " << reason);
    return;
  }
  QemuGuest guest(kernel, RIGHTSIZE_THROTTLE_ACCURACY, 256);
  constexpr int timeout_s = 280;  // takes 50 to 100 s
  std::string said;
  try {
    said = guest.run("/data short", timeout_s);
  } catch (const std::exception& error) {  // under emulation a boot may hang: once more
    MESSAGE("first boot: ", std::string(error.what()));
    said = guest.run("/data short", timeout_s);
  }
  MESSAGE(said);
  const auto rows = rows_of(said);
  REQUIRE(said.find("the program ended with code 0") != std::string::npos);
  const std::map<std::string, double> tolerances{{"memory 128 MiB", 0.02},
                                                 {"read 20 MB/s", 0.10},
                                                 {"write 20 MB/s", 0.10},
                                                 {"read IOPS 200 1/s", 0.10},
                                                 {"write IOPS 200 1/s", 0.20}};
  for (const auto& [limit, tolerance] : tolerances) {
    CAPTURE(limit);
    REQUIRE(rows.contains(limit));
    const auto& row = rows.at(limit);
    CHECK(row.by == "cgroup v2");
    CHECK(row.ratio > 1 - tolerance);
    CHECK(row.ratio < 1 + tolerance);
    const bool memory = limit.starts_with("memory");
    const bool ran = row.status.starts_with("measured") || row.status.starts_with("untrusted");
    CHECK_MESSAGE((memory ? row.status.starts_with("out_of_memory") : ran), row.status);
  }
  // The guest's own CPUs wait for this machine's: a quota can only be an upper end.
  REQUIRE(rows.contains("cpu 0.5 CPUs"));
  CHECK(rows.at("cpu 0.5 CPUs").by == "cgroup v2");
  CHECK(rows.at("cpu 0.5 CPUs").ratio < 1.05);
  CHECK(rows.at("cpu 0.5 CPUs").ratio > 0.3);
  // The pressure of a group is the run's own. (Requests past the page cache, many at once, are
  // waited for without being counted as pressure.)
  CHECK(rows.at("cpu 0.5 CPUs").waited.starts_with("run: cpu "));
  CHECK_FALSE(rows.at("cpu 0.5 CPUs").waited.starts_with("run: cpu 0 %"));
}
