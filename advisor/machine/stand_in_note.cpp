// What an answer says of data whose cost no run measured.
#include <fmt/format.h>

#include "advisor/machine/estimator.h"
#include "kernels/networks/recommendation/recommendation.h"
#include "models/carry.h"

namespace rightsize {
namespace {

std::string records_note(std::string_view items) {
  return fmt::format(
      "{} are taken to lie in binary records that are read in sequence, a block at a time, and to "
      "cost {:g} us of a vCPU each and {:g} ns a byte from the disk [assumed]",
      items,
      record_cpu_s * 1e6,
      record_cpu_s_per_byte * 1e9);
}

}  // namespace

std::string stand_in_note(const Model& measured, const Workload& workload) {
  if (are_assumed_records(measured, workload)) {
    return records_note(is_recommendation(workload.network) ? "samples" : "sequences of tokens");
  }
  const auto relative = stand_in_format(measured, workload);
  const auto read = relative.empty() ? data_key(workload) : relative;
  const bool borrowed = measured.borrowed.count("cpu_s_per_item/" + read) > 0;
  return borrowed
             ? fmt::format(
                   "no run here read {}: its vCPU time an item is the shipped model's [scaled]; "
                   "rightsize profile --data {} measures it",
                   to_string(workload.data),
                   to_string(workload.data))
         : relative.empty()
             ? ""
             : fmt::format(
                   "no run read {}: its vCPU time an item is taken to be that of {} [assumed]; "
                   "rightsize profile --data {} measures it",
                   to_string(workload.data),
                   relative,
                   to_string(workload.data));
}

}  // namespace rightsize
