#include "advisor/service/service.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "advisor/judge/mishap.h"

namespace rightsize {
namespace {

ServingLoad load_of(const Service& service, const Server& server, int machines = 1) {
  return {service.requests_per_s,
          service.group_size,
          server.max_batch,
          service.max_delay_s,
          machines * server.replicas};
}

double law_log_sd(const Service& service, const Server& server, double utilisation) {
  return p99_log_sd(load_of(service, server), utilisation);
}

std::array<Mishap, 2> mishaps_of(const Service& service, const Server& server, double deviations) {
  constexpr double full = 1;
  return mishaps(deviations, server.log_sd, law_log_sd(service, server, full));
}

bool in_time(const Service& service,
             const Server& server,
             const ServingLoad& load,
             const Mishap& mishap) {
  return answers_within(
      server.time.changed(mishap.time_factor), load, service.p99_s, mishap.law_deviations);
}

// P(so many are in time) where `borne` is luck that is not too bad.
double chance_from(double borne, const Service& service, const Server& server, int machines) {
  const auto load = load_of(service, server, machines);
  return chance_in_time(
      borne,
      [&](double deviations) { return mishaps_of(service, server, deviations); },
      [&](const Mishap& mishap) {
        return lateness(
            server.time.changed(mishap.time_factor), load, service.p99_s, mishap.law_deviations);
      });
}

}  // namespace

int machines_needed(const Service& service, const Server& server, double factor) {
  return machines_needed(server.time.changed(factor), load_of(service, server), service.p99_s);
}

int machines_enough(const Service& service, const Server& server, double deviations, int at_most) {
  const auto needed = [&](const Mishap& mishap) {
    return machines_needed(server.time.changed(mishap.time_factor),
                           load_of(service, server),
                           service.p99_s,
                           mishap.law_deviations,
                           at_most);
  };
  const auto enough = [&](const Mishap& mishap, int machines) {
    return machines > at_most ||
           in_time(service, server, load_of(service, server, machines), mishap);
  };
  return needed_in(mishaps_of(service, server, deviations), deviations, needed, enough);
}

ServingPoint point_of(const Service& service, const Server& server, int machines, double factor) {
  return serve(server.time.changed(factor), load_of(service, server, machines));
}

Estimate p99_of(const Service& service,
                const ServerFleet& fleet,
                double confidence,
                double interval_z,
                Source source) {
  const double end = std::exp(interval_z * fleet.server.log_sd);
  const double middle = fleet.point.p99_s;
  const double law_sd = p99_log_sd(load_of(service, fleet.server, fleet.machines),
                                   std::min(1.0, fleet.point.utilisation));
  const auto with_law = [&](double factor, double sign) {
    const double p99_s = point_of(service, fleet.server, fleet.machines, factor).p99_s;
    return std::isinf(p99_s) || std::isinf(middle)
               ? p99_s
               : middle *
                     std::exp(sign * std::hypot(std::log(p99_s / middle), interval_z * law_sd));
  };
  return {middle, with_law(1 / end, -1), with_law(end, 1), confidence, "s", source};
}

double chance_enough(const Service& service, const Server& server, int machines) {
  return chance_from(-worst_luck, service, server, machines);
}

double most_requests_per_s(const Service& service,
                           const Server& server,
                           int machines,
                           double confidence) {
  const double deviations = deviations_at(confidence);
  const auto both = mishaps_of(service, server, deviations);
  const auto most = [&](const Mishap& mishap) {
    return largest_requests_per_s(server.time.changed(mishap.time_factor),
                                  load_of(service, server, machines),
                                  service.p99_s,
                                  mishap.law_deviations);
  };
  if (deviations < 0) {
    return most_in(both, deviations, most);
  }
  // Mostly what is in time in the second is in the first as well, which one look shows.
  auto load = load_of(service, server, machines);
  load.requests_per_s = most(both[1]);
  const bool settled = load.requests_per_s == 0 || in_time(service, server, load, both[0]);
  return settled ? load.requests_per_s : std::min(load.requests_per_s, most(both[0]));
}

ServerFleet fewest(const Service& service, const Server& server, double confidence, int at_most) {
  ServerFleet fleet;
  fleet.server = server;
  fleet.machines = service.machines
                       ? *service.machines
                       : machines_enough(service, server, deviations_at(confidence), at_most);
  return fleet;
}

namespace {

// How many bear so much bad luck where `fewer` bear less: mostly those do, or a few more.
int machines_beyond(int fewer, const Service& service, const Server& server, double deviations) {
  const auto both = mishaps_of(service, server, deviations);
  constexpr int few = 4;
  for (int machines = fewer; fewer > 0 && machines < fewer + few; ++machines) {
    const auto load = load_of(service, server, machines);
    if (in_time(service, server, load, both[1]) && in_time(service, server, load, both[0])) {
      return machines;
    }
  }
  return machines_enough(service, server, deviations);
}

}  // namespace

void rate_fleet(const Service& service, double confidence, double interval_z, ServerFleet& fleet) {
  fleet.each_per_s = most_requests_per_s(service, fleet.server, 1, confidence);
  if (fleet.machines > 0) {
    fleet.point = point_of(service, fleet.server, fleet.machines);
  }
  if (service.machines) {
    fleet.machines_low = fleet.machines_high = *service.machines;
    fleet.p_enough = chance_enough(service, fleet.server, fleet.machines);
    return;
  }
  const double borne = deviations_at(confidence);
  fleet.machines_high =
      machines_beyond(borne <= interval_z ? fleet.machines : 0, service, fleet.server, interval_z);
  if (fleet.machines_high > 0) {
    fleet.machines_high = std::max(fleet.machines_high, fleet.machines);
  }
  // Of windows longer than a step slower machines may be in time where the expected are not: then
  // it is not known to be borne, whatever less luck would do.
  constexpr double precision = 1e-3;  // of a quantile
  const bool known = borne < 0 || fleet.point.p99_s <= service.p99_s * (1 + precision);
  fleet.p_enough = fleet.machines == 0 ? 0
                   : known             ? confidence
                                       : chance_enough(service, fleet.server, fleet.machines);
}

void complete_fleet(const Service& service,
                    double confidence,
                    double interval_z,
                    ServerFleet& fleet) {
  if (service.machines || fleet.machines == 0) {
    return;
  }
  const int lucky = machines_enough(service, fleet.server, -interval_z);
  fleet.machines_low = lucky > 0 ? std::min(lucky, fleet.machines) : fleet.machines;
  if (fleet.p_enough >= confidence) {
    // So much bad luck it was found to bear; good luck either of its two kinds may have been.
    const double borne = deviations_at(confidence);
    fleet.p_enough =
        chance_from(borne < 0 ? -worst_luck : borne, service, fleet.server, fleet.machines);
  }
}

ServerFleet size_fleet(const Service& service,
                       const Server& server,
                       double confidence,
                       double interval_z) {
  auto fleet = fewest(service, server, confidence);
  rate_fleet(service, confidence, interval_z, fleet);
  complete_fleet(service, confidence, interval_z, fleet);
  return fleet;
}

bool any_number_answers(const ServerFleet& fleet) {
  const auto possible = [](int machines) { return machines > 0 && machines <= most_machines; };
  return possible(fleet.machines) && possible(fleet.machines_high);
}

double least_p99_s(const Service& service,
                   const Server& server,
                   double confidence,
                   double interval_z) {
  Service asked = service;
  asked.machines.reset();
  double low = step_seconds(server.time, 1) / 2;
  double high = 4 * std::exp(interval_z * server.log_sd) *
                (step_seconds(server.time, server.max_batch) + service.max_delay_s);
  constexpr int halvings = 16;
  for (int i = 0; i < halvings; ++i) {
    asked.p99_s = (low + high) / 2;
    const bool possible = any_number_answers(size_fleet(asked, server, confidence, interval_z));
    (possible ? high : low) = asked.p99_s;
  }
  return high;
}

bool serves_better(const ServerFleet& a, const ServerFleet& b, const Objective& objective) {
  const bool can = any_number_answers(a);
  if (can != any_number_answers(b)) {
    return can;
  }
  const auto score = [&](const ServerFleet& fleet) {
    return objective.score(fleet.machines, fleet.point.p99_s);
  };
  return can && score(a) != score(b) ? score(a) < score(b) : a.each_per_s > b.each_per_s;
}

}  // namespace rightsize
