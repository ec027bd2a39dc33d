#include "advisor/service/service_verify.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "profiler/measure/run_spec.h"
#include "profiler/quantile.h"
#include "profiler/serving/minibatches.h"
#include "profiler/serving/serving_task.h"

namespace rightsize {
namespace {

// What waking up, and other processes, add to a minibatch [assumed].
constexpr double wake_up_s = 0.5e-3;
constexpr double warmup_s = 3;
constexpr double most_missing = 0.05;  // of the requests that come; the rest waits at the end

// One replica's part of a machine.
Setting replica_setting(Setting setting, int replicas) {
  setting.cpus /= replicas;
  setting.memory_bytes /= static_cast<std::uint64_t>(replicas);
  setting.accelerator_items_per_s /= replicas;
  return setting;
}

// Requests come with their inputs decoded, so beside a GPU the vCPUs have little to do: fewer of
// them here are no smaller replica.
double emulate_cpus(const Setting& replica, const Machine& here, bool gpu, ServiceRun& run) {
  const double room = std::max(here.cpus, 1);
  if (gpu) {
    if (replica.cpus > room) {
      run.notes.push_back(fmt::format(
          "{:g} vCPU{} here for {:g} there: a replayed GPU leaves them nothing but copies",
          room,
          room == 1 ? "" : "s",
          replica.cpus));
    }
    return std::min(replica.cpus, room);
  }
  const auto emulation = emulate(replica, here);
  run.scale = emulation.scale;
  if (run.scale < 1) {
    run.notes.push_back(fmt::format(
        "{:g} vCPU{} here for {:g} there: everything is taken to last {:.0f} times as long, and so "
        "many fewer requests come",
        emulation.limits.cpus,
        emulation.limits.cpus == 1 ? "" : "s",
        replica.cpus,
        1 / run.scale));
  }
  return emulation.limits.cpus;
}

Requests requests_of(const Service& service, const Option& option, double scale) {
  Requests requests;
  requests.per_s =
      scale * service.requests_per_s /
      (static_cast<double>(option.service->machines) * option.service->server.replicas);
  if (service.group_size > 1) {
    requests.arrivals = fmt::format("bursty:{:g}", service.group_size);
  }
  requests.max_delay_s = service.max_delay_s / scale;
  return requests;
}

double quantile_99(std::span<const double> latencies) {
  return latencies.empty() ? HUGE_VAL : quantile(latencies, 0.99);
}

// The run's own 99th percentile with every minibatch `factor` as long and `more_s` longer.
double played_p99(const ServiceRun& run, double factor, double more_s) {
  const auto& work = run.spec.workload;
  const auto time = run.time.changed(factor, more_s);
  return quantile_99(
      played_latencies(*work.requests, run.spec.seed, work.batch, time, run.spec.stop.max_s));
}

void predict(const Model& model, ServiceRun& run) {
  const double spread = std::exp(normal_90 * std::hypot(model.noise, model.cpu_noise));
  run.p99 = {played_p99(run, 1, 0),
             played_p99(run, 1 / spread, 0),
             played_p99(run, spread, wake_up_s),
             model.confidence,
             "s",
             Source::fitted};
  const double comes = run.spec.workload.requests->per_s;
  const double lost = 3 / std::sqrt(comes * run.spec.stop.max_s);  // of counts by chance
  run.answered = {comes,
                  comes * (1 - most_missing - lost),
                  comes * (1 + lost),
                  model.confidence,
                  "requests/s",
                  Source::assumed};
}

}  // namespace

std::vector<double> played_latencies(const Requests& requests,
                                     std::uint64_t seed,
                                     int largest,
                                     const MinibatchTime& time,
                                     double seconds) {
  Minibatches minibatches(Arrivals(requests, seed), largest, requests.max_delay_s);
  const auto sizes = prepared_sizes(largest);
  std::vector<double> latencies;
  double free_s = 0;
  while (true) {
    const double begin_s = minibatches.begin_s(free_s);
    if (begin_s > seconds) {
      return latencies;
    }
    const auto came = minibatches.take(begin_s);
    const auto size = *std::lower_bound(sizes.begin(), sizes.end(), static_cast<int>(came.size()));
    free_s = begin_s + step_seconds(time, size);
    for (const double instant_s : came) {
      if (instant_s > warmup_s) {
        latencies.push_back(free_s - instant_s);
      }
    }
  }
}

ServiceRun service_run(const Option& option,
                       const Candidate& candidate,
                       const Query& query,
                       const Model& model,
                       const Machine& here,
                       double seconds) {
  const auto& server = option.service->server;
  const bool gpu = !option.gpu.empty();
  const auto replica = replica_setting(candidate.setting, server.replicas);
  ServiceRun run;
  auto& spec = run.spec;
  spec.name = fmt::format("{}/{}", option.provider, option.instance);
  spec.campaign = "verify";
  spec.workload = candidate.setting.workload;
  spec.workload.data = DataFormat::synthetic;
  spec.workload.batch = option.batch_per_gpu;
  spec.limits.cpus = std::round(100 * emulate_cpus(replica, here, gpu, run)) / 100;
  spec.workload.requests = requests_of(*query.service, option, run.scale);
  spec.stop.whole_time = true;
  spec.stop.max_warmup_s = warmup_s;
  spec.stop.max_s = warmup_s + seconds;
  run.time = server.time.changed(1 / run.scale);
  if (gpu) {
    const int largest = spec.workload.batch;
    const double full_s = step_seconds(run.time, largest);
    spec.workload.engine = EngineKind::replay;
    spec.workload.replay_items_per_s = largest / full_s;
    run.time = StepTimeLaw{0, full_s / largest};
    run.notes.push_back(
        "the GPU is replayed at the speed of its largest minibatch, smaller ones in proportion: "
        "what is verified is the queueing and the host, not the GPU's speed");
  }
  predict(model, run);
  return run;
}

ServiceVerification service_verification(const ServiceRun& run, const Record& record) {
  ServiceVerification verdict;
  if (!record.served) {
    return verdict;
  }
  verdict.believed = record.status == Status::measured;
  verdict.p99_s = record.served->p99_s;
  verdict.answered_per_s = record.served->answered_per_s;
  verdict.in_time = verdict.p99_s >= run.p99.low && verdict.p99_s <= run.p99.high;
  verdict.answers = !record.served->saturated && verdict.answered_per_s >= run.answered.low;
  return verdict;
}

}  // namespace rightsize
