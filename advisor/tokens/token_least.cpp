#include "advisor/tokens/token_least.h"

#include <cmath>
#include <limits>

#include "advisor/judge/mishap.h"

namespace rightsize {
namespace {

// As any_number_writes() of the fleet, without the rest of it.
bool any_number_keeps(const TokenService& service,
                      const TokenServer& server,
                      double confidence,
                      double interval_z) {
  return token_machines_enough(service, server, deviations_at(confidence)) > 0 &&
         token_machines_enough(service, server, interval_z) > 0;
}

double least_of(TokenService service,
                double DecodeLimits::*which,
                const TokenServer& server,
                double confidence,
                double interval_z) {
  constexpr double far_too_soon_s = 1e-6;
  constexpr double many_days_s = 1e6;  // what does not come within them does not come
  constexpr int halvings = 26;         // of the exponent: less than a millionth remains
  const auto kept = [&](double seconds) {
    service.limits.*which = seconds;
    return any_number_keeps(service, server, confidence, interval_z);
  };
  if (!kept(many_days_s)) {
    return HUGE_VAL;
  }
  double low = far_too_soon_s;
  double high = many_days_s;
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::sqrt(low * high);
    (kept(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

DecodeLimits least_limits(const TokenService& service,
                          const TokenServer& server,
                          double confidence,
                          double interval_z) {
  TokenService asked = service;
  asked.machines.reset();
  const auto least = [&](double DecodeLimits::*which, double DecodeLimits::*other) {
    const double beside = least_of(asked, which, server, confidence, interval_z);
    if (std::isfinite(beside)) {
      return beside;
    }
    TokenService alone = asked;
    alone.limits.*other = HUGE_VAL;
    return least_of(alone, which, server, confidence, interval_z);
  };
  return {least(&DecodeLimits::first_token_s, &DecodeLimits::token_s),
          service.output_tokens == 1 ? std::numeric_limits<double>::quiet_NaN()
                                     : least(&DecodeLimits::token_s, &DecodeLimits::first_token_s)};
}

}  // namespace rightsize
