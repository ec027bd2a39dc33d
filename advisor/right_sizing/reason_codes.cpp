#include "advisor/right_sizing/reason_codes.h"

#include <algorithm>
#include <cmath>

#include "advisor/tokens/token_order.h"

namespace rightsize {
namespace {

// Half of it slows the job by less than this: it is more than enough.
constexpr double unharmed = 0.02;
// Twice of it makes the job faster by more than this: it is what is short.
constexpr double helped = 0.05;
struct Resource {
  const char* name;
  void (*scale)(Offer& offer, DiskChoice& disk, double& gpu_speed, double factor);
  double (*amount)(const Candidate& candidate);  // of one machine
  bool (*applies)(const Candidate& candidate);   // whether it has any that could be changed
};

// Nothing of the host enters how tokens are written.
bool uses_host(const Candidate& candidate) {
  return !candidate.tokens;
}

// Tokens are written as fast as weights and caches are read.
double gpu_speed(const Candidate& candidate) {
  const auto& tokens = candidate.tokens;
  return tokens ? tokens->replicas * tokens->gpus_each() * tokens->gpu.bytes_per_s
                : candidate.setting.accelerator_items_per_s;
}

constexpr Resource resources[] = {
    {"CPU",
     [](Offer& offer, DiskChoice&, double&, double f) { *offer.vcpus *= f; },
     [](const Candidate& candidate) { return *candidate.offer->vcpus; },
     uses_host},
    {"Memory",
     [](Offer& offer, DiskChoice&, double&, double f) { *offer.memory_gib *= f; },
     [](const Candidate& candidate) { return *candidate.offer->memory_gib; },
     uses_host},
    {"GPU",
     [](Offer&, DiskChoice&, double& gpu, double f) { gpu *= f; },
     gpu_speed,
     [](const Candidate& candidate) { return !candidate.offer->gpu.empty(); }},
    {"GPUMemory",
     [](Offer& offer, DiskChoice&, double&, double f) { *offer.gpu_memory_gib *= f; },
     [](const Candidate& candidate) {
       const auto& tokens = *candidate.tokens;
       return tokens.replicas * tokens.gpus_each() * tokens.gpu.memory_bytes;
     },
     [](const Candidate& candidate) { return candidate.tokens.has_value(); }},
    {"DiskThroughput",
     [](Offer&, DiskChoice& disk, double&, double f) { disk.speed.bytes_per_s *= f; },
     [](const Candidate& candidate) { return candidate.disk.speed.bytes_per_s; },
     [](const Candidate& candidate) {  // one that is rented beside it was chosen here
       return candidate.disk.volume == nullptr && candidate.disk.speed.bytes_per_s > 0;
     }},
};

// A code that the move does not follow is no reason for it: what is too much becomes less there,
// what is short more.
bool follows(const MoveToday& move, bool under, double now, double then) {
  return !move.then || (under ? then > now : then < now);
}

// By all machines together: a fleet of fewer of the same has less of everything. Of a service by
// each of them too, as their number has a code of its own: more machines with a weaker GPU each are
// no answer to a GPU that is short.
bool resource_follows(const MoveToday& move, bool under, const Resource& resource) {
  if (!move.then) {
    return true;
  }
  const double now = resource.amount(move.now.candidate);
  const double then = resource.amount(move.then->candidate);
  const bool each = !move.query.serves() || follows(move, under, now, then);
  return each && follows(move, under, move.now.option.nodes * now, move.then->option.nodes * then);
}

class Scaling {
 public:
  Scaling(const Query& query, const Evidence& evidence, const Appraisal& current)
      : appraiser_(query, evidence),
        gpu_rates_(evidence.gpu_rates),
        maker_(
            query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu()),
        current_(current) {}

  // Hours of the job with `factor` times the resource, over today's; of a service what a machine
  // then answers less, or how much later, whichever is worse. nullopt: it cannot be done.
  [[nodiscard]] std::optional<double> slowdown(const Resource& resource, double factor) {
    Offer offer = *current_.candidate.offer;
    DiskChoice disk = current_.candidate.disk;
    double gpu_speed = 1;
    if (current_.candidate.tokens && !offer.gpu_memory_gib) {
      offer.gpu_memory_gib = gpu_rates_.find(offer.gpu)->memory_gb;
    }
    resource.scale(offer, disk, gpu_speed, factor);
    Refusal refusal;
    auto candidate = maker_.make(offer, disk, current_.candidate.way, refusal);
    if (!candidate) {
      return std::nullopt;
    }
    candidate->scale_gpu(gpu_speed);
    const auto scaled = appraiser_.judge(*candidate, refusal);
    if (!scaled) {
      return std::nullopt;
    }
    return current_.option.tokens    ? slower_tokens(scaled->option)
           : current_.option.service ? slower_service(scaled->option)
                                     : scaled->option.hours.value / current_.option.hours.value;
  }

 private:
  [[nodiscard]] double slower_service(const Option& scaled) const {
    const auto& now = *current_.option.service;
    const double load = now.point.saturation_per_s / scaled.service->point.saturation_per_s;
    const bool timed = std::isfinite(now.point.p99_s) && std::isfinite(scaled.p99.value);
    return timed ? std::max(load, scaled.p99.value / now.point.p99_s) : load;
  }

  // Both may be in time and one of them write more.
  [[nodiscard]] double slower_tokens(const Option& scaled) const {
    const auto& now = *current_.option.tokens;
    const double load = now.expected.point.most_sequences_per_s /
                        scaled.tokens->expected.point.most_sequences_per_s;
    const double wait = sequence_p99_s(*scaled.tokens) / sequence_p99_s(now);
    return std::isfinite(wait) ? std::max(load, wait) : load;
  }

  Appraiser appraiser_;
  const GpuRates& gpu_rates_;
  CandidateMaker maker_;
  const Appraisal& current_;
};

// As many as would be enough of today's.
int enough_of(const MoveToday& move) {
  const auto& wanted = move.as_it_takes;
  const auto& option = move.now.option;
  return option.tokens
             ? size_token_fleet(*wanted.tokens, option.tokens->server, wanted.confidence, normal_90)
                   .machines
             : size_fleet(*wanted.service, option.service->server, wanted.confidence, normal_90)
                   .machines;
}

std::optional<std::string> machines_code(const MoveToday& move) {
  if (!move.query.serves()) {
    return std::nullopt;
  }
  const int machines = move.now.option.nodes;
  const int enough = enough_of(move);
  const bool more = enough > machines;
  const double then = move.then ? move.then->option.nodes : 0;
  if (enough == 0 || enough == machines || !follows(move, more, machines, then)) {
    return std::nullopt;
  }
  return more ? "MachinesUnderprovisioned" : "MachinesOverprovisioned";
}

}  // namespace

std::vector<std::string> reason_codes(const MoveToday& move, bool under) {
  std::vector<std::string> codes;
  if (const auto code = machines_code(move)) {
    codes.push_back(*code);
  }
  Scaling scaling(move.query, move.evidence, move.now);
  for (const auto& resource : resources) {
    if (!resource.applies(move.now.candidate) || !resource_follows(move, under, resource)) {
      continue;
    }
    const auto slowdown = scaling.slowdown(resource, under ? 2 : 0.5);
    if (under ? slowdown && *slowdown < 1 / (1 + helped) : slowdown && *slowdown < 1 + unharmed) {
      codes.push_back(std::string(resource.name) +
                      (under ? "Underprovisioned" : "Overprovisioned"));
    }
  }
  return codes;
}

}  // namespace rightsize
