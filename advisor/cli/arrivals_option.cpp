#include "advisor/cli/arrivals_option.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/format.h>

#include "advisor/query/load_range.h"

namespace rightsize::cli {
namespace {

double second_in(const std::string& line, const std::string& path, int number) {
  constexpr double latest_s = 1e10;  // of Unix time, in some centuries; more are milliseconds
  double seconds = 0;
  const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), seconds);
  const bool all = rest == line.data() + line.size() || *rest == '\r';
  if (error != std::errc() || !all || !(seconds >= 0) || seconds > latest_s) {
    throw UsageError(
        fmt::format("{}:{}: \"{}\": expected the second at which a request arrives, as 12.5, or of "
                    "Unix time, as "
                    "1764288000.1",
                    path,
                    number,
                    line));
  }
  return seconds;
}

// A file of seconds, one a line, rising: from any instant on, as of a log in Unix time. Those after
// the first are counted from it, as whole seconds of this century leave a double few digits.
std::vector<simulate::Nanoseconds> read_arrivals(const std::string& path) {
  constexpr double longest_s = 1e9;
  std::istringstream lines(read_file(path));
  std::vector<simulate::Nanoseconds> arrivals;
  double first_s = 0;
  double last_s = 0;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#' || line == "\r") {
      continue;
    }
    const double seconds = second_in(line, path, number);
    first_s = arrivals.empty() ? seconds : first_s;
    if (seconds - first_s > longest_s) {
      throw UsageError(
          fmt::format("{}:{}: \"{}\": arrives decades after the first; the file is of one clock?",
                      path,
                      number,
                      line));
    }
    arrivals.push_back(simulate::from_seconds(std::max(0.0, seconds - first_s)));
    if (seconds < last_s) {
      throw UsageError(
          fmt::format("{}:{}: arrives before the line above; sort the file", path, number));
    }
    last_s = seconds;
  }
  if (arrivals.size() < 2 || arrivals.front() == arrivals.back()) {
    throw UsageError(fmt::format("{}: expected two or more arrivals at different times", path));
  }
  return arrivals;
}

double qps_of(const Values& values, const std::optional<Query>& job) {
  if (values.count("qps") > 0) {
    return values["qps"].as<double>();
  }
  if (!job || !job->service) {
    throw UsageError(
        "--serve needs --qps, the requests per second; or --arrivals FILE, or a job file with "
        "[service]");
  }
  return job->service->requests_per_s;
}

}  // namespace

std::string arrivals_text(const Values& values, const std::optional<Query>& job) {
  const bool of_job = job && job->service && values["arrivals"].defaulted();
  return of_job && job->service->group_size > 1
             ? fmt::format("bursty:{:g}", job->service->group_size)
             : values["arrivals"].as<std::string>();
}

std::vector<simulate::Nanoseconds> arrivals_of(const Values& values,
                                               const std::optional<Query>& job,
                                               const std::string& text,
                                               ServingLoad& load) {
  const bool by_rate = text == "poisson" || text.starts_with("bursty");
  std::vector<simulate::Nanoseconds> arrivals;
  if (by_rate) {
    load.requests_per_s = qps_of(values, job);
    if (!request_loads.has(load.requests_per_s)) {
      throw UsageError(
          fmt::format("--qps {:g}: expected {}", load.requests_per_s, request_loads.words()));
    }
  } else {
    if (values.count("qps") > 0) {
      throw UsageError("--qps and --arrivals FILE both say how many requests come; leave one out");
    }
    arrivals = read_arrivals(text);
    load.requests_per_s = static_cast<double>(arrivals.size() - 1) /
                          simulate::to_seconds(arrivals.back() - arrivals.front());
  }
  if (text.starts_with("bursty")) {
    const auto size = text.substr(std::min<std::size_t>(text.size(), 7));
    const auto end = size.data() + size.size();
    const auto [rest, error] = std::from_chars(size.data(), end, load.group_size);
    if (!text.starts_with("bursty:") || error != std::errc() || rest != end ||
        !(load.group_size >= 1) || load.group_size > 10'000) {
      throw UsageError(fmt::format(
          "--arrivals {}: expected bursty:K, K requests together on average, as bursty:8", text));
    }
  }
  return arrivals;
}

}  // namespace rightsize::cli
