#include "advisor/study/response.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "advisor/machine/loader_threads.h"
#include "kernels/gibibyte.h"
#include "models/job_time.h"

namespace rightsize {
namespace {

constexpr int steps = 60;

// How one resource is set in the conditions of a job.
struct Resource {
  std::string name;
  std::string unit;
  double now = 0;
  double low = 0;  // of the curve
  double high = 0;
  bool whole = false;  // comes in whole numbers only
  std::function<void(Setting&, double)> set;
};

std::vector<Resource> resources_of(const Setting& setting) {
  const double resident = static_cast<double>(setting.resident_bytes) / bytes_per_gib;
  const double data = static_cast<double>(setting.dataset_bytes) / bytes_per_gib;
  const double memory = static_cast<double>(setting.memory_bytes) / bytes_per_gib;
  const double disk = setting.disk.bytes_per_s / 1e6;
  const double threads_per_cpu = setting.loader_threads / std::max(1.0, setting.cpus);
  std::vector<Resource> all;
  all.push_back({"vCPUs",
                 "vCPU",
                 setting.cpus,
                 1,
                 4 * setting.cpus,
                 true,
                 [threads_per_cpu](Setting& s, double cpus) {
                   s.cpus = cpus;
                   s.loader_threads =
                       threads_per_cpu > 0
                           ? std::max(1, static_cast<int>(std::ceil(cpus * threads_per_cpu - 1e-9)))
                           : threads_of_program;
                 }});
  // Less memory than the processes hold is no machine for the job.
  all.push_back({"memory",
                 "GiB",
                 memory,
                 std::max(1.0, std::min(resident, memory)),
                 1.3 * std::max(memory, resident + data),
                 false,
                 [](Setting& s, double amount) {
                   s.memory_bytes = static_cast<std::uint64_t>(amount * bytes_per_gib);
                 }});
  if (disk > 0) {
    all.push_back(
        {"disk", "MB/s", disk, disk / 16, disk * 16, false, [](Setting& s, double amount) {
           s.disk.bytes_per_s = amount * 1e6;
         }});
  }
  return all;
}

// The conditions with this much of the resource, the accelerator `faster` times as fast.
Setting changed(const Setting& given, const Resource& resource, double amount, double faster) {
  Setting setting = given;
  setting.accelerator_items_per_s *= faster;
  resource.set(setting, amount);
  return setting;
}

// From low to high by equal ratios.
std::vector<double> amounts_of(const Resource& resource) {
  std::vector<double> amounts;
  for (int i = 0; i <= steps; ++i) {
    const double exact =
        resource.low * std::pow(resource.high / resource.low, static_cast<double>(i) / steps);
    const double amount = resource.whole ? std::round(exact) : exact;
    if (amounts.empty() || amount > amounts.back()) {
      amounts.push_back(amount);
    }
  }
  return amounts;
}

double knee_of(const Predictor& predictor,
               const Setting& setting,
               const Resource& resource,
               double faster) {
  const auto rate = [&](double amount) {
    return predictor.predict(changed(setting, resource, amount, faster)).items_per_s;
  };
  const auto amounts = amounts_of(resource);
  double most = 0;
  for (const double amount : amounts) {
    most = std::max(most, rate(amount));
  }
  const auto enough = [&](double amount) { return rate(amount) >= knee_share * most; };
  const auto first = std::find_if(amounts.begin(), amounts.end(), enough);
  if (first == amounts.begin()) {
    return resource.low;
  }
  double low = *(first - 1);
  double high = *first;
  const double finest = resource.whole ? 1 : 1e-4 * high;
  while (high - low > finest) {
    const double middle = resource.whole ? std::floor((low + high) / 2) : (low + high) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

// More memory or disk slows nobody, so no quantile of the throughput falls with it. The interval at
// each amount is that of whatever limits there; where that changes from what is known well to what
// is known badly its ends would fall all the same, as each ignores what takes over in the other
// case. An unlucky end is no higher than that of more of the resource, and neither is a lucky one:
// what limits there takes over here as soon.
void let_ends_rise(std::vector<ResponsePoint>& points) {
  for (std::size_t i = points.size(); i-- > 1;) {
    auto& below = points[i - 1].throughput;
    below.low = std::min(below.low, points[i].throughput.low);
    below.high = std::max(below.value, std::min(below.high, points[i].throughput.high));
  }
}

Response response_to(const Predictor& predictor,
                     const Appraisal& appraisal,
                     const Resource& resource) {
  const auto& candidate = appraisal.candidate;
  Response response{resource.name, resource.unit, resource.now, {}, 0, 0, 0};
  for (const double amount : amounts_of(resource)) {
    const auto setting = changed(candidate.setting, resource, amount, 1);
    response.points.push_back({amount,
                               predictor.estimate(predictor.predict(setting, candidate.uncertainty),
                                                  appraisal.option.throughput.source)});
  }
  if (resource.name != "vCPUs") {  // of which too many may be slower
    let_ends_rise(response.points);
  }
  const auto& unsure = candidate.uncertainty;
  const double model_sd = appraisal.prediction.model_sd;
  const double resource_sd = resource.name == "vCPUs"  ? unsure.cpu_speed
                             : resource.name == "disk" ? unsure.disk
                                                       : 0;
  const double spread =
      std::exp(normal_90 * std::hypot(std::hypot(unsure.accelerator, resource_sd), model_sd));
  response.knee = knee_of(predictor, candidate.setting, resource, 1);
  response.knee_low = knee_of(predictor, candidate.setting, resource, 1 / spread);
  response.knee_high = knee_of(predictor, candidate.setting, resource, spread);
  return response;
}

}  // namespace

std::vector<Response> responses(const Model& model, const Appraisal& given, double epochs) {
  auto appraisal = given;
  auto& setting = appraisal.candidate.setting;
  if (setting.workload.data == DataFormat::synthetic || setting.accelerator_items_per_s <= 0) {
    return {};
  }
  const Predictor predictor(model, setting.workload);
  const auto resources = resources_of(setting);
  setting = lasting(setting, epochs);
  std::vector<Response> all;
  for (const auto& resource : resources) {
    if (epochs > 1 || resource.name != "memory") {
      all.push_back(response_to(predictor, appraisal, resource));
    }
  }
  return all;
}

}  // namespace rightsize
