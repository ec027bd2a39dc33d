// The part of a candidate that its offer alone decides: whether such a job can run there at all.
#include <fmt/format.h>

#include "advisor/candidate/candidate.h"
#include "advisor/candidate/host_cpus.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/query/job_work.h"
#include "kernels/gibibyte.h"
#include "models/laws/framework_habits.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

// What the CPUs of a machine without a GPU cannot do, or are not known to.
Refusal unfit_for_cpus(const Query& query) {
  if (is_engine(query.framework)) {
    return {fmt::format("no GPU, and {} is known on GPUs alone", query.framework),
            Lacking::evidence};
  }
  if (query.precision == Precision::fp8) {
    return {std::string(fp8_needs_gpu)};
  }
  if (!query.writing.as_usual()) {
    return {std::string(cpu_writes_as_usual), Lacking::evidence};
  }
  if (!trains_as_usual(query)) {
    return {gpus_train_so_alone(query)};
  }
  return query.gpus_per_copy() > 1 ? Refusal{"no GPUs to share the layers"} : Refusal{};
}

}  // namespace

// Why no job of this query can run on the offer at all; empty: it can.
Refusal CandidateMaker::unfit(const Offer& offer) const {
  if (offer.vcpus.value_or(1) <= 0 || offer.memory_gib.value_or(1) <= 0) {
    return {"vCPUs or memory not above 0 in the price table", Lacking::evidence};
  }
  if (!offer.vcpus || !offer.memory_gib) {
    return {is_own(offer) ? "vCPUs or memory of your own machine not said (vcpus=, memory=)"
                          : "vCPUs or memory not published",
            Lacking::evidence};
  }
  const bool on_gpu = !offer.gpu.empty();
  if (auto few = host_cpus_shortage(offer.vcpus, offer.gpus); !few.empty()) {
    return {std::move(few)};
  }
  if (const auto idle = why_gpu_idle(query_); on_gpu && !idle.empty()) {
    return {std::string(idle)};
  }
  // Images and the data path were measured on another; nothing of a CPU's enters tokens written.
  const bool writes = query_.tokens || (query_.phase == Phase::decode && on_gpu);
  if (offer.arch == "arm64" && !writes) {
    return {"another CPU architecture (arm64) than was measured", Lacking::evidence};
  }
  if (auto why = on_gpu ? Refusal{} : unfit_for_cpus(query_); !why.reason.empty()) {
    return why;
  }
  if (!stored_data_.can_bill(offer.price_per_hour.currency())) {
    return {fmt::format("priced in another currency than the storage its data come from: --fx "
                        "{0}=RATE says what 1 {0} is in {1}",
                        stored_data_.own_currency(),
                        query_.currency),
            Lacking::evidence};
  }
  // No disk is rented for a machine of one's own.
  if (is_own(offer) && offer.local_disk_gib && !query_.serves() &&
      *offer.local_disk_gib * bytes_per_gib <
          static_cast<double>(bytes_held(query_)) + model_files_.bytes()) {
    return {query_.format == DataFormat::synthetic ? "its own disk does not hold the weights"
                                                   : "its own disk does not hold the data"};
  }
  return {};
}

}  // namespace rightsize
