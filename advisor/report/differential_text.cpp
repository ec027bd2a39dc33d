#include "advisor/report/differential_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "advisor/report/runs.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"
#include "profiler/campaign/differential.h"

namespace rightsize::report {
namespace {

std::string range_text(const StallShare& share) {
  return fmt::format("{} … {}", percent(share.low), percent(share.high));
}

std::string verdict(const Stalls& stalls) {
  constexpr double little = 0.05;
  if (stalls.prep.value + stalls.fetch.value < little) {
    return "hardly any time is lost to data";
  }
  return stalls.fetch.value > stalls.prep.value
             ? "the disk costs most of what is lost: more memory for the page cache, or a faster "
               "disk"
             : "preparing the data costs most of what is lost: more vCPUs, or data prepared before";
}

Table stall_table(const Stalls& stalls) {
  Table table({{"part of an item's time"},
               {"is"},
               {"share", Align::right},
               {"95 % interval", Align::right},
               {"measured with"},
               {"rate", Align::right}});
  table.add({"computing",
             "the rest",
             percent(stalls.compute.value),
             range_text(stalls.compute),
             "made-up data",
             rate_text(*stalls.synthetic)});
  table.add({"prep stall",
             "cached - made up",
             percent(stalls.prep.value),
             range_text(stalls.prep),
             "data in memory",
             rate_text(*stalls.cached)});
  table.add({"fetch stall",
             "cold - cached",
             percent(stalls.fetch.value),
             range_text(stalls.fetch),
             "data on the disk",
             rate_text(*stalls.cold)});
  return table;
}

double read_per_s(const Record& record) {
  return record.seconds > 0 ? static_cast<double>(record.disk_read_bytes) / record.seconds : 0;
}

// A program that does not know the words it was given reads as before.
bool read_its_data(const Stalls& stalls) {
  constexpr double next_to_nothing = 1e5;  // bytes/s
  constexpr double part = 0.2;
  return !stalls.synthetic->command.empty() &&
         read_per_s(*stalls.synthetic) > std::max(next_to_nothing, part * read_per_s(*stalls.cold));
}

// What the records do not vouch for.
std::string reservations(const Stalls& stalls) {
  std::string text;
  for (const auto* part : {stalls.synthetic, stalls.cached, stalls.cold}) {
    if (part->status != Status::measured) {
      text += fmt::format(
          "  the {} part is {}: {}\n", part->part, to_string(part->status), part->reason);
    }
  }
  for (const auto& [less, more] :
       {std::pair(stalls.synthetic, stalls.cached), std::pair(stalls.cached, stalls.cold)}) {
    if (less->throughput.median < more->throughput.median) {
      text += fmt::format(
          "  the {} part was slower than the {} one, which has more to do: that is noise, and the "
          "stall\n  between both counts as none\n",
          less->part,
          more->part);
    }
  }
  if (read_its_data(stalls)) {
    text += fmt::format(
        "  the synthetic part read {} from the disk, as if it had not made its data up: does the "
        "program\n  know the words of --synthetic? If not, computing takes less than this\n",
        bytes_per_s(read_per_s(*stalls.synthetic)));
  }
  if (!stalls.cold->command.empty() && stalls.cold->epochs == 0) {
    text +=
        "  the program did not say where an epoch ends: what it read a second time may have come "
        "from\n  memory, and then the fetch stall is larger than this\n";
  }
  return text;
}

}  // namespace

std::string differential_text(const std::vector<Record>& records, const Style& style) {
  const auto all = stalls_in(records);
  const bool repeated = std::any_of(
      all.begin(), all.end(), [](const Stalls& stalls) { return stalls.cold->repeat > 0; });
  std::string text;
  for (const auto& stalls : all) {
    text += fmt::format("\n{}{}: {} of the time waits for data ({}).\n",
                        limits_text(*stalls.cold),
                        repeated ? fmt::format(", repeat {}", stalls.cold->repeat) : "",
                        percent(stalls.prep.value + stalls.fetch.value),
                        verdict(stalls));
    text += stall_table(stalls).text(style) + reservations(stalls);
  }
  return text;
}

}  // namespace rightsize::report
