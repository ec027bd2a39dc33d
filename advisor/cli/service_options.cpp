#include "advisor/cli/service_options.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "advisor/query/latency_words.h"
#include "advisor/query/load_range.h"
#include "advisor/tokens/token_slo.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* token_flags[] = {"ttft", "tpot"};

// Limits of tokens, given to a job that writes none.
void refuse_token_limits(const Values& values) {
  constexpr const char* writers =
      "tokens are written by a job with phase = \"decode\" and [service]";
  for (const auto* flag : token_flags) {
    if (values.count(flag) > 0) {
      throw UsageError(fmt::format("--{}: {}", flag, writers));
    }
    if (values.count("slo") > 0 &&
        values["slo"].as<std::string>().find(flag) != std::string::npos) {
      throw UsageError(fmt::format("--slo {}: {}; requests are answered within --slo p99=50ms",
                                   values["slo"].as<std::string>(),
                                   writers));
    }
  }
}

double qps_of(const Values& values, const LoadRange& loads) {
  const double qps = values["qps"].as<double>();
  if (!loads.has(qps)) {
    throw UsageError(fmt::format("--qps {:g}: expected {}", qps, loads.words()));
  }
  return qps;
}

// "--qps 5", of a service, given to a job that is none.
void refuse_no_service(const Query& query, const std::string& flag) {
  constexpr const char* tokens =
      "a job with phase = \"decode\" takes it once it has [service] with prompt_tokens and "
      "output_tokens";
  if (query.phase == Phase::decode) {
    throw UsageError(fmt::format("{}: {}", flag, tokens));
  }
  if (query.phase != Phase::infer) {
    throw UsageError(fmt::format(
        "{}: it is of a service, and {} has phase = \"{}\": requests are answered by a job with "
        "phase = \"infer\", and {}",
        flag,
        query.file,
        to_string(query.phase),
        tokens));
  }
}

// Of a plan they are of the services in it.
void read_hours(const Values& values, Query& query) {
  if (values.count("hours-per-month") == 0) {
    return;
  }
  const double hours = values["hours-per-month"].as<double>();
  if (!is_service_hours(hours)) {
    throw UsageError(
        fmt::format("--hours-per-month {:g}: expected {}", hours, service_hours_grammar));
  }
  if (query.serves()) {
    query.service_hours = hours;
  } else if (values.count("jobs") == 0) {
    throw UsageError(fmt::format(
        "--hours-per-month {:g}: it is of a service; --runs-per-month says how often a job runs",
        hours));
  }
}

// The first that was given of those a service of requests takes, as it was said; "" where none was.
std::string service_flag(const Values& values) {
  if (values.count("qps") > 0) {
    return fmt::format("--qps {:g}", values["qps"].as<double>());
  }
  for (const auto* flag : {"slo", "max-delay"}) {
    if (values.count(flag) > 0) {
      return fmt::format("--{} {}", flag, values[flag].as<std::string>());
    }
  }
  return "";
}

void read_requests(const Values& values, Query& query) {
  refuse_token_limits(values);
  const auto flag = service_flag(values);
  if (flag.empty()) {
    return;
  }
  refuse_no_service(query, flag);
  auto service = query.service.value_or(Service{});
  if (values.count("qps") > 0) {
    service.requests_per_s = qps_of(values, request_loads);
  }
  if (values.count("slo") > 0) {
    service.p99_s = parse_slo(values["slo"].as<std::string>(), "--slo");
  }
  if (values.count("max-delay") > 0) {
    service.max_delay_s = parse_latency(values["max-delay"].as<std::string>(), "--max-delay");
  }
  if (!(service.requests_per_s > 0) || !(service.p99_s > 0)) {
    throw UsageError(
        fmt::format("{}: a service takes both a load and a latency: --qps 300 --slo p99=50ms, or "
                    "qps and p99 under [service] of the job file",
                    flag));
  }
  query.service = service;
  refuse_data_of_service(query);
}

// One limit said twice would leave open which is meant.
void refuse_said_twice(const Values& values, const DecodeLimits& in_slo) {
  for (const auto* flag : token_flags) {
    const double limit = std::string_view(flag) == "ttft" ? in_slo.first_token_s : in_slo.token_s;
    if (values.count(flag) > 0 && std::isfinite(limit)) {
      throw UsageError(fmt::format("--{0} {1} and --slo {2}: both say {0}; leave one out",
                                   flag,
                                   values[flag].as<std::string>(),
                                   values["slo"].as<std::string>()));
    }
  }
}

// A limit of the job file alone goes with the flags that were used.
OwnLimitFlags own_limit_flags(const Values& values) {
  if (values.count("ttft") + values.count("tpot") == 0) {
    return {};
  }
  const bool no_slo = values.count("slo") == 0;
  return {no_slo || values.count("ttft") > 0, no_slo || values.count("tpot") > 0};
}

void read_sequences(const Values& values, Query& query) {
  if (values.count("max-delay") > 0) {
    throw UsageError(
        "--max-delay: with phase = \"decode\" sequences are let in at every iteration; leave it "
        "out");
  }
  auto& limits = query.tokens->limits;
  if (values.count("slo") > 0) {
    constexpr double none = std::numeric_limits<double>::infinity();
    DecodeLimits in_slo{none, none};
    parse_token_slo(values["slo"].as<std::string>(), "--slo", in_slo);
    refuse_said_twice(values, in_slo);
    parse_token_slo(values["slo"].as<std::string>(), "--slo", limits);
  }
  for (const auto* flag : token_flags) {
    if (values.count(flag) > 0) {
      const auto& text = values[flag].as<std::string>();
      const double seconds = parse_latency(text, fmt::format("--{}", flag));
      if (!(seconds > 0)) {
        throw UsageError(fmt::format("--{} {}: no token takes no time", flag, text));
      }
      (std::string_view(flag) == "ttft" ? limits.first_token_s : limits.token_s) = seconds;
    }
  }
  query.own_limit_flags = own_limit_flags(values);
  if (values.count("qps") > 0) {
    query.tokens->sequences_per_s = qps_of(values, sequence_loads);
  }
}

}  // namespace

void add_service_options(Options& options) {
  options.add_options()("qps", po::value<double>(), "of a service: requests per second to answer")(
      "slo",
      po::value<std::string>(),
      "of a service: p99=50ms; of one that writes tokens ttft=1s,tpot=50ms (99% to the first token "
      "and from one to the next)")("ttft", po::value<std::string>(), "the same as --slo ttft=")(
      "tpot", po::value<std::string>(), "the same as --slo tpot=")(
      "max-delay", po::value<std::string>(), "of a service: wait so long for a minibatch to fill")(
      "hours-per-month",
      po::value<double>(),
      "of a service: that it runs, such as 176 in office hours; all 730 unless said");
}

void read_service_options(const Values& values, Query& query) {
  query.tokens ? read_sequences(values, query) : read_requests(values, query);
  read_hours(values, query);
}

}  // namespace rightsize::cli
