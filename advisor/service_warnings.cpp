#include "advisor/service_warnings.h"

#include <fmt/format.h>

#include "advisor/candidate/network_facts.h"
#include "advisor/query/job_work.h"
#include "kernels/network.h"
#include "kernels/work.h"

namespace rightsize {

void warn_of_single_pass(Recommendation& answer) {
  const auto& query = answer.query;
  if (query.service && has_network(query) && can_generate(make_network(query.network))) {
    answer.warnings.push_back(fmt::format(
        "each request is one pass of {} over {} tokens, and nothing is written: phase = "
        "\"decode\" with prompt_tokens and output_tokens under [service] asks who writes answers",
        query.network,
        make_network(query.network, query.sequence).input.positions()));
  }
}

void warn_of_requests(Recommendation& answer) {
  // Of a vCPU, to receive a request, make its input and answer: tens of microseconds of a lean RPC
  // server in C++ to the better part of a millisecond of one in Python (assumed; not measured
  // here).
  constexpr double least_s = 50e-6;
  constexpr double most_s = 500e-6;
  const auto& chosen = *answer.chosen;
  if (!answer.query.service || chosen.vcpus <= 0) {
    return;
  }
  const double vcpus = chosen.vcpus * chosen.nodes;
  const double left_s = vcpus / answer.query.service->requests_per_s;
  if (left_s >= most_s) {
    return;
  }
  answer.warnings.push_back(fmt::format(
      "{:.6g} requests/s are {:.0f} us of a vCPU each on these {:g}: what the host does to receive "
      "one, look its features up and answer is not counted, and takes {:.0f} to {:.0f} us "
      "[assumed], "
      "{:.0f} to {:.0f} vCPUs of it: measure a whole server first",
      answer.query.service->requests_per_s,
      1e6 * left_s,
      vcpus,
      1e6 * least_s,
      1e6 * most_s,
      least_s * answer.query.service->requests_per_s,
      most_s * answer.query.service->requests_per_s));
}

}  // namespace rightsize
